import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isCommitted, isRepeatable, toDatabaseFailure } from '../../src/store/postgres/postgresPool.ts';
import { type ClusterStore, openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Tables } from '../../src/store/tables.ts';
import { openSharedStore, type SharedStore } from '../contracts/postgresContractStore.ts';
import { alice, created, key, observed, session } from '../contracts/storeSamples.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cuttingProxy.ts';
import { postgresMissing } from '../support/findPostgres.ts';

const unavailable = { code: 'DEPENDENCY_UNAVAILABLE', context: { retryAfterSeconds: 2 } };

describe.skipIf(postgresMissing !== null)(`a store whose database goes away ${postgresMissing ?? ''}`, () => {
  let shared: SharedStore;
  let proxy: CuttingProxy;
  let store: ClusterStore;
  beforeAll(async () => {
    shared = await openSharedStore();
    const url = new URL(shared.url);
    proxy = await cuttingProxy(Number(url.port));
    url.port = String(proxy.port);
    store = await openPostgresStore(url.href);
  });
  afterAll(async () => {
    await store.close();
    await proxy.close();
    await shared[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    proxy.resume();
    await shared.empty();
    await shared.store.accounts.createAccount(alice);
    await shared.store.accounts.createKey(key('k'));
  });

  const charged = (i: number) =>
    store.sessions.commit({
      session: session('s'),
      events: [observed(i)],
      ledger: [
        {
          operationId: `o${i}`,
          accountId: alice.id,
          sessionId: 's',
          keyId: 'k',
          kind: 'observe',
          at: 60_000,
          browserMs: 600,
          priceMicros: 10,
          minuteMicros: 2_000,
        },
      ],
    });

  const written = async () => ({
    seqs: (await shared.store.sessions.events('s', 0, 99)).map(({ seq }) => seq),
    balance: (await shared.store.ledger.accountBalance(alice.id, 'k', 0)).balanceMicros,
  });

  it.each(['before', 'after'] as const)(
    'writes a commit once if the connection is cut %s the server has it',
    async moment => {
      await charged(1);
      const cut = proxy.cutAt('commit', moment);
      const [stored] = await Promise.all([charged(2), cut]);
      expect(stored).toMatchObject([{ seq: 2 }]);
      expect(await written()).toEqual({ seqs: [1, 2], balance: -20 });
    },
  );

  it('says that the outcome is unknown if the server crashed after a commit: its numbers of transactions repeat', async () => {
    await charged(1);
    const crashed = proxy.cutAt('commit', 'after').then(async () => {
      proxy.stop();
      await expect.poll(async () => (await written()).seqs).toEqual([1, 2]);
      // A crash empties the unlogged table of the server's run.
      await shared.outside.query('delete from database_runs');
      proxy.resume();
    });
    const outcome = await charged(2).catch((error: unknown) => error);
    await crashed;
    expect(outcome).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    // A transaction of the next run gives it a token.
    await charged(3);
    const tokens = async () => (await shared.outside.query('select token from database_runs')).rows.length;
    await expect.poll(tokens).toBe(1);
  });

  it('repeats a transaction whose number the server has not given yet: it crashed and has lost it', async () => {
    const lost = { xid: '9000000000', pid: 1, run: 'token' };
    await using db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString: shared.url }) }),
    });
    expect(await isCommitted(db, lost, null)).toBe(false);
  });

  it('repeats a transaction whose connection is cut in the middle', async () => {
    const cut = proxy.cutAt('insert into "ledger"', 'before');
    await Promise.all([charged(1), cut]);
    expect(await written()).toEqual({ seqs: [1], balance: -10 });
  });

  it.each(['before', 'after'] as const)(
    'repeats a read whose connection is cut %s the server has it',
    async moment => {
      await charged(1);
      const cut = proxy.cutAt('"balance_micros"', moment);
      const [read] = await Promise.all([store.ledger.accountBalance(alice.id, 'k', 0), cut]);
      expect(read).toMatchObject({ balanceMicros: -10 });
    },
  );

  it('counts a request whose connection is cut', async () => {
    const cut = proxy.cutAt('rate_limit_windows', 'before');
    const [counted] = await Promise.all([store.limiter.consume('a', 1, 10), cut]);
    expect(counted).toMatchObject({ remaining: 9, granted: true });
    expect(await store.limiter.consume('a', 1, 10)).toMatchObject({ remaining: 8 });
  });

  it('says that the outcome is unknown if the database stays away after a commit', async () => {
    const cut = proxy.cutAt('commit', 'after').then(() => proxy.stop());
    const outcome = await charged(1).catch((error: unknown) => error);
    await cut;
    expect(outcome).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('fails with DEPENDENCY_UNAVAILABLE while the database is away, and works again when it is back', async () => {
    await charged(1);
    proxy.stop();
    await expect(charged(2)).rejects.toMatchObject(unavailable);
    await expect(store.sessions.load(alice.id, ['s'])).rejects.toMatchObject(unavailable);
    await expect(store.nodes.liveNodes()).rejects.toMatchObject(unavailable);
    proxy.resume();
    expect(await charged(2)).toMatchObject([{ seq: 2 }]);
    expect(await store.nodes.liveNodes()).toEqual([]);
    expect(await written()).toEqual({ seqs: [1, 2], balance: -20 });
  });

  it('ends what waits for a silent database when it disconnects, and works again when the database answers', async () => {
    await charged(1);
    const received = proxy.silence();
    const waiting = [charged(2), store.sessions.load(alice.id, ['s'])];
    await received;
    store.disconnect();
    proxy.resume();
    const [commit, read] = await Promise.allSettled(waiting);
    expect(read).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(commit).toMatchObject({ status: 'fulfilled' });
    expect(await written()).toEqual({ seqs: [1, 2], balance: -20 });
  });

  it.each(['timeout expired', 'Query read timeout'])('asks a silent database once: %s', message => {
    expect(isRepeatable(toDatabaseFailure(new Error(message)))).toBe(false);
  });

  it('completes its work when an administrator ends all its connections in the middle', async () => {
    const commits = Array.from({ length: 30 }, (_, i) => charged(i));
    await commits[2];
    const { pathname } = new URL(shared.url);
    await shared.outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()
        and application_name = 'pagespace'`,
      [pathname.slice(1)],
    );
    await Promise.all(commits);
    const { seqs, balance } = await written();
    expect([seqs.length, new Set(seqs).size, balance]).toEqual([30, 30, -300]);
  });

  it('fails with DEPENDENCY_UNAVAILABLE while the server has no connection left for it', async () => {
    const name = new URL(shared.url).pathname.slice(1);
    const limited = new Client({ connectionString: shared.url });
    await limited.connect();
    await limited.query(`create role guest_${name} login`);
    await limited.query(`grant all on all tables in schema public to guest_${name}`);
    const url = new URL(shared.url);
    url.username = `guest_${name}`;
    const guest = await openPostgresStore(url.href);
    await limited.query(`alter role guest_${name} connection limit 0`);
    await limited.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [
      `guest_${name}`,
    ]);
    await limited.end();
    await expect(guest.accounts.allAccounts()).rejects.toMatchObject(unavailable);
    await guest.close();
  });

  it('keeps a character 0, which PostgreSQL has not, as a replacement character', async () => {
    await store.sessions.commit({
      session: { ...session('s'), pageTitle: 'a\0b' },
      events: [created()],
    });
    expect(await store.sessions.load(alice.id, ['s'])).toMatchObject([{ pageTitle: 'a\ufffdb' }]);
  });
});
