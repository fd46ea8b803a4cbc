import { exec } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../src/service/accounts/apiKeyText.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

const URL_LINE = /listens on (\S+)/;

let folder: string;
let env: Record<string, string>;
let started: RunningProgram[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-main-'));
  env = { PORT: '0', PAGESPACE_DATA_DIR: join(folder, 'data'), PAGESPACE_WARM_CONTEXTS: '0' };
  // Root cannot have the sandbox; said so, the service does not warn of it.
  if (process.getuid?.() === 0) env.PAGESPACE_CHROMIUM_SANDBOX = 'off';
  started = [];
});
afterEach(async () => {
  for (const each of started) {
    each.child.kill('SIGKILL');
    await each.result;
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], more: Record<string, string> = {}): RunningProgram {
  const running = runProgram(args, { ...env, ...more });
  started.push(running);
  return running;
}

async function serve(): Promise<RunningProgram & { url: string }> {
  const running = run(['serve']);
  const [, url = ''] = await running.waitForOutput(URL_LINE);
  await running.waitForOutput(/\n.*(curl|keys -- create).*\n$/);
  return { ...running, url };
}

const keyIn = (out: string): string | undefined => out.split('\n').find(line => parseApiKey(line) !== null);

async function call(url: string, key: string, method: 'GET' | 'POST', path: string): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
}

