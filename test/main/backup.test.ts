import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagespace-backup-'));
const env = (data: string): Record<string, string> => ({
  PORT: '0',
  PAGESPACE_DATA_DIR: join(folder, data),
  PAGESPACE_WARM_CONTEXTS: '0',
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
  rmSync(folder, { recursive: true, force: true });
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
    await (
      await new PagespaceClient({ url, key }).start({ profile: { name: 'shop', mode: 'WRITE' } })
    ).close();
    sessionId = session.id;
    const { code, out } = await runProgram(['backup', join(folder, 'copy')], env('first')).result;
    expect({ code, out }).toEqual({ code: 0, out: `${join(folder, 'copy')}\n` });
    // The machine is lost.
    program.child.kill('SIGKILL');
    await program.result;
    rmSync(join(folder, 'first'), { recursive: true });
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
