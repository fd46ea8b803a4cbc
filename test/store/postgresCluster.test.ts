import { describe, expect, it } from 'vitest';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import { useClusterNodes } from '../contracts/clusterNodes.ts';
import { describeIdempotencyStoreContract } from '../contracts/idempotencyStoreContract.ts';
import { describeNodeRegistryContract } from '../contracts/nodeRegistryContract.ts';
import { alice, created, meter, observed, session } from '../contracts/storeSamples.ts';
import { postgresMissing } from '../support/findPostgres.ts';

describe.skipIf(postgresMissing !== null)(`a cluster on PostgreSQL ${postgresMissing ?? ''}`, () => {
  const cluster = useClusterNodes();
  describeNodeRegistryContract(cluster);
  describeIdempotencyStoreContract(cluster);

  const unavailable = { code: 'DEPENDENCY_UNAVAILABLE' };

  it('a session names the epoch of the node that runs it', async () => {
    const { one, other } = cluster();
    await one.store.sessions.commit({ session: session('s'), events: [created()] });
    await other.store.sessions.commit({ session: session('t'), events: [created()] });
    expect(await other.store.sessions.owners(['t', 's', 'unknown'])).toEqual([other.epoch, one.epoch, null]);
    expect((await other.store.sessions.activeSessions(one.epoch)).map(({ id }) => id)).toEqual(['s']);
    expect(await other.store.sessions.activeSessions()).toHaveLength(2);
  });

  it('refuses the writes of a node whose epoch has ended, and changes nothing', async () => {
    const { one, shared } = cluster();
    await one.store.sessions.commit({ session: session('s'), events: [created()] });
    await one.store.nodes.release(one.epoch);
    const claim = { accountId: alice.id, key: 'k', inputHash: 'h' };
    for (const write of [
      () => one.store.sessions.commit({ session: session('s'), events: [observed()] }),
      () => one.store.sessions.commit({ session: session('t'), events: [created()] }),
      () => one.store.sessions.recordSeen(new Map([['s', meter]]), 9_000),
      () => one.store.sessions.remove(['s']),
      () => one.store.sessions.assertWritable(),
      () => one.store.idempotency.claim(claim, one.epoch),
    ])
      await expect(write()).rejects.toMatchObject(unavailable);
    expect(await shared.store.sessions.events('s', 0, 9)).toHaveLength(1);
    expect(await shared.store.sessions.count(alice.id, null)).toBe(1);
    expect(await shared.store.sessions.lastSeenAt(['s'])).toEqual([1_000]);
  });

  it('says that the lease is lost, and when to try again', async () => {
    const { one } = cluster();
    await one.store.nodes.release(one.epoch);
    await expect(one.store.sessions.assertWritable()).rejects.toMatchObject({
      message: expect.stringContaining('lost its lease'),
      context: { retryAfterSeconds: 2 },
    });
  });

  it('writes the session of another node only after that node has ended', async () => {
    const { one, other } = cluster();
    await one.store.sessions.commit({ session: session('s'), events: [created()] });
    const write = () => other.store.sessions.commit({ session: session('s'), events: [observed()] });
    await expect(write()).rejects.toMatchObject(unavailable);
    await other.store.sessions.recordSeen(new Map([['s', meter]]), 9_000);
    expect(await other.store.sessions.lastSeenAt(['s'])).toEqual([1_000]);
    await one.store.nodes.release(one.epoch);
    expect(await write()).toMatchObject([{ seq: 2 }]);
  });

  it('ends a session once, and never writes it again', async () => {
    const { one, other } = cluster();
    await one.store.sessions.commit({ session: session('s'), events: [created()] });
    await one.store.nodes.release(one.epoch);
    const lost = { type: 'browser_lost', at: 5_000, reason: 'The node stopped.' } as const;
    const ended = transition(session('s'), lost);
    const event = { type: 'ended', at: 5_000, status: 'error', reason: 'The node stopped.' } as const;
    expect(await other.store.sessions.commit({ session: ended, events: [event] })).toHaveLength(1);
    // The node that ran it registers again, and ends it too.
    one.epoch = await one.store.nodes.register('node-0', '0.1.0');
    expect(await one.store.sessions.commit({ session: ended, events: [event] })).toEqual([]);
    await expect(
      one.store.sessions.commit({ session: session('s'), events: [observed()] }),
    ).rejects.toMatchObject(unavailable);
    expect(await other.store.sessions.lastNodes(['s'])).toEqual(['node-0']);
    expect(await other.store.sessions.events('s', 0, 9)).toHaveLength(2);
  });

  it('has every acknowledged commit of an epoch, and none after its end', async () => {
    const { one, shared } = cluster();
    const commits = Array.from({ length: 60 }, (_, i) =>
      one.store.sessions.commit({ session: session(`s${i}`), events: [created()] }),
    );
    const released = one.store.nodes.release(one.epoch);
    const settled = await Promise.allSettled(commits);
    await released;
    const written = settled.flatMap(({ status }, i) => (status === 'fulfilled' ? [`s${i}`] : []));
    const stored = await shared.store.sessions.activeSessions();
    expect(stored.map(({ id }) => id).sort()).toEqual(written.sort());
    for (const each of settled)
      if (each.status === 'rejected') expect(each.reason).toMatchObject(unavailable);
  });

  it('endExpired() ends the other epochs while a node is in the middle of a transaction, and its epoch later', async () => {
    const { one, other, shared } = cluster();
    await shared.outside.query('begin');
    await shared.outside.query(`select from nodes where epoch = ${one.epoch.epoch} for key share`);
    await shared.outside.query("select set_config('idle_in_transaction_session_timeout', '0', true)");
    expect(await other.store.nodes.endExpired(-1_000)).toEqual([]);
    expect(await other.store.sessions.assertWritable().catch((error: unknown) => error)).toMatchObject(
      unavailable,
    );
    expect(await one.store.sessions.assertWritable()).toBeUndefined();
    await shared.outside.query('commit');
    await other.store.nodes.endExpired(-1_000);
    await expect(one.store.sessions.assertWritable()).rejects.toMatchObject(unavailable);
  });

  it('starts exactly the maximum of active sessions of an account over all nodes', async () => {
    const { one, other, shared } = cluster();
    const starts = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? one : other).store.sessions.commit({
        session: session(`s${i}`),
        events: [created()],
        maxActive: 7,
      }),
    );
    const settled = await Promise.allSettled(starts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect(await shared.store.sessions.count(alice.id, ['active'])).toBe(7);
  });

  it('charges an operation once when two nodes write it at the same time', async () => {
    const { one, other, shared } = cluster();
    const charge = {
      operationId: 'o',
      accountId: alice.id,
      sessionId: 's0',
      keyId: 'k',
      kind: 'observe',
      at: 60_000,
      browserMs: 600,
      priceMicros: 520,
      minuteMicros: 2_000,
    } as const;
    const commits = Array.from({ length: 16 }, (_, i) =>
      (i % 2 === 0 ? one : other).store.sessions.commit({
        session: session(`s${i}`),
        events: [],
        ledger: [charge],
      }),
    );
    await Promise.all(commits);
    expect(await shared.store.ledger.accountBalance(alice.id, 'k', 0)).toMatchObject({ balanceMicros: -520 });
    expect(await shared.store.ledger.newestEntries(alice.id, null, 9)).toHaveLength(1);
  });

  it('removes a session once when two nodes remove it at the same time', async () => {
    const { one, other, shared } = cluster();
    const ids = ['a', 'b', 'c'];
    for (const id of ids) {
      await one.store.sessions.commit({ session: session(id), events: [created()] });
      await one.store.sessions.commit({
        session: { ...session(id), status: 'closed', endedAt: 2_000 },
        events: [observed()],
      });
    }
    await Promise.all([one.store.sessions.remove(ids), other.store.sessions.remove(ids.toReversed())]);
    expect(await shared.store.sessions.count(alice.id, null)).toBe(0);
    expect((await shared.store.auditLedger()).findings).toEqual([]);
  });
});
