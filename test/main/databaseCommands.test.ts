import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { postgresMissing } from '../support/findPostgres.ts';
import { createTestDatabase } from '../support/startPostgres.ts';
import { type ProgramResult, runProgram } from './runProgram.ts';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'pagespace-commands-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

const runOn = (url: string, ...args: string[]): Promise<ProgramResult> =>
  runProgram(args, { DATABASE_URL: url, NATS_URL: 'nats://127.0.0.1:1', PAGESPACE_DATA_DIR: data }).result;

it('migrate brings the embedded store up to date', async () => {
  const { code, out } = await runProgram(['migrate'], { PAGESPACE_DATA_DIR: data }).result;
  expect([code, out]).toEqual([0, 'The schema of the store is up to date.\n']);
});

describe.skipIf(postgresMissing !== null)(
  `commands on PostgreSQL ${postgresMissing ?? ''}`,
  { concurrent: true },
  () => {
    it('migrate, accounts, keys and the audit work like on the embedded store', async () => {
      const { url } = await createTestDatabase();
      const run = (...args: string[]) => runOn(url, ...args);
      // Together, as nodes start.
      const migrated = await Promise.all([run('migrate'), run('migrate'), run('keys', 'create')]);
      expect(migrated.map(({ code, err }) => [code, code === 0 ? '' : err])).toEqual(Array(3).fill([0, '']));
      const id = (await run('accounts', 'create', 'Acme Ltd')).out.trim();
      const credit = ['accounts', 'credit', id, '--amount', '5000000', '--reference', 'invoice 1'];
      expect((await Promise.all([run(...credit), run(...credit)])).map(({ out }) => out)).toEqual([
        '5000000\n',
        '5000000\n',
      ]);
      const [key, accounts] = await Promise.all([
        run('keys', 'create', '--account', id),
        run('accounts', 'list'),
      ]);
      expect(parseApiKey(key.out.trim())).not.toBeNull();
      expect(accounts.out).toMatch(new RegExp(`${id}  pay_as_you_go +balance 5000000 .*Acme Ltd\n`));
      const audit = await run('ledger', 'audit');
      expect([audit.code, audit.out]).toEqual([
        0,
        expect.stringMatching(/^2 accounts.*1 ledger row\n(ok .*\n)+$/),
      ]);
    });

    it('an unusable database stops a command with one line that says which and why, without the password', async () => {
      const { port } = await createTestDatabase();
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const listening = silent.address();
      const silentPort = typeof listening === 'object' ? listening?.port : 0;
      const cases: readonly (readonly [string, RegExp])[] = [
        [
          '127.0.0.1:1/x',
          /127\.0\.0\.1:1\/x \(PostgreSQL\) cannot be used: connect ECONNREFUSED.*\. No PostgreSQL answers.* Start it, or correct DATABASE_URL\./,
        ],
        [
          `127.0.0.1:${port}/missing`,
          /missing \(PostgreSQL\) cannot be used: database "missing" does not exist\. Create the database, or correct DATABASE_URL\./,
        ],
        [`127.0.0.1:${silentPort}/x`, /\/x \(PostgreSQL\) cannot be used: .*no answer within 5 s/],
        [
          'nowhere.invalid/x',
          /nowhere\.invalid\/x \(PostgreSQL\) cannot be used: getaddrinfo .*\. The host name is not known here\. Check the DNS/,
        ],
      ];
      const address = (where: string) => `postgres://test:hunter2@${where}`;
      const errors = await Promise.all(
        cases.map(([where]) =>
          openPostgresStore(address(where)).then(String, (error: Error) => error.message),
        ),
      );
      silent.close();
      errors.forEach((message, i) => {
        expect(message).toMatch(cases[i]?.[1] ?? /never/);
        expect(message).not.toMatch(/hunter2|\n/);
      });
      const { code, out, err } = await runOn(address('127.0.0.1:1/x'), 'accounts', 'list');
      expect({ code, out, err }).toEqual({ code: 1, out: '', err: `pagespace: ${errors[0]}\n` });
    });
  },
);
