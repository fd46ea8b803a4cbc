import { exec } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

const URL_LINE = /listens on (\S+)/;

/** A data folder of its own, and the programs that were started with it. */
class Workspace implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'pagespace-main-'));
  readonly env: Record<string, string> = {
    PORT: '0',
    PAGESPACE_DATA_DIR: join(this.folder, 'data'),
    PAGESPACE_WARM_CONTEXTS: '0',
    // Root cannot have the sandbox. Without this the service warns.
    ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
  };
  readonly #started: RunningProgram[] = [];

  run(args: readonly string[], more: Record<string, string> = {}): RunningProgram {
    const running = runProgram(args, { ...this.env, ...more });
    this.#started.push(running);
    return running;
  }

  async serve(more: Record<string, string> = {}): Promise<RunningService> {
    const running = this.run(['serve'], more);
    const [, url = ''] = await running.waitForOutput(URL_LINE);
    await running.waitForOutput(/\n.*(curl|keys -- create).*\n$/);
    return { ...running, url };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, result } of this.#started) {
      child.kill('SIGKILL');
      await result;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type RunningService = RunningProgram & { readonly url: string };

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const keyIn = (out: string): string | undefined => out.split('\n').find(line => parseApiKey(line) !== null);

async function call(url: string, key: string, method: 'GET' | 'POST', path: string): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
}

/** The messages of a log. */
const messagesIn = (log: string): string[] =>
  log
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).msg);

