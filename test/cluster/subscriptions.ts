/** Tests of subscriptions at every node of a tested.cluster. */
import { describe, expect, it } from 'vitest';
import type { ClusterNode } from '../support/clusterNode.ts';
import { overSocket, type SubscriptionResult } from '../support/subscribe.ts';
import type { TestedCluster } from './useCluster.ts';

const EVENTS = 'subscription ($id: ID!) { sessionEvents(sessionId: $id) { __typename seq } }';
const ALL = 'subscription { sessionStatusChanged { id status } }';

export function describeSubscriptions(tested: TestedCluster): void {
  describe('subscriptions', () => {
    /** Collects what a subscription receives, until it ends or `stop`. */
    function collect(node: ClusterNode, query: string, variables: Record<string, unknown> = {}) {
      const results = overSocket({ url: node.url, key: tested.cluster.key }, query, variables);
      const received: SubscriptionResult[] = [];
      const ended = (async () => {
        for await (const result of results) received.push(result);
      })();
      // A test that fails leaves its subscriptions to the end of the tested.cluster.
      ended.catch(() => undefined);
      return { received, ended };
    }

    /** Subscribers of one session at each node, and the seqs that each of them received. */
    const watch = (id: string) =>
      tested.cluster.nodes.map(node => {
        const { received, ended } = collect(node, EVENTS, { id });
        const seqs = () => received.map(({ data }) => Number(data?.sessionEvents.seq));
        return { seqs, ended };
      });

    it('see every event once in the order of seq at each node, while operations come through all nodes', async () => {
      const id = await tested.cluster.nodes[0].startSession();
      const watchers = watch(id);
      const callers = tested.cluster.nodes.map(async node => {
        for (let n = 0; n < 3; n++)
          await node.post('/env/observe', { session_id: id, url: `${tested.site.url}/echo?${n}` });
      });
      await Promise.all(callers);
      await tested.cluster.nodes[1].post('/session/close', { session_id: id });
      await Promise.all(watchers.map(({ ended }) => ended));
      const stored = (await tested.cluster.store.sessions.events(id, 0, 99)).map(({ seq }) => seq);
      expect(stored).toHaveLength(11);
      for (const { seqs } of watchers) expect(seqs()).toEqual(stored);
    });

    it('without an id hear of every start and end on each node, once', async () => {
      const watchers = tested.cluster.nodes.map(node => collect(node, ALL));
      const starts = (all: readonly SubscriptionResult[]) =>
        all.map(({ data }) => `${data?.sessionStatusChanged.id} ${data?.sessionStatusChanged.status}`);
      // A subscription without an id has no first result: it is there when it hears of a session.
      const probes: string[] = [];
      while (watchers.some(({ received }) => received.length === 0)) {
        const id = await tested.cluster.nodes[0].startSession();
        probes.push(id);
        await tested.cluster.nodes[0].post('/session/close', { session_id: id });
      }
      const ids = await Promise.all(tested.cluster.nodes.map(node => node.startSession()));
      for (const [n, id] of ids.entries())
        await tested.cluster.nodes[(n + 1) % 3]?.post('/session/close', { session_id: id });
      const expected = ids.flatMap(id => [`${id} ACTIVE`, `${id} CLOSED`]).sort();
      for (const { received } of watchers) {
        const later = () => starts(received).filter(text => !probes.some(id => text.startsWith(id)));
        await expect.poll(() => later().length).toBeGreaterThanOrEqual(expected.length);
        expect(later().sort()).toEqual(expected);
        for (const id of ids)
          expect(starts(received).indexOf(`${id} ACTIVE`)).toBeLessThan(
            starts(received).indexOf(`${id} CLOSED`),
          );
      }
    });

    it('read what they missed when their connections broke, or that of the owner', async () => {
      const id = await tested.cluster.nodes[0].startSession();
      const [owner, listener] = await tested.cluster.ownerOf(id);
      const watchers = watch(id);
      await expect.poll(() => watchers.every(({ seqs }) => seqs().length > 0)).toBe(true);
      for (const connection of [listener.bus, listener.database, owner.bus]) {
        connection.cut();
        await owner.post('/env/observe', { session_id: id, url: `${tested.site.url}/echo` });
        connection.restore();
      }
      await owner.post('/session/close', { session_id: id });
      await Promise.all(watchers.map(({ ended }) => ended));
      for (const { seqs } of watchers) expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    });

    it('go on after nats-server was killed and started again', async () => {
      const id = await tested.cluster.nodes[0].startSession();
      const [owner] = await tested.cluster.ownerOf(id);
      const watchers = watch(id);
      await expect.poll(() => watchers.every(({ seqs }) => seqs().length > 0)).toBe(true);
      await tested.cluster.nats.stop();
      await owner.post('/env/observe', { session_id: id, url: `${tested.site.url}/echo` });
      await tested.cluster.nats.restart();
      await expect.poll(() => watchers.every(({ seqs }) => seqs().length === 2)).toBe(true);
      await owner.post('/session/close', { session_id: id });
      await Promise.all(watchers.map(({ ended }) => ended));
      for (const { seqs } of watchers) expect(seqs()).toEqual([1, 2, 3]);
    });
  });
}
