import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newSession } from '../../../src/domain/session/session.ts';
import { FakeLease } from '../../support/fakeLease.ts';
import type { TestNode } from '../../support/startCluster.ts';
import { closeCommand, observeCommand, START } from './clusterCommands.ts';
import { twoNodes } from './twoNodes.ts';

const { clock, cluster, site, first: owner, second: other } = twoNodes();
let sessionId: string;
beforeEach(async () => {
  ({
    session: { id: sessionId },
  } = await owner.service.start(cluster.viewer, START));
});

/** Lets time pass in steps that are shorter than all intervals, so that each answer arrives before the next timer. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100);
    await turn();
  }
}

const stored = async () => (await cluster.store.sessions.load(cluster.viewer.account.id, [sessionId]))[0];

describe('a node that cannot reach the database', () => {
  it('closes its browsers before another node ends its sessions', async () => {
    cluster.cutOff.add(owner.nodeId);
    await pass(3_000);
    expect(owner.authority.current).toBeNull();
    await expect.poll(() => owner.browsers.sessionCount).toBe(0);
    expect(await stored()).toMatchObject({ status: 'active' });
    await pass(2_000);
    await expect.poll(stored).toMatchObject({
      status: 'error',
      error: 'The node that ran it stopped answering.',
    });
  });

  it('is not ready, and keeps its sessions when the database answers again in time', async () => {
    cluster.cutOff.add(owner.nodeId);
    await pass(1_500);
    expect(owner.service.readiness()).toBe('database_unavailable');
    cluster.cutOff.delete(owner.nodeId);
    await pass(5_000);
    expect(owner.service.readiness()).toBe('ready');
    expect(await stored()).toMatchObject({ status: 'active' });
    await owner.service.close(cluster.viewer, closeCommand(sessionId));
  });

  it('answers DEPENDENCY_UNAVAILABLE without a lease', async () => {
    cluster.cutOff.add(owner.nodeId);
    await pass(4_000);
    await expect(
      owner.service.observe(cluster.viewer, observeCommand(sessionId, null)),
    ).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE', context: { retryAfterSeconds: 1 } });
  });

  it('gets no new sessions without a lease', async () => {
    cluster.cutOff.add(owner.nodeId);
    await pass(4_000);
    const place = () => other.messenger.place({ signal: START.signal });
    for (let asked = 0; asked < 10; asked++) expect(await place()).toMatchObject({ nodeId: other.nodeId });
    await expect(place()).rejects.toMatchObject({ reason: 'full' });
  });

  it('serves again under a new epoch, without a restart, when the database answers', async () => {
    const before = owner.authority.current?.epoch ?? 0;
    cluster.cutOff.add(owner.nodeId);
    await pass(6_000);
    cluster.cutOff.delete(owner.nodeId);
    await pass(2_000);
    expect(owner.authority.current?.epoch).toBeGreaterThan(before);
    expect(owner.service.readiness()).toBe('ready');
    await expect(
      owner.service.observe(cluster.viewer, observeCommand(null, `${site.url}/index.html`)),
    ).resolves.toMatchObject({ metadata: { url: `${site.url}/index.html` } });
  });
});

describe('a session of a node that stops', () => {
  it('ends with status error, and its subscribers hear of it; its record is unavailable', async () => {
    const updates = other.service.sessionUpdates(cluster.viewer, { sessionId });
    owner.isolate();
    await pass(5_000);
    expect(await updates.next()).toMatchObject({
      value: {
        session: { id: sessionId, status: 'error' },
        events: [{ event: { type: 'ended', reason: 'The node that ran it stopped answering.' } }],
      },
    });
    await updates.return?.();
    // Its record is on its own disk.
    for (const read of [
      other.service.recordedObservation(sessionId, 1),
      other.service.recordedEntry(sessionId, 'picture', 1),
      other.service.readPageLog(sessionId, 'console', { after: 0, limit: 1 }),
    ])
      await expect(read).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
  });

  it('answers a running operation with OUTCOME_UNKNOWN', async () => {
    const hanging = other.service.observe(cluster.viewer, observeCommand(sessionId, `${site.url}/hang`));
    const outcome = hanging.catch(error => error);
    await expect
      .poll(async () => (await other.service.sessions(cluster.viewer, [sessionId]))[0])
      .toMatchObject({ running: 1 });
    cluster.cutOff.add(owner.nodeId);
    await pass(5_000);
    expect(await outcome).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('answers a later operation with SESSION_ERROR, as soon as its end is stored', async () => {
    owner.isolate();
    const observing = other.service.observe(cluster.viewer, observeCommand(sessionId, null));
    const outcome = observing.catch(error => error);
    await pass(5_000);
    expect(await outcome).toMatchObject({ code: 'SESSION_ERROR' });
  });

  it('is the only writer of its profile on all nodes, and no longer as soon as it has ended: another node goes on with what it wrote', async () => {
    const profile = { name: 'shop', mode: 'write' } as const;
    const state = { cookies: [], origins: [{ origin: 'https://shop.example', localStorage: [] }] };
    vi.spyOn(FakeLease.prototype, 'storageState').mockResolvedValue({ state, left: null });
    const writing = async ({ service }: TestNode) =>
      (await service.start(cluster.viewer, { ...START, profile })).session;
    const before = owner.browsers.sessionCount;
    const holder = await writing(owner);
    const [holdersNode, survivor] = owner.browsers.sessionCount > before ? [owner, other] : [other, owner];
    for (const { service } of [owner, other])
      await expect(service.start(cluster.viewer, { ...START, profile })).rejects.toMatchObject({
        code: 'PROFILE_IN_USE',
        message: expect.stringContaining(holder.id),
      });
    await holdersNode.service.observe(cluster.viewer, observeCommand(holder.id, `${site.url}/index.html`));
    const versions = () => survivor.service.listProfiles(cluster.viewer);
    await expect.poll(versions).toMatchObject([{ name: 'shop', origins: ['https://shop.example'] }]);
    const opened = vi.spyOn(survivor.browsers, 'open');
    holdersNode.isolate();
    await pass(5_000);
    expect((await writing(survivor)).id).not.toBe(holder.id);
    expect(opened.mock.calls[0]?.[0].options).toEqual({ storageState: state });
    vi.restoreAllMocks();
  });

  it('can be closed on another node, which returns its end', async () => {
    owner.isolate();
    const closing = other.service.close(cluster.viewer, closeCommand(sessionId));
    await pass(5_000);
    expect(await closing).toMatchObject({ session: { status: 'error' } });
  });
});

it('a node that stops in order closes its sessions, and releases its lease', async () => {
  // The answer to the write of this start was lost, so the node does not know the session.
  const unknown = newSession({
    id: crypto.randomUUID(),
    accountId: cluster.viewer.account.id,
    at: clock.now(),
    timeoutMinutes: 5,
  });
  await cluster.stores[0]?.commit({ session: unknown, events: [{ type: 'created', at: clock.now() }] });
  await owner.service.shutDown();
  expect(await stored()).toMatchObject({ status: 'closed' });
  const [ended] = await cluster.store.sessions.load(unknown.accountId, [unknown.id]);
  expect(ended).toMatchObject({ status: 'error' });
  expect(owner.authority.current).toBeNull();
  await expect(other.service.observe(cluster.viewer, observeCommand(sessionId, null))).rejects.toMatchObject({
    code: 'SESSION_CLOSED',
  });
});
