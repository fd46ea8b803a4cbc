import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOuterSandbox } from '../../../src/browser/sandbox/outerSandbox.ts';
import { prepareLaunch, type SandboxedLaunch } from '../../../src/browser/sandbox/sandboxedLaunch.ts';
import { testChromium } from '../../support/testChromium.ts';

const run = promisify(execFile);
const cgroupLimits = { memoryBytes: null, threads: 1_000 };
const { sandbox, summary } = await startOuterSandbox({
  setting: 'auto',
  executablePath: testChromium(),
  cgroupLimits,
});
const layers = sandbox?.layers ?? new Set();

/** Node in the place of the browser: it can try what a page that has escaped could try. */
let launch: SandboxedLaunch;
let service: ReturnType<typeof createServer>;
let servicePort: number;

/** Runs a script in the sandbox. @returns what it prints */
async function inSandbox(script: string): Promise<string> {
  const env = { ...process.env, PAGESPACE_TEST_SECRET: 'a secret' };
  const { stdout } = await run(launch.executablePath, ['-e', script], { env, timeout: 20_000 });
  return stdout.trim();
}

const connectTo = (host: string, port: number): string =>
  `require('node:net').connect(${port}, '${host}').on('connect', () => { console.log('connected'); process.exit(); }).on('error', e => console.log(e.code))`;

// A system without bubblewrap or without user namespaces has no outer sandbox: the line in the title says what is missing.
describe.skipIf(sandbox === null)(`A program in the outer sandbox (${summary})`, () => {
  beforeAll(async () => {
    launch = await prepareLaunch({ executablePath: process.execPath, layers, cgroups: null, cgroupLimits });
    service = createServer((_request, response) => response.end('the service')).listen(0, '0.0.0.0');
    await new Promise(resolve => service.once('listening', resolve));
    servicePort = (service.address() as AddressInfo).port;
  });
  afterAll(async () => {
    service.close();
    await launch.close();
  });

  test.runIf(layers.has('network'))('reaches no port of the loopback of the machine', async () => {
    expect(await inSandbox(connectTo('127.0.0.1', servicePort))).toBe('ECONNREFUSED');
  });

  test.runIf(layers.has('network'))('reaches no address of the machine and of its networks', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap(list => list ?? []);
    for (const { address, internal, family } of addresses)
      if (!internal && family === 'IPv4')
        expect(await inSandbox(connectTo(address, servicePort))).toBe('ENETUNREACH');
    expect(await inSandbox(connectTo('192.0.2.1', 80))).toBe('ENETUNREACH');
  });

  test.runIf(layers.has('network'))('sends no datagrams', async () => {
    const send = `require('node:dgram').createSocket('udp4').send('x', 53, '192.0.2.1', e => { console.log(e?.code); process.exit(); })`;
    expect(await inSandbox(send)).toBe('ENETUNREACH');
  });

  test.runIf(layers.has('network'))('reaches an HTTP server that listens in its namespace', async () => {
    const proxy = createServer((_request, response) => response.end('a session proxy'));
    const address = await launch.listener?.listen(proxy);
    expect(await inSandbox(`fetch('${address?.url}').then(r => r.text()).then(console.log)`)).toBe(
      'a session proxy',
    );
    expect(address?.port).toBeNull();
    proxy.close();
  });

  test.runIf(layers.has('network'))(
    'reaches no address of its namespace at which no server listens',
    async () => {
      expect(
        await inSandbox(`fetch('http://127.200.0.1:3128').catch(e => console.log(e.cause.code))`),
      ).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    },
  );

  test('does not see the folders of the service and of its user', async () => {
    const paths = [process.cwd(), homedir(), '/etc/shadow', '/var/lib'].filter(existsSync);
    const seen = await inSandbox(
      `console.log(${JSON.stringify(paths)}.filter(require('node:fs').existsSync))`,
    );
    const ownFolder = process.execPath.startsWith(process.cwd()) ? process.cwd() : null;
    // The program itself is in the checkout here: only the folders above it exist, and they are empty.
    expect(JSON.parse(seen.replaceAll("'", '"'))).toEqual(ownFolder === null ? [] : [ownFolder]);
    const source = `${process.cwd()}/package.json`;
    expect(await inSandbox(`console.log(require('node:fs').existsSync('${source}'))`)).toBe('false');
  });

  test('writes only to its own folder', async () => {
    const write = (path: string) =>
      inSandbox(
        `try { require('node:fs').writeFileSync('${path}', ''); console.log('written') } catch (e) { console.log(e.code) }`,
      );
    expect(await write('/usr/x')).toBe('EROFS');
    expect(await write(`${launch.folder}/x`)).toBe('written');
    expect(existsSync(`${launch.folder}/x`)).toBe(true);
  });

  test('does not inherit the environment of the service', async () => {
    expect(await inSandbox('console.log(process.env.PAGESPACE_TEST_SECRET)')).toBe('undefined');
  });

  test.runIf(layers.has('seccomp'))('runs under a system call filter, without new privileges', async () => {
    const status = await inSandbox(
      `console.log(require('node:fs').readFileSync('/proc/self/status', 'utf8'))`,
    );
    expect(status).toMatch(/^Seccomp:\t2$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
  });

  test.runIf(layers.has('user'))('runs as a user that owns nothing else', async () => {
    expect(await inSandbox('console.log(process.getuid())')).toBe(String(launch.userId));
    expect(launch.userId).toBeGreaterThan(65_535);
  });

  test('leaves no folder behind', async () => {
    const other = await prepareLaunch({
      executablePath: process.execPath,
      layers,
      cgroups: null,
      cgroupLimits,
    });
    await other.close();
    expect(existsSync(other.folder)).toBe(false);
  });
});

describe('startOuterSandbox', () => {
  test('prepares nothing when it is off', async () => {
    const report = await startOuterSandbox({ setting: 'off', executablePath: testChromium(), cgroupLimits });
    expect(report).toEqual({ sandbox: null, summary: 'Outer sandbox: off by configuration.' });
  });

  test('says why a layer does not work', async () => {
    const report = await startOuterSandbox({
      setting: 'auto',
      executablePath: '/no/such/browser',
      cgroupLimits,
    });
    expect(report.sandbox).toBeNull();
    expect(report.summary).toMatch(/^Outer sandbox: none; not filesystem \(.+\)/);
  });

  test('refuses to start when it is on and a required layer does not work', async () => {
    const start = startOuterSandbox({ setting: 'on', executablePath: '/no/such/browser', cgroupLimits });
    await expect(start).rejects.toThrow('PAGESPACE_OUTER_SANDBOX is on, but this system does not allow it.');
  });
});
