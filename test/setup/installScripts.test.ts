import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const kept = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Packages with install scripts, and what the scripts do. A person checks a new one before it is added here. */
const DONE_WITHOUT: Readonly<Record<string, string>> = {
  esbuild: 'replaces a small launcher file by the binary',
};

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pagespace-scripts-'));
  const scripts = { postinstall: `node -e "require('node:fs').writeFileSync('ran', '')"` };
  mkdirSync(join(project, 'stranger'));
  writeFileSync(
    join(project, 'stranger/package.json'),
    JSON.stringify({ name: 'stranger', version: '1.0.0', scripts }),
  );
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', dependencies: { stranger: 'file:stranger' } }),
  );
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Returns true if the install script of a package runs in a plain `npm install` of a user without settings. */
async function strangerRuns(): Promise<boolean> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: project, npm_config_cache: join(project, 'cache'), npm_config_offline: 'true' };
  await promisify(execFile)('npm', ['install', '--no-audit'], { cwd: project, env });
  return existsSync(join(project, 'stranger/ran'));
}

/** Returns true if npm has the setting strict-allow-scripts. */
async function knowsPolicy(): Promise<boolean> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'strict-allow-scripts'], {
    cwd: tmpdir(),
  });
  return stdout.trim() !== 'undefined';
}

describe('The install scripts of packages', () => {
  it('run in a plain npm install of another project', async () => {
    expect(await strangerRuns()).toBe(true);
  });

  it('fail a plain npm install of this project with the settings in .npmrc', async () => {
    cpSync(kept('.npmrc'), join(project, '.npmrc'));
    // An older npm does not know the setting. The commands of this project pass --ignore-scripts to it (install.test.ts).
    if (await knowsPolicy()) await expect(strangerRuns()).rejects.toThrow('stranger@1.0.0');
    else expect(await strangerRuns()).toBe(true);
  });

  it('are all denied in package.json', () => {
    const { allowScripts } = JSON.parse(readFileSync(kept('package.json'), 'utf8'));
    const denied = Object.fromEntries(Object.keys(DONE_WITHOUT).map(name => [name, false]));
    expect(allowScripts).toEqual(denied);
  });

  it('are listed in this file', () => {
    const lock: { packages: Readonly<Record<string, { hasInstallScript?: boolean }>> } = JSON.parse(
      readFileSync(kept('package-lock.json'), 'utf8'),
    );
    const found = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(new Set(found)).toEqual(new Set(Object.keys(DONE_WITHOUT)));
  });
});

describe('package.json', () => {
  it('has no scripts that npm would skip together with those of packages', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(kept('package.json'), 'utf8'),
    );
    const names = Object.keys(scripts);
    const around = names.filter(name =>
      ['pre', 'post'].some(when => name.startsWith(when) && names.includes(name.slice(when.length))),
    );
    expect(around).toEqual([]);
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/install|prepare|dependencies/)]),
    );
  });
});
