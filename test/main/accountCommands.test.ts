import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { type ProgramResult, runProgram } from './runProgram.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'pagespace-accounts-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const run = (...args: string[]): Promise<ProgramResult> =>
  runProgram(args, { PAGESPACE_DATA_DIR: data }).result;

describe('pagespace accounts', () => {
  it('creates, credits once for each reference, and lists with balances', async () => {
    const id = (await run('accounts', 'create', 'Acme Ltd')).out.trim();
    expect((await run('accounts', 'list')).out).toMatch(new RegExp(`^${id}  free +balance 0 .*Acme Ltd\\n$`));
    const credit = ['accounts', 'credit', id, '--amount', '5000000', '--reference', 'invoice 1'];
    expect((await run(...credit)).out).toBe('5000000\n');
    const again = await run(...credit);
    expect(again.out).toBe('5000000\n');
    expect(again.err).toContain('before');
    expect((await run('accounts', 'list')).out).toMatch(/pay_as_you_go +balance 5000000/);
  });

  it('has keys for each account', async () => {
    const id = (await run('accounts', 'create', 'Acme Ltd')).out.trim();
    const key = (await run('keys', 'create', '--account', id, '--spend-cap', '1000')).out.trim();
    expect(parseApiKey(key)).not.toBeNull();
    expect((await run('keys', 'list', '--account', id)).out.split('\n')).toHaveLength(2);
    expect((await run('keys', 'list')).out).toBe('');
  });

  it.each([
    [['accounts', 'credit', 'nobody', '--amount', '1', '--reference', 'r'], 1, /There is no account nobody/],
    [['accounts', 'credit', 'nobody', '--amount', '0', '--reference', 'r'], 2, /above 0/],
    [['accounts', 'create', 'x', '--tier', 'gold'], 2, /local, free, pay_as_you_go/],
    [['keys', 'create', '--account', 'nobody'], 1, /There is no account nobody/],
  ])('%j exits with code %d and the reason', async (args, exitCode, message) => {
    const { code, err } = await run(...args);
    expect(code).toBe(exitCode);
    expect(err).toMatch(message);
  });
});

describe('pagespace ledger audit', () => {
  it('prints each rule, and exits with 0 if everything agrees and with 1 if not', async () => {
    const id = (await run('accounts', 'create', 'Acme Ltd')).out.trim();
    await run('accounts', 'credit', id, '--amount', '5', '--reference', 'r');
    const agrees = await run('ledger', 'audit');
    expect([agrees.code, agrees.out]).toEqual([
      0,
      expect.stringMatching(/^1 account, 0 sessions, 1 ledger row\n(ok .*\n)+$/),
    ]);
    const database = new DatabaseSync(join(data, 'store.sqlite'));
    database.exec('update accounts set balance_micros = 6');
    database.close();
    const broken = await run('ledger', 'audit', '--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out).findings).toEqual([
      { rule: 'balance of an account', accountId: id, subject: null, expected: '5', found: '6' },
    ]);
  });
});

describe('pagespace log audit', () => {
  it('prints the newest hash of each account, and finds one changed byte', async () => {
    const id = (await run('accounts', 'create', 'Acme Ltd')).out.trim();
    await run('keys', 'create', '--account', id);
    const intact = await run('log', 'audit');
    expect(intact).toMatchObject({ code: 0, out: expect.stringMatching(/[0-9a-f]{64}/) });
    const database = new DatabaseSync(join(data, 'store.sqlite'));
    database.exec("update audit_log set actor = 'operatos' where seq = 1");
    database.close();
    const changed = await run('log', 'audit', '--json');
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.out).broken).toMatchObject([{ accountId: id, seq: 1 }]);
  });
});
