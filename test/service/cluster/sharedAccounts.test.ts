import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIER_LIMITS } from '../../../src/domain/account/account.ts';
import type { SessionChange } from '../../../src/domain/ports/sessionStore.ts';
import { newSession } from '../../../src/domain/session/session.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { startCluster, type TestCluster, type TestNode } from '../../support/startCluster.ts';
import { addAccount } from '../../support/startService.ts';
import { closeCommand, observeCommand, START } from './clusterCommands.ts';

let clock: ManualClock;
let cluster: TestCluster;
let first: TestNode;
let second: TestNode;

beforeAll(async () => {
  clock = manualClock();
  cluster = await startCluster({
    clock,
    tiers: { ...TIER_LIMITS, free: { ...TIER_LIMITS.free, browserMinutesPerDay: 1 } },
  });
  [first, second] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500);
    await turn();
  }
}

describe('an account with sessions on several nodes', () => {
  it('is refused when the time of all its sessions together has used its quota', async () => {
    const { viewer } = await addAccount(cluster.store, clock, 'customer', 'free');
    const sessions = [];
    for (const { service } of [first, second]) sessions.push((await service.start(viewer, START)).session);
    expect(cluster.nodes.map(({ browsers }) => browsers.sessionCount)).toEqual([1, 1]);
    // Each session alone has used less than the minute of the account.
    await pass(40_000);
    for (const { service } of [first, second])
      await expect(
        service.observe(viewer, observeCommand(sessions[0]?.id ?? '', 'http://127.0.0.2:39999/')),
      ).rejects.toMatchObject({ code: 'QUOTA_EXHAUSTED' });
    for (const { id } of sessions) await first.service.close(viewer, closeCommand(id));
  });
});

describe('a session that is active in the store but unknown to its node', () => {
  it('ends with status error after a while', async () => {
    const session = newSession({
      id: crypto.randomUUID(),
      accountId: cluster.viewer.account.id,
      at: clock.now(),
      timeoutMinutes: 5,
    });
    const change: SessionChange = { session, events: [{ type: 'created', at: clock.now() }] };
    await cluster.stores[0]?.commit(change);
    const stored = async () =>
      (await cluster.store.sessions.load(session.accountId, [session.id]))[0]?.status;
    await pass(9_000);
    expect(await stored()).toBe('active');
    await pass(15_000);
    await expect.poll(stored).toBe('error');
  });
});

describe('the files of a session', () => {
  it('are read on every node after its end', async () => {
    const { session } = await first.service.start(cluster.viewer, START);
    const chunks = (async function* () {
      yield new TextEncoder().encode('text');
    })();
    const upload = { sessionId: session.id, name: 'a.txt', chunks, signal: START.signal };
    const file = await first.service.uploadFile(cluster.viewer, upload);
    await second.service.close(cluster.viewer, closeCommand(session.id));
    for (const { service } of cluster.nodes)
      expect(await service.listFiles(session.id, 'upload')).toEqual([file]);
  });

  it('are sent from node to node as they are read', async () => {
    const { session } = await first.service.start(cluster.viewer, START);
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const owner = cluster.nodes.findIndex(({ browsers }) => browsers.sessionCount > 0);
    await cluster.files[owner]?.save(
      { sessionId: session.id, accountId: cluster.viewer.account.id },
      'download',
      'a.bin',
      (async function* () {
        yield bytes;
      })(),
    );
    for (const { service } of cluster.nodes) {
      const download = await service.openDownload(cluster.viewer, session.id, 'd1');
      expect(download.file).toMatchObject({ id: 'D1', name: 'a.bin', bytes: 60_000 });
      expect(new Uint8Array(await new Response(download.bytes).arrayBuffer())).toEqual(bytes);
    }
    await first.service.close(cluster.viewer, closeCommand(session.id));
  });
});