describe('serve', () => {
  it('shows a key alone on a line at its first start, and a curl line that works when pasted', async () => {
    const service = await serve();
    expect(keyIn(service.out())).toBeDefined();
    const curl =
      service
        .out()
        .split('\n')
        .find(line => line.startsWith('curl ')) ?? '';
    const { stdout } = await promisify(exec)(`${curl} -s`);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'active', error: null });
  });

  it('keeps the key and the sessions, does not show the key again, and ends what a killed process left', async () => {
    const first = await serve();
    const key = keyIn(first.out()) ?? '';
    const session = await (await call(first.url, key, 'POST', '/session/start')).json();
    first.child.kill('SIGKILL');
    await first.result;

    const again = await serve();
    expect(keyIn(again.out())).toBeUndefined();
    expect(again.out()).toContain('To create an API key: npm run keys -- create');
    const kept = await (await call(again.url, key, 'GET', `/session/${session.session_id}`)).json();
    expect(kept).toMatchObject({ status: 'error', error: expect.stringContaining('restarted') });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('closes its sessions and ends with code 0 on %s', async signal => {
    const service = await serve();
    const key = keyIn(service.out()) ?? '';
    await call(service.url, key, 'POST', '/session/start');
    service.child.kill(signal);
    service.child.kill(signal);
    const { code, err } = await service.result;
    expect(code).toBe(0);
    expect(
      err
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).msg),
    ).toEqual(['listening', 'request', 'stopping', 'stopped']);
  });

  it('answers the request that is under way when it is told to stop', async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const site = createServer(async (_, response) => {
      asked.resolve();
      await goOn.promise;
      response.end('<title>Late</title><p>Here after all.');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    // Sound: a listening TCP server has an AddressInfo.
    const { port } = site.address() as AddressInfo;
    env.PAGESPACE_EGRESS_ALLOW = `127.0.0.1:${port}`;
    const service = await serve();
    const observed = fetch(`${service.url}/env/observe`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keyIn(service.out())}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, keep_alive: true }),
    });
    await asked.promise;
    service.child.kill('SIGTERM');
    await service.waitForLog(/"stopping"/);
    goOn.resolve();
    const answer = await observed;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ metadata: { page_title: 'Late' } });
    expect((await service.result).code).toBe(0);
    site.close();
  });

  it('looks names up in more threads than one session can keep busy, however it was started', async () => {
    const { child } = await serve();
    const tasks = `/proc/${child.pid}/task`;
    const names = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim());
    expect(names.filter(name => name === 'libuv-worker')).toHaveLength(32);
  });

  it('refuses a data folder that another service holds, naming its process', async () => {
    const service = await serve();
    const { code, err } = await run(['serve']).result;
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^pagespace: The data folder .* is in use by process ${service.child.pid}, .*\\n$`),
    );
  });

  it('says in one line that its port is taken, and shows no key that nobody could use', async () => {
    const service = await serve();
    const { port } = new URL(service.url);
    const { code, out, err } = await run(['serve'], { PORT: port, PAGESPACE_DATA_DIR: join(folder, 'other') })
      .result;
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `pagespace: Port ${port} of 127.0.0.1 is in use. Set PORT to another port.\n`,
    });
  });

  it('tells every fault of its configuration at once, without a stack', async () => {
    const faulty = { PORT: 'x', PAGESPACE_EGRESS_ALLOW: 'http://a', PAGESPACE_CAPACTY: '3' };
    const { code, err } = await run(['serve'], faulty).result;
    expect(code).toBe(1);
    expect(err.split('\n').slice(1, -1)).toEqual([
      '  PAGESPACE_CAPACTY is unknown. Did you mean PAGESPACE_CAPACITY?',
      expect.stringMatching(/^ {2}PAGESPACE_EGRESS_ALLOW "http:\/\/a": /),
      '  PORT must be a whole number from 0 to 65535, not "x"',
    ]);
  });

  it.each([
    [{ DATABASE_URL: 'postgres://u:secret@db/x' }, /DATABASE_URL is set, but this version/],
    [{ NATS_URL: 'nats://bus:4222' }, /NATS_URL is set, but this version/],
    [
      { CHROMIUM_PATH: '/nowhere/chromium' },
      /CHROMIUM_PATH is \/nowhere\/chromium, but there is no executable file at that path/,
    ],
  ])('refuses to start with %j', async (more, message) => {
    const { code, err } = await run(['serve'], more).result;
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/secret|\n\s+at /);
  });

  it('refuses a damaged store with a message, not a stack', async () => {
    const data = join(folder, 'damaged');
    await run(['keys', 'list'], { PAGESPACE_DATA_DIR: data }).result;
    writeFileSync(join(data, 'store.sqlite'), 'x'.repeat(10_000));
    const { code, err } = await run(['serve'], { PAGESPACE_DATA_DIR: data }).result;
    expect(code).toBe(1);
    expect(err).toMatch(/^pagespace: The store .* cannot be opened: file is not a database\n$/);
  });
});

describe('keys', () => {
  it('are made beside a running service, listed, used and revoked', async () => {
    const service = await serve();
    const { out: made } = await run(['keys', 'create', '--name', 'robot']).result;
    const key = made.trim();
    expect(parseApiKey(key)).not.toBeNull();
    expect((await call(service.url, key, 'GET', '/sessions')).status).toBe(200);

    const { out: listed } = await run(['keys', 'list']).result;
    const row = listed.split('\n').find(line => line.endsWith('robot')) ?? '';
    expect(row).toMatch(/psk_\w{6}….*valid.*read,operate,admin/);
    expect(listed).not.toContain(key);

    const [id = ''] = row.split(' ');
    expect((await run(['keys', 'revoke', id]).result).out).toMatch(/revoked/);
    expect((await run(['keys', 'list']).result).out).toMatch(/revoked .*robot/);
  });

  it('carry the scopes and the end that were asked for', async () => {
    await run(['keys', 'create', '--scopes', 'read', '--expires-in-days', '30']).result;
    const { out } = await run(['keys', 'list']).result;
    expect(out).toMatch(/expires \d{4}-\d\d-\d\d {2}read {2}created on the command line\n$/);
  });

  it.each([
    [['keys', 'create', '--scopes', 'root'], /The scopes are read, operate, admin/],
    [['keys', 'create', '--expires-in-days', '0'], /must be a whole number above 0/],
    [['keys', 'revoke', 'unknown'], /There is no key unknown/],
    [['nonsense'], /unknown command/],
  ])('%j is refused with what is wrong', async (args, message) => {
    const { code, err } = await run(args).result;
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});

describe('demo', () => {
  it('tells the whole flow on a page of its own', async () => {
    const { code, out, err } = await run(['demo']).result;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const parts = out.match(/^(start|observe|step|scrape|close)(?= )/gm);
    expect(parts).toEqual(['start', 'observe', 'step', 'scrape', 'close']);
  });

  it('runs beside a service that holds the data folder, and says why a page may not be opened and how it could be', async () => {
    await serve();
    const { code, out, err } = await run(['demo', 'http://127.0.0.1:1/']).result;
    expect(code).toBe(1);
    expect(out).toMatch(/\nstart .*\nobserve .*failed\nclose .*\n$/);
    expect(err).toBe(
      'pagespace: http://127.0.0.1:1/ may not be opened, because 127.0.0.1 is a loopback address.\n' +
        'To allow it: PAGESPACE_EGRESS_ALLOW=127.0.0.1:1 npm run demo -- http://127.0.0.1:1/\n',
    );
  });
});
