import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const SETUP = fileURLToPath(new URL('../../src/setup/', import.meta.url));

/** Starting a process takes seconds on a busy machine. */
const PATIENT = { timeout: 60_000, interval: 20 };

/** A made-up clone: the real script with an npm, a build and a browser search that only record their calls. */
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

/** Writes built scripts that are newer than every source. */
function built(): void {
  for (const name of ['page/agent', 'page/prewarm', 'page/scrape', 'web/docs', 'web/dashboard/main'])
    write(`dist/${name}.js`, '');
}

const recordCall = (what: string) =>
  `require('node:fs').appendFileSync(${JSON.stringify(at('calls'))}, ${JSON.stringify(what)} + process.argv.slice(2).join(' ') + '\\n');`;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'pagespace-clone-'));
  mkdirSync(at('src/setup'), { recursive: true });
  for (const name of ['install.mjs', 'installLock.mjs']) cpSync(join(SETUP, name), at('src/setup', name));
  write('package.json', '{}');
  write('package-lock.json', JSON.stringify({ packages: PACKAGES }));
  write('src/browser/injected/a.ts', '');
  write('src/web/a.ts', '');
  write('src/setup/build.ts', recordCall('build '));
  write(
    'src/setup/ensureBrowser.ts',
    `${recordCall('browser ')} require('node:fs').mkdirSync(require('node:path').dirname(process.argv[2]), { recursive: true });`,
  );
  write(
    'src/setup/ensureEngines.ts',
    `${recordCall('engines ')} require('node:fs').writeFileSync(process.argv[2], 'installed');`,
  );
  write('npm.cjs', recordCall('npm '));
  write('chromium', '');
  chmodSync(at('chromium'), 0o755);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

async function install(mode: string, env: Record<string, string> = {}) {
  writeFileSync(at('calls'), '');
  const { code, output } = await startInstall(mode, env).ended;
  return { code, output, calls: recordedCalls() };
}

const recordedCalls = (): string[] => readFileSync(at('calls'), 'utf8').split('\n').slice(0, -1);

