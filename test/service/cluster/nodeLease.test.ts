import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import type { NodeEpoch, NodeRegistry } from '../../../src/domain/ports/nodes.ts';
import { NodeAuthority } from '../../../src/service/cluster/nodeAuthority.ts';
import { NodeLease } from '../../../src/service/cluster/nodeLease.ts';
import type { Store } from '../../../src/store/store.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { memoryClusterStore } from '../../support/memoryClusterStore.ts';
import { openMemoryStore } from '../../support/migratedStore.ts';

let clock: ManualClock;
let store: Store;
let nodes: NodeRegistry;
let authority: NodeAuthority;
let lease: NodeLease;
let warnings: string[];
let lost: string[];

beforeEach(async () => {
  clock = manualClock();
  store = await openMemoryStore();
  authority = new NodeAuthority(clock);
  nodes = memoryClusterStore(store, clock).nodeStore('a', () => authority.current).nodes;
  [warnings, lost] = [[], []];
  lease = newLease();
  await lease.start();
});

const newLease = (): NodeLease =>
  new NodeLease({
    nodes,
    authority,
    clock,
    nodeId: 'a',
    version: '1.0.0',
    load: () => ({ sessions: 0, capacity: 1, draining: false }),
    onRegistered: async () => {},
    onSilence: () => lost.push('silence'),
    onLost: async (_node, reason) => void lost.push(reason),
    warn: message => warnings.push(message),
  });

afterEach(async () => {
  await lease.stop();
  await store.close();
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100);
    await turn();
  }
}

describe('the lease of a node', () => {
  it('stays while it is renewed', async () => {
    await pass(60_000);
    expect(authority.current).toEqual({ nodeId: 'a', epoch: 1 });
    expect(lost).toEqual([]);
  });

  it('ends without a timer when its time has passed, as after the process was suspended', async () => {
    clock.advance(3_000);
    expect(authority.current).toBeNull();
    expect(() => authority.assert()).toThrow('lost its lease');
  });

  it('counts from the time at which a renewal was sent, not from its answer', async () => {
    const slow = new NodeAuthority(clock);
    slow.grant({ nodeId: 'b', epoch: 9 }, clock.monotonicNow() - 2_500);
    expect(slow.remainingMs).toBe(500);
    // An answer that overtook a later one does not shorten it.
    slow.grant({ nodeId: 'b', epoch: 9 }, clock.monotonicNow() - 2_900);
    expect(slow.remainingMs).toBe(500);
  });

  it('is lost at once when another process has ended its epoch, and the node waits while that process lives', async () => {
    const other = await nodes.register('a', '1.0.0');
    const load = { sessions: 0, capacity: 1, draining: false };
    for (let second = 0; second < 20; second++) {
      await pass(1_000);
      expect(await nodes.renew(other, load)).toBe(true);
    }
    expect(authority.current).toBeNull();
    expect(lost).toHaveLength(1);
    expect(warnings.filter(text => text.includes('Another process runs as node a'))).toHaveLength(1);
    await pass(8_000);
    expect(authority.current?.epoch).toBeGreaterThan(other.epoch);
  });

  it('is no sign of another process when the answer to a registration was lost', async () => {
    const { register, renew } = nodes;
    nodes.renew = async () => false;
    nodes.register = async (...node) => {
      await register(...node);
      Object.assign(nodes, { register, renew });
      throw new Error('The connection was lost.');
    };
    await pass(10_000);
    expect(authority.current?.epoch).toBe(3);
    expect(warnings.filter(text => text.includes('Another process'))).toEqual([]);
  });

  it('ends the connections to a database that does not answer, then the sessions', async () => {
    nodes.renew = () => new Promise(() => {});
    await pass(4_000);
    expect(lost).toEqual(['silence', expect.stringContaining('the database did not answer')]);
  });

  describe('at a start', () => {
    const away = new Failure('DEPENDENCY_UNAVAILABLE', 'The database is away.', { retryAfterSeconds: 2 });
    let answer: (() => Promise<NodeEpoch>) | null;
    beforeEach(async () => {
      await lease.stop();
      const { register } = nodes;
      answer = null;
      nodes.register = (...args) => (answer ?? (() => register.call(nodes, ...args)))();
      lease = newLease();
    });

    it('waits for a database that is away for a moment, and counts from the registration that succeeded', async () => {
      answer = () => Promise.reject(away);
      const starting = lease.start();
      await pass(5_000);
      answer = null;
      await pass(300);
      expect((await starting).nodeId).toBe('a');
      expect(authority.remainingMs).toBeGreaterThan(2_500);
    });

    it('gives up after eight seconds, and at once after any other error', async () => {
      answer = () => Promise.reject(away);
      const starting = lease.start();
      const failed = expect(starting).rejects.toBe(away);
      await pass(9_000);
      await failed;
      answer = () => Promise.reject(new Error('a bug'));
      await expect(newLease().start()).rejects.toThrow('a bug');
    });
  });

  it('is released when the node stops', async () => {
    await lease.stop();
    expect(await nodes.liveNodes()).toEqual([]);
    expect(authority.current).toBeNull();
  });
});
