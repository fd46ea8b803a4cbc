import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announce } from '../../../src/service/cluster/nodeMethods.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { startCluster, type TestCluster, type TestNode } from '../../support/startCluster.ts';
import { addAccount } from '../../support/startService.ts';
import { START } from './clusterCommands.ts';

let clock: ManualClock;
let cluster: TestCluster;
let first: TestNode;
let second: TestNode;

beforeAll(async () => {
  clock = manualClock();
  cluster = await startCluster({ clock });
  [first, second] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => cluster[Symbol.asyncDispose]());

describe('what a node announces', () => {
  it('a revoked key is refused on every node at once, and ends its connections', async () => {
    const { key, viewer } = await addAccount(cluster.store, clock, 'customer');
    await second.service.authenticate(`Bearer ${key}`);
    const ended = Promise.withResolvers<unknown>();
    second.service.onKeyEnd(viewer, ended.resolve);
    await first.service.revokeKey(viewer, viewer.keyId);
    expect(await ended.promise).toMatchObject({ code: 'REVOKED_API_KEY' });
    await expect(second.service.authenticate(`Bearer ${key}`)).rejects.toMatchObject({
      code: 'REVOKED_API_KEY',
    });
  });

  it('a credit changes the prices of running sessions on other nodes', async () => {
    const { viewer } = await addAccount(cluster.store, clock, 'payer', 'free');
    const { session } = await first.service.start(viewer, START);
    const credit = { accountId: viewer.account.id, amountMicros: 1_000_000, reference: 'r1' };
    await second.service.credit(cluster.viewer, credit);
    // Shorter than the interval in which nodes read the tiers anyway.
    clock.advance(900);
    await second.service.close(viewer, { sessionId: session.id, screenshot: false, signal: START.signal });
    const rows = await cluster.store.ledger.newestEntries(viewer.account.id, null, 10);
    expect(rows.find(({ kind }) => kind === 'idle')).toMatchObject({ browserMs: 900, amountMicros: -30 });
  });

  it('a request to drain reaches the node that it names', async () => {
    announce(first.messenger, 'drain', { nodeId: 'node-2' });
    await expect.poll(() => second.drainRequests).toBe(1);
    expect(first.drainRequests).toBe(0);
  });

  it('is ignored if it is not valid, as from a later version', async () => {
    first.messenger.announce('drain', '{"node":"node-2"}');
    first.messenger.announce('drain', 'not JSON');
    announce(first.messenger, 'drain', { nodeId: 'node-2' });
    await expect.poll(() => second.drainRequests).toBe(2);
  });
});
