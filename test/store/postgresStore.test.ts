import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { postgresAdvice, StoreError } from '../../src/store/store.ts';
import { describeAuditContract } from '../contracts/auditContract.ts';
import { openSharedStore, type SharedStore } from '../contracts/postgresContractStore.ts';
import { describeStoreContract } from '../contracts/storeContract.ts';
import { alice, bob, session } from '../contracts/storeSamples.ts';
import { certificate, certificateWithRevocationUrls } from '../support/certificate.ts';
import { postgresMissing } from '../support/findPostgres.ts';

describe.skipIf(postgresMissing !== null)(`PostgreSQL ${postgresMissing ?? ''}`, () => {
  let shared: SharedStore;
  beforeAll(async () => {
    shared = await openSharedStore();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  describeStoreContract('PostgreSQL', async () => {
    await shared.empty();
    return { ...shared.store, close: async () => {} };
  });

  it('compares every text by its bytes, as SQLite does', async () => {
    const { rows } = await shared.outside.query(
      `select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
          and table_name not like 'kysely_%'`,
    );
    expect(rows).toEqual([]);
  });

  describe('over TLS', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pagespace-tls-'));
      await writeFile(join(folder, 'ca.pem'), certificate.cert);
      await writeFile(join(folder, 'other.pem'), certificateWithRevocationUrls.cert);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** Opens the store; returns whether its connections are encrypted, or the message of the error. */
    async function attempt(parameters: string): Promise<string> {
      const url = new URL(shared.url);
      url.search = parameters.replace('FOLDER', folder);
      try {
        const store = await openPostgresStore(url.href);
        await store.accounts.allAccounts();
        const { rows } = await shared.outside.query(
          `select count(*)::int as count from pg_stat_ssl join pg_stat_activity using (pid)
            where ssl and application_name = 'pagespace' and datname = current_database()`,
        );
        await store.close();
        return rows[0].count > 0 ? 'encrypted' : 'plain';
      } catch (error) {
        return error instanceof StoreError ? error.message : String(error);
      }
    }

    it('trusts the authority that the URL names, and no other', async () => {
      expect(await attempt('?sslmode=verify-full&sslrootcert=FOLDER/ca.pem')).toBe('encrypted');
      const untrusted =
        /^The database 127\.0\.0\.1:\d+\/\w+ \(PostgreSQL\) cannot be used: .*certificate\. The certificate of the server is not trusted\. Name its authority in DATABASE_URL: .*sslrootcert/;
      expect(await attempt('?sslmode=verify-full')).toMatch(untrusted);
      expect(await attempt('?sslmode=verify-full&sslrootcert=FOLDER/other.pem')).toMatch(untrusted);
    });

    it('encrypts and trusts every server with no-verify, and does not encrypt without sslmode', async () => {
      expect(await attempt('?sslmode=no-verify')).toBe('encrypted');
      expect(await attempt('')).toBe('plain');
    });

    it('names the file that it cannot read', async () => {
      expect(await attempt('?sslmode=verify-full&sslrootcert=FOLDER/missing.pem')).toMatch(
        /missing\.pem'\. Check the files that sslrootcert, sslcert and sslkey of DATABASE_URL name/,
      );
    });

    it.each([
      [new Error('The server does not support SSL connections'), /Turn on TLS at the server/],
      [new Error('no pg_hba.conf entry for host "a", user "b", no encryption'), /sslmode=verify-full/],
      [Object.assign(new Error('x'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), /of another host/],
    ])('says what to do about %s', (error, advice) => {
      expect(postgresAdvice(error)).toMatch(advice);
    });
  });

  it('leaves connections to other accounts while the writes of one wait for each other', async () => {
    await shared.empty();
    const { store, outside } = shared;
    await store.accounts.createAccount(alice);
    await store.accounts.createAccount(bob);
    await outside.query('begin');
    await outside.query('select from accounts where id = $1 for update', [alice.id]);
    const commit = (accountId: string, id: string) =>
      store.sessions.commit({ session: { ...session(id), accountId }, events: [] });
    const waiting = Array.from({ length: 30 }, (_, n) => commit(alice.id, `waits ${n}`));
    await commit(bob.id, 'goes on');
    expect(await store.sessions.count(alice.id, null)).toBe(0);
    await outside.query('commit');
    await Promise.all(waiting);
    expect(await store.sessions.count(alice.id, null)).toBe(waiting.length);
  });

  describeAuditContract('PostgreSQL', async () => {
    await shared.empty();
    const run = (statement: string) => shared.outside.query(statement);
    return { store: { ...shared.store, close: async () => {} }, run };
  });
});
