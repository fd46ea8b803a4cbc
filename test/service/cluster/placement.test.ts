import { afterEach, describe, expect, it } from 'vitest';
import { TIER_LIMITS } from '../../../src/domain/account/account.ts';
import { NoResponse } from '../../../src/domain/ports/nodes.ts';
import {
  type StartClusterOptions,
  startCluster,
  type TestCluster,
  type TestNode,
} from '../../support/startCluster.ts';
import { addAccount } from '../../support/startService.ts';
import { closeCommand, START } from './clusterCommands.ts';

let cluster: TestCluster;
let first: TestNode;
let second: TestNode;

async function startNodes(options: StartClusterOptions = {}): Promise<void> {
  cluster = await startCluster(options);
  [first, second] = cluster.nodes as [TestNode, TestNode];
}
afterEach(() => cluster[Symbol.asyncDispose]());

/** A choice that did not come in time. */
const late = () => Promise.reject(new NoResponse('unavailable', 'The message bus did not answer.'));

const counts = () => cluster.nodes.map(({ browsers }) => browsers.sessionCount);
const startOn = (node: TestNode, signal = START.signal) =>
  node.service.start(cluster.viewer, { ...START, signal });

describe('a new session', () => {
  it('goes to the least loaded node', async () => {
    await startNodes({ capacities: [4, 4] });
    for (let started = 0; started < 6; started++) await startOn(first);
    expect(counts()).toEqual([3, 3]);
  });

  it('takes every place of the cluster when all start at once', async () => {
    await startNodes({ capacities: [3, 5] });
    await Promise.all(Array.from({ length: 8 }, () => startOn(first)));
    expect(counts()).toEqual([3, 5]);
  });

  it('fails with AT_CAPACITY and Retry-After when no node has a place in time', async () => {
    await startNodes({ capacities: [1, 1], placementTimeoutMs: 1_000 });
    await Promise.all([startOn(first), startOn(first)]);
    await expect(startOn(second)).rejects.toMatchObject({
      code: 'AT_CAPACITY',
      context: { retryAfterSeconds: 1 },
    });
  });

  it('waits for a place that becomes free on another node', async () => {
    await startNodes({ capacities: [0, 1], placementTimeoutMs: 10_000 });
    const { session } = await startOn(first);
    const waiting = startOn(first);
    await second.service.close(cluster.viewer, closeCommand(session.id));
    expect((await waiting).session.status).toBe('active');
  });

  it('stops waiting when its caller disconnects', async () => {
    await startNodes({ capacities: [0, 0], placementTimeoutMs: 10_000 });
    const gone = new AbortController();
    const waiting = startOn(first, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
  });

  it('starts on this node while the message bus is away, and fails with DEPENDENCY_UNAVAILABLE without a place here', async () => {
    await startNodes({ capacities: [1, 5] });
    first.messenger.disconnect();
    await startOn(first);
    expect(counts()).toEqual([1, 0]);
    await expect(startOn(first)).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    expect(first.service.readiness()).toBe('bus_unavailable');
    first.messenger.reconnect();
    expect(first.service.readiness()).toBe('ready');
  });

  it('waits on when the choice of a node comes late', async () => {
    await startNodes({ capacities: [0, 1], placementTimeoutMs: 60_000 });
    const { messenger } = first;
    const place = messenger.place.bind(messenger);
    const answers = [late, late];
    messenger.place = options => (answers.shift() ?? place)(options);
    expect((await startOn(first)).session.status).toBe('active');
    expect(answers).toEqual([]);
  });

  it('fails with DEPENDENCY_UNAVAILABLE when no choice comes in time', async () => {
    await startNodes({ capacities: [0, 1], placementTimeoutMs: 100 });
    first.messenger.place = late;
    await expect(startOn(first)).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
  });

  it('counts against the maximum of its account on all nodes together', async () => {
    await startNodes({ tiers: { ...TIER_LIMITS, free: { ...TIER_LIMITS.free, sessionsAtOnce: 2 } } });
    const { viewer } = await addAccount(cluster.store, { now: Date.now } as never, 'customer', 'free');
    const starts = await Promise.allSettled(
      cluster.nodes.flatMap(({ service }) => [service.start(viewer, START), service.start(viewer, START)]),
    );
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const each of starts)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CONCURRENCY_LIMIT' });
  });
});

describe('a draining node', () => {
  it('is not ready at once, takes no new session, and still serves the others', async () => {
    await startNodes({ capacities: [4, 4] });
    const { session } = await startOn(first);
    const ended = new AbortController();
    const draining = first.service.drain(60_000, ended.signal);
    expect(first.service.readiness()).toBe('draining');
    const before = counts();
    await startOn(first);
    expect(counts()[0]).toBe(before[0]);
    await first.service.close(cluster.viewer, closeCommand(session.id));
    ended.abort();
    await draining;
  });

  it('ends its drain when its last session has ended', async () => {
    await startNodes({ capacities: [4, 0] });
    const { session } = await startOn(first);
    const draining = first.service.drain(60_000, START.signal);
    await second.service.close(cluster.viewer, closeCommand(session.id));
    await draining;
    expect(counts()).toEqual([0, 0]);
  });

  it('closes the sessions that still run at the deadline, with the reason', async () => {
    await startNodes({ capacities: [4, 0] });
    const { session } = await startOn(first);
    await first.service.drain(0, START.signal);
    const events = await second.service.events(cluster.viewer, session.id, 0, 10);
    expect(events.at(-1)).toMatchObject({
      event: { type: 'ended', status: 'closed', reason: 'The node drained.' },
    });
  });
});