function startInstall(mode: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [at('src/setup/install.mjs'), mode], {
    env: { PATH: process.env.PATH ?? '', npm_execpath: at('npm.cjs'), CHROMIUM_PATH: at('chromium'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => {
      output += data;
    });
  return { output: () => output, ended: once(child, 'close').then(([code]) => ({ code, output })) };
}

const npmCalls = (calls: readonly string[]) =>
  calls.filter(call => call.startsWith('npm ')).map(call => call.split(' ')[1]);

describe('install.mjs', () => {
  it('prints and runs nothing when nothing is missing', async () => {
    installed(ALL);
    built();
    write('node_modules/.cache/pagespace/engines', 'installed');
    expect(await install('--test')).toMatchObject({ code: 0, output: '', calls: [] });
  });

  it('looks for the engines of a cluster once, and only for the tests', async () => {
    installed(ALL);
    built();
    write('node_modules/.cache/pagespace/lock', '');
    expect((await install('--serve')).calls).toEqual([]);
    expect((await install('--test')).calls).toEqual([
      `engines ${at('node_modules/.cache/pagespace/engines')}`,
    ]);
    expect((await install('--test')).calls).toEqual([]);
  });

  it('installs the locked packages in a fresh clone with npm ci', async () => {
    const { calls, output } = await install('--cli');
    expect(npmCalls(calls)[0]).toBe('ci');
    expect(output).toContain('installing the locked packages');
  });

  it.each([
    ['a version differs', { 'node_modules/plain': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['the bytes differ', { 'node_modules/plain': { version: '1.0.0', integrity: 'sha512-z' } }],
  ])('installs the packages again when %s', async (_, more) => {
    installed(ALL, more);
    expect(npmCalls((await install('--cli')).calls)[0]).toBe('ci');
  });

  it("adds this platform's optional packages that npm ci left out with a second npm call", async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    expect(npmCalls((await install('--cli')).calls)).toEqual(['ci', 'install']);
  });

  it('runs no install scripts of packages', async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    const { calls } = await install('--cli');
    expect(npmCalls(calls)).toEqual(['ci', 'install']);
    for (const call of calls) expect(call).toContain(' --ignore-scripts ');
  });

  it('does not retry packages that the registry does not have for this platform', async () => {
    installed(['node_modules/plain', 'node_modules/tool']);
    await install('--cli');
    expect((await install('--cli')).calls).toEqual([]);
  });

  it('links the pinned Node when npm did not', async () => {
    installed(ALL);
    const runtime = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
    write(runtime, '#!/bin/sh\necho v24.0.0\n');
    chmodSync(at(runtime), 0o755);
    mkdirSync(at('node_modules/.bin'));
    expect((await install('--cli')).code).toBe(0);
    expect(realpathSync(at('node_modules/.bin/node'))).toBe(realpathSync(at(runtime)));
  });

  it('requires development packages only with --test, and adds them without removing the others, which a running service uses', async () => {
    installed(['node_modules/plain', 'node_modules/this-os']);
    built();
    expect((await install('--serve')).calls).toEqual([]);
    expect((await install('--test')).calls[0]).toMatch(/^npm install --no-save --include=dev /);
  });

  it('installs no development packages without --test, but keeps those that a clone has', async () => {
    expect((await install('--serve')).calls[0]).toMatch(/^npm ci --omit=dev /);
    installed(['node_modules/tool']);
    expect((await install('--serve')).calls[0]).toMatch(/^npm ci --include=dev /);
  });

  it('exits with code 1 and names what to check when npm fails', async () => {
    write('npm.cjs', 'process.exit(1);');
    const { code, output } = await install('--cli');
    expect(code).toBe(1);
    expect(output).toContain('npm ci failed (see above). Check the network and the npm registry');
  });

  it('builds the scripts when a source is newer than them', async () => {
    installed(ALL);
    built();
    const later = new Date(Date.now() + 60_000);
    utimesSync(at('src/browser/injected/a.ts'), later, later);
    const { calls, output } = await install('--serve');
    expect(calls).toEqual(['build ']);
    expect(output).toBe('pagespace: building the scripts for the browser\n');
  });

  it('needs neither built scripts nor a browser with --cli', async () => {
    installed(ALL);
    expect((await install('--cli', { CHROMIUM_PATH: '' })).calls).toEqual([]);
  });

  it('searches for a browser only until one is found', async () => {
    installed(ALL);
    built();
    const { calls } = await install('--serve', { CHROMIUM_PATH: '' });
    expect(calls).toEqual([`browser ${at('node_modules/.cache/pagespace/browser')}`]);
    write('node_modules/.cache/pagespace/browser', at('chromium'));
    expect((await install('--serve', { CHROMIUM_PATH: '' })).calls).toEqual([]);
  });

  it('searches again when the browser that was found is gone', async () => {
    installed(ALL);
    built();
    write('node_modules/.cache/pagespace/browser', at('gone'));
    expect((await install('--serve', { CHROMIUM_PATH: '' })).calls).toHaveLength(1);
  });

  it('exits with code 1 when no browser can be installed', async () => {
    installed(ALL);
    built();
    write('src/setup/ensureBrowser.ts', 'process.exit(1);');
    expect((await install('--serve', { CHROMIUM_PATH: '' })).code).toBe(1);
  });
});

describe('install.mjs, started several times at once', () => {
  const WAITING = /waiting for another npm command .*\(process \d+\)/;
  const allInstalled = Object.fromEntries(ALL.map(name => [name, PACKAGES[name]]));

  /** An npm that waits for the file `go`, then writes what an install leaves. */
  const slowNpm = (packages: object): string => `
    const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
    const record = line => appendFileSync(${JSON.stringify(at('calls'))}, line + '\\n');
    record('begin');
    while (!existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    const packages = ${JSON.stringify(packages)};
    for (const name of ['node_modules', ...Object.keys(packages)]) mkdirSync(name, { recursive: true });
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
    record('end');`;

  beforeEach(() => write('calls', ''));

  it('installs and builds once in a fresh clone, and the other commands print that they wait', async () => {
    write('npm.cjs', slowNpm(allInstalled));
    const runs = [startInstall('--test'), startInstall('--cli'), startInstall('--cli')];
    await vi.waitFor(() => expect(runs.filter(run => WAITING.test(run.output()))).toHaveLength(2), PATIENT);
    write('go', '');
    const codes = await Promise.all(runs.map(async run => (await run.ended).code));
    expect(codes).toEqual([0, 0, 0]);
    const engines = `engines ${at('node_modules/.cache/pagespace/engines')}`;
    expect(recordedCalls()).toEqual(['begin', 'end', 'build ', engines]);
    expect(existsSync(at('.install-lock'))).toBe(false);
  });

  it('runs the second install after the first has failed, not beside it', async () => {
    write('npm.cjs', `${slowNpm({})}\nprocess.exit(1);`);
    const runs = [startInstall('--cli'), startInstall('--cli')];
    await vi.waitFor(() => expect(runs.some(run => WAITING.test(run.output()))).toBe(true), PATIENT);
    write('go', '');
    expect((await Promise.all(runs.map(run => run.ended))).map(({ code }) => code)).toEqual([1, 1]);
    expect(recordedCalls()).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('waits for a running setup even when nothing is missing', async () => {
    installed(ALL);
    write(`.install-lock/${process.pid}`, '');
    const run = startInstall('--cli');
    await vi.waitFor(() => expect(run.output()).toMatch(WAITING), PATIENT);
    rmSync(at('.install-lock', String(process.pid)));
    expect((await run.ended).code).toBe(0);
  });

  it('does not wait for a process that was killed', async () => {
    const killed = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' });
    await once(killed, 'close');
    installed(ALL);
    write(`.install-lock/${killed.pid}`, '');
    expect(await install('--cli')).toMatchObject({ code: 0, output: '' });
    expect(existsSync(at('.install-lock', String(killed.pid)))).toBe(false);
  });

  it('does not wait for a claim that is older than an hour: its process id may be in use again', async () => {
    installed(ALL);
    write(`.install-lock/${process.pid}`, '');
    const hourAgo = new Date(Date.now() - 3_600_001);
    utimesSync(at('.install-lock', String(process.pid)), hourAgo, hourAgo);
    expect(await install('--cli')).toMatchObject({ code: 0, output: '' });
  });
});
