import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const INSTALL = fileURLToPath(new URL('../../src/setup/install.mjs', import.meta.url));

/** A made-up clone: the real script, and an npm, a build and a look for browsers that only write down that they were called. */
let clone: string;
const at = (...parts: string[]) => join(clone, ...parts);

const PACKAGES = {
  '': { name: 'made-up' },
  'node_modules/plain': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/tool': { version: '2.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/other-os': { version: '3.0.0', integrity: 'sha512-c', os: ['aix'], optional: true },
  'node_modules/this-os': { version: '4.0.0', integrity: 'sha512-d', os: [process.platform], optional: true },
} as const;
type Name = keyof typeof PACKAGES;
const ALL: readonly Name[] = ['node_modules/plain', 'node_modules/tool', 'node_modules/this-os'];

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function installed(names: readonly Name[], more: Record<string, object> = {}): void {
  for (const name of names) mkdirSync(at(name), { recursive: true });
  const packages = { ...Object.fromEntries(names.map(name => [name, PACKAGES[name]])), ...more };
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));
}

/** Writes dist newer than every source. */
function built(): void {
  for (const name of ['page/perceive', 'page/scrape', 'web/home']) write(`dist/${name}.js`, '');
}

const note = (what: string) =>
  `require('node:fs').appendFileSync(${JSON.stringify(at('calls'))}, ${JSON.stringify(what)} + process.argv.slice(2).join(' ') + '\\n');`;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'pagespace-clone-'));
  mkdirSync(at('src/setup'), { recursive: true });
  cpSync(INSTALL, at('src/setup/install.mjs'));
  write('package.json', '{}');
  write('package-lock.json', JSON.stringify({ packages: PACKAGES }));
  write('src/browser/a.ts', '');
  write('src/domain/a.ts', '');
  write('src/web/a.ts', '');
  write('src/setup/build.ts', note('build '));
  write(
    'src/setup/browser.ts',
    `${note('browser ')} require('node:fs').mkdirSync(require('node:path').dirname(process.argv[2]), { recursive: true });`,
  );
  write('npm.cjs', note('npm '));
  write('chromium', '');
  chmodSync(at('chromium'), 0o755);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

async function install(mode: string, env: Record<string, string> = {}) {
  writeFileSync(at('calls'), '');
  const begin = performance.now();
  const child = spawn(process.execPath, [at('src/setup/install.mjs'), mode], {
    env: { PATH: process.env.PATH ?? '', npm_execpath: at('npm.cjs'), CHROMIUM_PATH: at('chromium'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => {
      said += data;
    });
  const [code] = await once(child, 'close');
  const calls = readFileSync(at('calls'), 'utf8').split('\n').slice(0, -1);
  return { code, said, calls, ms: performance.now() - begin };
}

const npmCalls = (calls: readonly string[]) =>
  calls.filter(call => call.startsWith('npm ')).map(call => call.split(' ')[1]);

describe('setting up a clone', () => {
  it('says and does nothing when there is nothing to do', async () => {
    installed(ALL);
    built();
    expect(await install('--test')).toMatchObject({ code: 0, said: '', calls: [] });
  });

  it('installs the packages of a fresh clone, by the locked versions', async () => {
    const { calls, said } = await install('--cli');
    expect(npmCalls(calls)[0]).toBe('ci');
    expect(said).toContain('installing the locked packages');
  });

  it.each([
    ['a version differs', { 'node_modules/plain': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['the bytes differ', { 'node_modules/plain': { version: '1.0.0', integrity: 'sha512-z' } }],
  ])('installs them again when %s', async (_, more) => {
    installed(ALL, more);
    expect(npmCalls((await install('--cli')).calls)[0]).toBe('ci');
  });

  it("brings this platform's optional packages that npm left out, by a second call", async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    expect(npmCalls((await install('--cli')).calls)).toEqual(['ci', 'install']);
  });

  it('runs no script of a package at an install', async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    const { calls } = await install('--cli');
    expect(npmCalls(calls)).toEqual(['ci', 'install']);
    for (const call of calls) expect(call).toContain(' --ignore-scripts ');
  });

  it('does not try for ever what the registry does not have for this platform', async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    await install('--cli');
    expect((await install('--cli')).calls).toEqual([]);
  });

  it('links the pinned Node where npm has left that out', async () => {
    installed(ALL);
    const runtime = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
    write(runtime, '#!/bin/sh\necho v24.0.0\n');
    chmodSync(at(runtime), 0o755);
    mkdirSync(at('node_modules/.bin'));
    expect((await install('--cli')).code).toBe(0);
    expect(realpathSync(at('node_modules/.bin/node'))).toBe(realpathSync(at(runtime)));
  });

  it('asks for development packages only where tests are run', async () => {
    installed(['node_modules/plain', 'node_modules/this-os']);
    built();
    expect((await install('--serve')).calls).toEqual([]);
    expect((await install('--test')).calls[0]).toMatch(/^npm ci --include=dev /);
  });

  it('stops with what to check when npm fails', async () => {
    write('npm.cjs', 'process.exit(1);');
    const { code, said } = await install('--cli');
    expect(code).toBe(1);
    expect(said).toContain('npm ci failed (see above). Check the network and the npm registry');
  });

  it('builds what runs in pages when a source is newer than it', async () => {
    installed(ALL);
    built();
    const later = new Date(Date.now() + 60_000);
    utimesSync(at('src/browser/a.ts'), later, later);
    const { calls, said } = await install('--serve');
    expect(calls).toEqual(['build ']);
    expect(said).toBe('pagespace: building the in-page scripts\n');
  });

  it('needs neither build nor browser to make keys', async () => {
    installed(ALL);
    expect((await install('--cli', { CHROMIUM_PATH: '' })).calls).toEqual([]);
  });

  it('looks for a browser where none was noted, and not again once it is', async () => {
    installed(ALL);
    built();
    const { calls } = await install('--serve', { CHROMIUM_PATH: '' });
    expect(calls).toEqual([`browser ${at('node_modules/.cache/pagespace/browser')}`]);
    write('node_modules/.cache/pagespace/browser', at('chromium'));
    expect((await install('--serve', { CHROMIUM_PATH: '' })).calls).toEqual([]);
  });

  it('looks again when the browser that was noted is gone', async () => {
    installed(ALL);
    built();
    write('node_modules/.cache/pagespace/browser', at('gone'));
    expect((await install('--serve', { CHROMIUM_PATH: '' })).calls).toHaveLength(1);
  });

  it('ends with an error when no browser can be had', async () => {
    installed(ALL);
    built();
    write('src/setup/browser.ts', 'process.exit(1);');
    expect((await install('--serve', { CHROMIUM_PATH: '' })).code).toBe(1);
  });
});
