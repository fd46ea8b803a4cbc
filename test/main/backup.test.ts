import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { servePages } from '../support/servePages.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagespace-backup-'));
const env = (data: string): Record<string, string> => ({
  PORT: '0',
  PAGESPACE_DATA_DIR: join(folder, data),
  PAGESPACE_WARM_CONTEXTS: '0',
  PAGESPACE_EGRESS_ALLOW: new URL(site.url).host,
  ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
});
const started: RunningProgram[] = [];

async function serve(data: string) {
  const program = runProgram(['serve'], env(data));
  started.push(program);
  const [, url = ''] = await program.waitForOutput(/listens on (\S+)[\s\S]*\n.*(?:curl|keys -- create)/);
  return { program, url };
}

afterAll(async () => {
  for (const { child, result } of started) {
    child.kill('SIGKILL');
    await result;
  }
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A site whose page says whether its visitor is signed in. */
const site = await servePages({
  '/login': (_, response) =>
    response.writeHead(200, { 'set-cookie': 'visit=cookie-of-ann-4711; HttpOnly' }).end('<title>In</title>'),
  '/account': ({ headers }, response) =>
    response.end(`<title>${headers.cookie === 'visit=cookie-of-ann-4711' ? 'Ann' : 'Nobody'}</title>`),
});

describe('backup', () => {
  let key: string;
  let sessionId: string;
  beforeAll(async () => {
    const { program, url } = await serve('first');
    key = /^psk_\w+$/m.exec(program.out())?.[0] ?? '';
    const session = await new PagespaceClient({ url, key }).start();
    await session.upload('note.txt', 'kept');
    await session.observe('about:blank');
    const writer = await new PagespaceClient({ url, key }).start({
      profile: { name: 'shop', mode: 'WRITE' },
    });
    await writer.observe(`${site.url}/login`);
    // The session goes on: what a killed service leaves is what is stored now.
    await vi.waitFor(async () => {
      const query = '{ profiles { name origins } }';
      const profiles = [{ name: 'shop', origins: ['127.0.0.1'] }];
      expect(await new PagespaceClient({ url, key }).query(query)).toEqual({ profiles });
    }, 30_000);
    sessionId = session.id;
    const { code, out } = await runProgram(['backup', join(folder, 'copy')], env('first')).result;
    expect({ code, out }).toEqual({ code: 0, out: `${join(folder, 'copy')}\n` });
    // The machine is lost.
    program.child.kill('SIGKILL');
    await program.result;
  });

  it('copies a running service to a folder that only its owner can read', () => {
    expect(statSync(join(folder, 'copy')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'copy', 'store.sqlite')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter(name => name.includes('partial'))).toEqual([]);
  });

  it('is restored by a service that uses the copy as its data folder: keys, sessions, files, records and profiles are there', async () => {
    const { url } = await serve('copy');
    const client = new PagespaceClient({ url, key });
    const session = client.session(sessionId);
    expect((await session.info()).status).toBe('ERROR');
    expect((await session.uploads()).map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: 'note.txt', bytes: 4 },
    ]);
    const past = await client.query<{ session: { observation: { id: string } } }>(
      `{ session(id: "${sessionId}") { observation(id: "O1") { id } } }`,
    );
    expect(past.session.observation.id).toContain('O1');
    await (await client.start({ profile: { name: 'shop' } })).close();
    const { code } = await runProgram(['ledger', 'audit'], env('copy')).result;
    expect(code).toBe(0);
  });

  it('is not needed after a kill: the login of a profile is there, also with a new key, and no file has its cookie', async () => {
    const busy = await runProgram(['secrets', 'rotate'], env('copy')).result;
    expect(busy, 'while a service runs').toMatchObject({
      code: 1,
      err: expect.stringContaining('is in use'),
    });
    const before = readFileSync(join(folder, 'first', 'secrets-key'), 'utf8');
    const rotated = await runProgram(['secrets', 'rotate'], env('first')).result;
    expect(rotated).toMatchObject({ code: 0, out: '1 encrypted content with the new key\n' });
    const after = readFileSync(join(folder, 'first', 'secrets-key'), 'utf8');
    expect(after).toHaveLength(before.length);
    expect(after).not.toBe(before);
    const { url } = await serve('first');
    const session = await new PagespaceClient({ url, key }).start({
      profile: { name: 'shop', mode: 'WRITE' },
    });
    expect((await session.observe(`${site.url}/account`)).metadata.title).toBe('Ann');
    await session.close();
    for (const entry of readdirSync(join(folder, 'first'), { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name)).includes('cookie-of-ann'), entry.name).toBe(
          false,
        );
  });

  it('refuses a folder that exists, a data folder without a store, and a cluster', async () => {
    const taken = await runProgram(['backup', folder], env('copy')).result;
    expect(taken).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists. Name a folder that does not.'),
    });
    const empty = await runProgram(['backup'], env('empty')).result;
    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('has no store yet') });
    const cluster = { ...env('copy'), DATABASE_URL: 'postgres://db/x', NATS_URL: 'nats://bus' };
    expect((await runProgram(['backup'], cluster).result).err).toContain('pg_dump');
  });
});

describe('keys list and accounts list', () => {
  it('print JSON with --json', async () => {
    const created = (await runProgram(['keys', 'create', '--name', 'robot'], env('lists')).result).out.trim();
    const keys = await runProgram(['keys', 'list', '--json'], env('lists')).result;
    expect(JSON.parse(keys.out)).toMatchObject([{ name: 'robot', state: 'valid', lastUsedAt: null }]);
    expect(keys.out).not.toContain(created);
    const accounts = await runProgram(['accounts', 'list', '--json'], env('lists')).result;
    expect(JSON.parse(accounts.out)).toMatchObject([{ name: 'local', tier: 'local', balanceMicros: 0 }]);
  });
});
