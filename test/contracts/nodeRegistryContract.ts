/** The contract of every NodeRegistry. */
import { describe, expect, it } from 'vitest';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import type { TestCluster } from './clusterNodes.ts';
import { created, session } from './storeSamples.ts';

const LONG_MS = 600_000;
const load = { sessions: 3, capacity: 20, draining: false };

/** @param cluster the cluster of the running test; `one` and `other` are registered */
export function describeNodeRegistryContract(cluster: () => TestCluster): void {
  describe('NodeRegistry', () => {
    it('register() numbers the starts of all nodes in their order', async () => {
      const { one, other } = cluster();
      expect(other.epoch.epoch).toBeGreaterThan(one.epoch.epoch);
      const again = await one.store.nodes.register('node-0', '0.1.0');
      expect(again.epoch).toBeGreaterThan(other.epoch.epoch);
    });

    it('register() ends the earlier epoch of the same node', async () => {
      const { one, other } = cluster();
      const again = await one.store.nodes.register('node-0', '0.2.0');
      expect(await one.store.nodes.renew(one.epoch, load)).toBe(false);
      expect(await one.store.nodes.renew(again, load)).toBe(true);
      const live = await other.store.nodes.liveNodes();
      expect(live.map(({ nodeId, epoch, version }) => [nodeId, epoch, version])).toEqual([
        ['node-1', other.epoch.epoch, '0.1.0'],
        ['node-0', again.epoch, '0.2.0'],
      ]);
    });

    it('register() leaves one epoch open when a node starts several times at once', async () => {
      const { nodes } = cluster().one.store;
      await Promise.all(Array.from({ length: 4 }, () => nodes.register('node-9', '0.1.0')));
      const live = await nodes.liveNodes();
      expect(live.filter(({ nodeId }) => nodeId === 'node-9')).toHaveLength(1);
    });

    it('renew() stores the load of the node', async () => {
      const { one, other } = cluster();
      await one.store.nodes.renew(one.epoch, { ...load, draining: true });
      expect((await other.store.nodes.liveNodes())[0]).toEqual({
        ...one.epoch,
        ...load,
        draining: true,
        version: '0.1.0',
      });
    });

    it('endExpired() ends no lease that is young enough', async () => {
      const { one, other } = cluster();
      expect(await other.store.nodes.endExpired(LONG_MS)).toEqual([]);
      expect(await one.store.nodes.renew(one.epoch, load)).toBe(true);
    });

    it('endExpired() ends an old lease, which cannot be renewed afterwards', async () => {
      const { one, other, shared } = cluster();
      await age(cluster(), one.epoch.epoch);
      await other.store.nodes.endExpired(LONG_MS);
      expect(await one.store.nodes.renew(one.epoch, load)).toBe(false);
      expect(await shared.store.nodes.liveNodes()).toMatchObject([{ nodeId: 'node-1' }]);
    });

    it('endExpired() returns an ended epoch to one node until its sessions have ended', async () => {
      const { one, other } = cluster();
      const lost = { ...one.epoch };
      await one.store.sessions.commit({ session: session('s'), events: [created()] });
      await age(cluster(), lost.epoch);
      one.epoch = await one.store.nodes.register('node-2', '0.1.0');
      const first = await Promise.all([one, other].map(({ store }) => store.nodes.endExpired(LONG_MS)));
      expect(first.flat()).toEqual([lost]);
      const burier = first[0]?.length === 1 ? one : other;
      expect(await burier.store.nodes.endExpired(LONG_MS)).toEqual([lost]);
      const ended = transition(session('s'), {
        type: 'browser_lost',
        at: 2_000,
        reason: 'The node was lost.',
      });
      await burier.store.sessions.commit({ session: ended, events: [] });
      expect(await burier.store.nodes.endExpired(LONG_MS)).toEqual([]);
    });

    it('endExpired() returns an ended epoch to another node if the first one ends', async () => {
      const { one, other } = cluster();
      const lost = await other.store.nodes.register('node-7', '0.1.0');
      const home = other.epoch;
      other.epoch = lost;
      await other.store.sessions.commit({ session: session('s'), events: [created()] });
      other.epoch = home;
      await other.store.nodes.release(lost);
      expect(await other.store.nodes.endExpired(LONG_MS)).toEqual([lost]);
      expect(await one.store.nodes.endExpired(LONG_MS)).toEqual([]);
      await other.store.nodes.release(other.epoch);
      expect(await one.store.nodes.endExpired(LONG_MS)).toEqual([lost]);
    });

    it('release() is idempotent', async () => {
      const { one } = cluster();
      await one.store.nodes.release(one.epoch);
      await one.store.nodes.release(one.epoch);
      expect(await one.store.nodes.renew(one.epoch, load)).toBe(false);
    });
  });
}

/** Makes the lease of an epoch look as if no process had renewed it for a day. */
async function age({ shared }: TestCluster, epoch: number): Promise<void> {
  await shared.outside.query(
    `update nodes set renewed_at = clock_timestamp() - interval '1 day' where epoch = ${epoch}`,
  );
}
