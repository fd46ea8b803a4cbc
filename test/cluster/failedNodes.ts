/** Tests of nodes and engines of a cluster that fail. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterNode } from '../support/clusterNode.ts';
import { hangingPage } from '../support/hangingPage.ts';
import { overSocket, type SubscriptionResult } from '../support/subscribe.ts';
import type { TestedCluster } from './useCluster.ts';

const STATUS = 'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { status error } }';
const STOPPED = 'The node that ran it stopped answering.';

export function describeFailedNodes(tested: TestedCluster): void {
  describe('failures', () => {
    let id: string;
    let owner: ClusterNode;
    let others: ClusterNode[];
    beforeEach(async () => {
      id = await tested.cluster.nodes[0].startSession();
      [owner, ...others] = await tested.cluster.ownerOf(id);
      await owner.post('/env/observe', { session_id: id, url: `${tested.site.url}/forms` });
    });
    afterEach(async () => {
      for (const node of tested.cluster.nodes) await node.restore();
      // Every node serves again, and what runs agrees with what is stored.
      await expect
        .poll(() => Promise.all(tested.cluster.nodes.map(node => node.ready())))
        .toEqual(Array(3).fill('200 ready'));
      for (const { id: session_id } of await tested.cluster.store.sessions.activeSessions())
        await tested.cluster.nodes[0].post('/session/close', { session_id });
      await expect.poll(() => tested.cluster.faults()).toEqual([]);
    });

    const another = (): ClusterNode => others[0] as ClusterNode;
    const observe = (node: ClusterNode, path = '') =>
      node.post('/env/observe', { session_id: id, ...(path !== '' && { url: tested.site.url + path }) });

    /** Subscribes at each of the other nodes, and waits until each has the present status. */
    async function watchEnd(): Promise<{ readonly ends: Promise<unknown[]> }> {
      const watchers = others.map(node =>
        overSocket({ url: node.url, key: tested.cluster.key }, STATUS, { id }),
      );
      for (const watcher of watchers)
        expect((await watcher.next()).value).toMatchObject({
          data: { sessionStatusChanged: { status: 'ACTIVE' } },
        });
      const last = async (watcher: AsyncIterable<SubscriptionResult>) => {
        let result: SubscriptionResult | null = null;
        for await (result of watcher);
        return result?.data.sessionStatusChanged;
      };
      return { ends: Promise.all(watchers.map(last)) };
    }

    /** Number of sessions that have a browser context in the process of the node. */
    const sessionsOf = async (node: ClusterNode): Promise<number> =>
      (await node.call('GET', '/health')).body.active_sessions;

    /** Milliseconds since `startedAt`, for people who read the output of the tests. */
    const report = (what: string, startedAt: number): void =>
      console.info(`${what}: ${Math.round(performance.now() - startedAt)} ms`);

    it('kill -9 of the owner: the outcome is unknown, the session is an error, and its subscribers are told; its files are unavailable until the node runs again', async () => {
      const upload = { body: 'a text', headers: { 'content-type': 'text/plain' } };
      await owner.call('POST', `/session/${id}/uploads?name=a.txt`, upload);
      await owner.post('/env/step', {
        session_id: id,
        action_id: 'S1',
        value: `${tested.site.url}/download`,
      });
      const downloads = (node: ClusterNode) => node.call('GET', `/session/${id}/downloads`);
      await expect
        .poll(async () => (await downloads(owner)).body)
        .toMatchObject({ downloads: [{ file_id: 'D1', bytes: 8 }] });
      const { ends } = await watchEnd();
      await using page = await hangingPage();
      const repeated = { session_id: id, url: page.url, idempotency_key: 'kill' };
      const call = another().post('/env/observe', repeated);
      await page.arrived;
      const browsers = owner.browserGroups();
      const killedAt = performance.now();
      await owner.kill();
      expect(await call).toMatchObject({ status: 504, body: { code: 'OUTCOME_UNKNOWN' } });
      report('kill -9 to OUTCOME_UNKNOWN', killedAt);
      expect(await ends).toEqual(Array(2).fill({ status: 'ERROR', error: STOPPED }));
      report('kill -9 to the subscribers of other nodes', killedAt);
      expect(await observe(another())).toMatchObject({
        status: 410,
        body: { code: 'SESSION_ERROR', session: { status: 'error', error: STOPPED } },
      });
      const again = await (others[1] ?? owner).post('/env/observe', repeated);
      expect(['OUTCOME_UNKNOWN', 'SESSION_ERROR']).toContain(again.body.code);
      for (const path of [`/session/${id}/downloads`, `/session/${id}/downloads/D1`])
        await expect
          .poll(async () => (await another().call('GET', path)).body)
          .toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE', status: 503 });
      await owner.start();
      await expect
        .poll(async () => (await downloads(another())).body)
        .toMatchObject({ downloads: [{ file_id: 'D1' }] });
      expect(owner.browserGroups().filter(group => browsers.includes(group))).toEqual([]);
    });

    it('SIGSTOP of the owner beyond its lease: after SIGCONT it writes nothing old, closes its browsers and serves again', async () => {
      const { ends } = await watchEnd();
      const running = observe(owner, '/slow?ms=300').catch(() => null);
      owner.suspend();
      const stoppedAt = performance.now();
      const asked = await observe(another());
      expect(['OUTCOME_UNKNOWN', 'SESSION_ERROR']).toContain(asked.body.code);
      report('SIGSTOP to the response of another node', stoppedAt);
      expect(await ends).toEqual(Array(2).fill({ status: 'ERROR', error: STOPPED }));
      report('SIGSTOP to the subscribers of other nodes', stoppedAt);
      const before = await tested.cluster.store.sessions.events(id, 0, 99);
      const rows = await tested.cluster.store.ledger.sessionUsage([id]);
      owner.resume();
      await running;
      await expect.poll(() => sessionsOf(owner)).toBe(0);
      await expect.poll(() => owner.ready()).toBe('200 ready');
      expect(await tested.cluster.store.sessions.events(id, 0, 99)).toEqual(before);
      expect(await tested.cluster.store.ledger.sessionUsage([id])).toEqual(rows);
      expect((await observe(owner)).body).toMatchObject({
        code: 'SESSION_ERROR',
        session: { error: STOPPED },
      });
      const next = await owner.startSession();
      expect((await owner.post('/session/close', { session_id: next })).status).toBe(200);
    });

    it('a cut connection of the owner to PostgreSQL: its sessions end, and it serves again without a restart', async () => {
      const { ends } = await watchEnd();
      owner.database.cut();
      const refused = await observe(owner);
      expect(refused).toMatchObject({ status: 503, body: { code: 'DEPENDENCY_UNAVAILABLE' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect.poll(() => owner.ready()).toBe('503 database_unavailable');
      expect(await ends).toEqual(Array(2).fill({ status: 'ERROR', error: expect.any(String) }));
      expect((await observe(another())).body.code).toBe('SESSION_ERROR');
      expect(await sessionsOf(owner)).toBe(0);
      // New sessions go to the nodes that serve.
      const next = await another().startSession();
      expect((await tested.cluster.ownerOf(next))[0]).not.toBe(owner);
      owner.database.restore();
    });

    it('a short break of the connection to PostgreSQL loses nothing', async () => {
      owner.database.cut();
      const working = observe(another());
      owner.database.restore();
      const { status, text } = await working;
      expect(status, text).toBe(200);
      expect(await tested.cluster.status(id)).toBe('active');
    });

    it('a cut connection of the owner to NATS: other nodes say so, and go on when it is back', async () => {
      owner.bus.cut();
      await expect.poll(() => owner.ready()).toBe('503 bus_unavailable');
      expect((await observe(owner)).status).toBe(200);
      const refused = await observe(another());
      expect([refused.status, refused.body.code]).toEqual([503, 'DEPENDENCY_UNAVAILABLE']);
      owner.bus.restore();
      await expect.poll(async () => (await observe(another())).status).toBe(200);
      expect(await tested.cluster.status(id)).toBe('active');
    });

    it('an outage of NATS: the sessions live, and operations of other nodes say when to try again', async () => {
      await tested.cluster.nats.stop();
      await expect
        .poll(() => Promise.all(tested.cluster.nodes.map(node => node.ready())))
        .toEqual(Array(3).fill('503 bus_unavailable'));
      const refused = await observe(another());
      expect(refused).toMatchObject({
        status: 503,
        body: { code: 'DEPENDENCY_UNAVAILABLE', retryable: true },
      });
      expect(refused.headers.get('retry-after')).not.toBeNull();
      await tested.cluster.nats.restart();
      await expect.poll(async () => (await observe(another())).status).toBe(200);
      expect(await tested.cluster.status(id)).toBe('active');
    });

    it('an outage of PostgreSQL that outlasts the leases: everything works again when it is back', async () => {
      for (const node of tested.cluster.nodes) node.database.cut();
      await expect
        .poll(() => Promise.all(tested.cluster.nodes.map(node => node.ready())))
        .toEqual(Array(3).fill('503 database_unavailable'));
      for (const node of tested.cluster.nodes) {
        const refused = await node.post('/session/start', {});
        expect(refused).toMatchObject({ status: 503, body: { code: 'DEPENDENCY_UNAVAILABLE' } });
        expect(refused.headers.get('retry-after')).not.toBeNull();
      }
      // The last lease ends three seconds after its last renewal.
      await expect.poll(() => Promise.all(tested.cluster.nodes.map(sessionsOf))).toEqual([0, 0, 0]);
      for (const node of tested.cluster.nodes) node.database.restore();
      await expect.poll(() => tested.cluster.status(id)).toBe('error');
      await expect.poll(async () => (await another().post('/session/start', {})).status).toBe(200);
    });
  });
}