describe('A running service', () => {
  /** One service for the tests of this block. Only the last one ends it. */
  const shared = new Workspace();
  let service: RunningService;
  /** The request for a page that responds when its test says so. */
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let site: ServedPages;
  beforeAll(async () => {
    site = await servePages({
      '/late': async (_, response) => {
        asked.resolve();
        await goOn.promise;
        response.end('<title>Late</title><p>Here after all.');
      },
    });
    service = await shared.serve({ PAGESPACE_EGRESS_ALLOW: new URL(site.url).host });
  });
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it('prints a key on a line of its own at the first start, and a curl command that works', async () => {
    expect(keyIn(service.out())).toBeDefined();
    const curl =
      service
        .out()
        .split('\n')
        .find(line => line.startsWith('curl ')) ?? '';
    const { stdout } = await promisify(exec)(`${curl} -s`);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'active', error: null });
  });

  it('has 32 threads for host names and files', async () => {
    const tasks = `/proc/${service.child.pid}/task`;
    const names = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim());
    expect(names.filter(name => name === 'libuv-worker')).toHaveLength(32);
  });

  it('keeps its data folder: a second service exits with the process id of the first', async () => {
    const { code, err } = await shared.run(['serve']).result;
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^pagespace: The data folder .* is in use by process ${service.child.pid}, .*\\n$`),
    );
  });

  it('keeps its port: a second service exits with one line before it starts a browser, and prints no key', async () => {
    const { port } = new URL(service.url);
    const { code, out, err } = await shared.run(['serve'], {
      PORT: port,
      PAGESPACE_DATA_DIR: join(workspace.folder, 'other'),
      CHROMIUM_PATH: '/bin/false',
    }).result;
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `pagespace: Port ${port} of 127.0.0.1 is in use. Set PORT to another port.\n`,
    });
  });

  it('accepts keys of `keys create`, and `keys list` and `keys revoke` show their state', async () => {
    const { out: made } = await shared.run(['keys', 'create', '--name', 'robot']).result;
    const key = made.trim();
    expect(parseApiKey(key)).not.toBeNull();
    expect((await call(service.url, key, 'GET', '/sessions')).status).toBe(200);

    const { out: listed } = await shared.run(['keys', 'list']).result;
    const row = listed.split('\n').find(line => line.endsWith('robot')) ?? '';
    expect(row).toMatch(/psk_\w{6}….*valid.*read,operate,admin/);
    expect(listed).not.toContain(key);

    const [id = ''] = row.split(' ');
    expect((await shared.run(['keys', 'revoke', id]).result).out).toMatch(/revoked/);
    expect((await shared.run(['keys', 'list']).result).out).toMatch(/revoked .*robot/);
  });

  it('does not hinder `demo`, which prints why an address is blocked and how to allow it', async () => {
    const { code, out, err } = await shared.run(['demo', 'http://127.0.0.1:1/']).result;
    expect(code).toBe(1);
    expect(out).toMatch(/\nstart .*\nobserve .*failed\nclose .*\n$/);
    expect(err).toBe(
      'pagespace: "http://127.0.0.1:1/" may not be opened, because 127.0.0.1 is a loopback address.\n' +
        'To allow it: PAGESPACE_EGRESS_ALLOW=127.0.0.1:1 npm run demo -- http://127.0.0.1:1/\n',
    );
  });

  it('completes the running request after SIGTERM, closes its sessions and exits with code 0', async () => {
    const observed = fetch(`${service.url}/env/observe`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keyIn(service.out())}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `${site.url}/late`, keep_alive: true }),
    });
    await asked.promise;
    service.child.kill('SIGTERM');
    service.child.kill('SIGTERM');
    await service.waitForLog(/"stopping"/);
    goOn.resolve();
    const answer = await observed;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ metadata: { page_title: 'Late' } });
    const { code, err } = await service.result;
    expect(code).toBe(0);
    expect(messagesIn(err).slice(-3)).toEqual(['stopping', 'request', 'stopped']);
  });
});

describe('A service that starts after its process was killed', () => {
  const shared = new Workspace();
  let service: RunningService;
  let key: string;
  let session: { readonly session_id: string };
  const start = async (url: string) => (await call(url, key, 'POST', '/session/start')).json();
  const upload = async (url: string, id: string) =>
    (await call(url, key, 'POST', `/session/${id}/uploads?name=a`)).status;
  beforeAll(async () => {
    // One small file has space.
    const settings = { PAGESPACE_ACCOUNT_FILE_BYTES: '5000' };
    const first = await shared.serve(settings);
    key = keyIn(first.out()) ?? '';
    session = await start(first.url);
    expect(await upload(first.url, session.session_id)).toBe(200);
    first.child.kill('SIGKILL');
    await first.result;
    service = await shared.serve(settings);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it('keeps the key and the sessions, marks the active ones as failed, counts their files, and prints no key', async () => {
    expect(keyIn(service.out())).toBeUndefined();
    expect(service.out()).toMatch(
      /Your first API key is in \S+key\.\nTo create an API key: npm run keys -- create\n/,
    );
    const kept = await (await call(service.url, key, 'GET', `/session/${session.session_id}`)).json();
    expect(kept).toMatchObject({ status: 'error', error: expect.stringContaining('restarted') });
    expect(await upload(service.url, (await start(service.url)).session_id)).toBe(429);
  });

  it('closes its sessions and exits with code 0 on SIGINT', async () => {
    await start(service.url);
    service.child.kill('SIGINT');
    service.child.kill('SIGINT');
    const { code, err } = await service.result;
    expect(code).toBe(0);
    const messages = messagesIn(err);
    expect(messages.slice(0, 2)).toEqual(['listening', expect.stringMatching(/^Outer sandbox: /)]);
    expect(new Set(messages.slice(2, -2))).toEqual(new Set(['request']));
    expect(messages.slice(-2)).toEqual(['stopping', 'stopped']);
  });
});

describe('serve', () => {
  it('prints all errors of the configuration together, without a stack', async () => {
    const faulty = { PORT: 'x', PAGESPACE_EGRESS_ALLOW: 'http://a', PAGESPACE_CAPACTY: '3' };
    const { code, err } = await workspace.run(['serve'], faulty).result;
    expect(code).toBe(1);
    expect(err.split('\n').slice(1, -1)).toEqual([
      '  PAGESPACE_CAPACTY is unknown. Did you mean PAGESPACE_CAPACITY?',
      expect.stringMatching(/^ {2}PAGESPACE_EGRESS_ALLOW "http:\/\/a": /),
      '  PORT must be a whole number from 0 to 65535, not "x"',
    ]);
  });

  it.each([
    [{ DATABASE_URL: 'postgres://u:secret@db/x' }, /DATABASE_URL is set without NATS_URL/],
    [{ NATS_URL: 'nats://bus:4222' }, /NATS_URL is set without DATABASE_URL/],
    [
      { CHROMIUM_PATH: '/nowhere/chromium' },
      /CHROMIUM_PATH is \/nowhere\/chromium, but there is no executable file at that path/,
    ],
  ])('exits with code 1 for %j', async (more, message) => {
    const { code, err } = await workspace.run(['serve'], more).result;
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/secret|\n\s+at /);
  });

  it('exits with a message for a damaged store, without a stack', async () => {
    const data = join(workspace.folder, 'damaged');
    await workspace.run(['keys', 'list'], { PAGESPACE_DATA_DIR: data }).result;
    writeFileSync(join(data, 'store.sqlite'), 'x'.repeat(10_000));
    const { code, err } = await workspace.run(['serve'], { PAGESPACE_DATA_DIR: data }).result;
    expect(code).toBe(1);
    expect(err).toMatch(
      /^pagespace: The store .* cannot be opened: file is not a database\. The file is damaged, or another program wrote it\. Restore it from a backup, or set PAGESPACE_DATA_DIR to another folder\.\n$/,
    );
  });
});

describe('keys', () => {
  it('create stores the scopes and the expiry', async () => {
    await workspace.run(['keys', 'create', '--scopes', 'read', '--expires-in-days', '30']).result;
    const { out } = await workspace.run(['keys', 'list']).result;
    expect(out).toMatch(/expires \d{4}-\d\d-\d\d {2}read {2}created on the command line\n$/);
  });

  it.each([
    [['keys', 'create', '--scopes', 'root'], 2, /The scopes are read, operate, admin/],
    [['keys', 'create', '--expires-in-days', '0'], 2, /must be a whole number above 0/],
    [['keys', 'revoke', 'unknown'], 1, /There is no key unknown/],
    [['nonsense'], 2, /unknown command/],
  ])('%j exits with code %d and the reason', async (args, exitCode, message) => {
    const { code, err } = await workspace.run(args).result;
    expect(code).toBe(exitCode);
    expect(err).toMatch(message);
  });
});
