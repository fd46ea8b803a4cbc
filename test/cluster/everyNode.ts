/** Tests of requests that any node of a cluster serves. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/service/systemClock.ts';
import { callGraphql } from '../support/callApi.ts';
import type { ClusterNode } from '../support/clusterNode.ts';
import { hangingPage } from '../support/hangingPage.ts';
import type { OtlpCollector } from '../support/otlpCollector.ts';
import { servePages } from '../support/servePages.ts';
import { addAccount } from '../support/startService.ts';
import { overSocket } from '../support/subscribe.ts';
import type { TestedCluster } from './useCluster.ts';

/** Number of sessions that a node of the tested cluster takes. */
export const CAPACITY = 4;

/** @param collector gets the traces of the nodes */
export function describeEveryNode(tested: TestedCluster, collector: () => OtlpCollector): void {
  describe('every node', () => {
    const some = (): ClusterNode => tested.cluster.nodes[0];
    const close = (...ids: string[]) =>
      Promise.all(ids.map(session_id => some().post('/session/close', { session_id })));

    it('places sessions evenly, and says AT_CAPACITY with Retry-After when all nodes are full', async () => {
      const places = CAPACITY * tested.cluster.nodes.length;
      const ids = await Promise.all(Array.from({ length: places }, () => some().startSession()));
      const owners = await tested.cluster.store.sessions.owners(ids);
      const counts = tested.cluster.nodes.map(
        ({ id }) => owners.filter(owner => owner?.nodeId === id).length,
      );
      expect(counts).toEqual(tested.cluster.nodes.map(() => CAPACITY));
      const refused = await tested.cluster.nodes[2].post('/session/start', {});
      expect(refused).toMatchObject({ status: 503, body: { code: 'AT_CAPACITY', retryable: true } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await tested.cluster.nodes[1].ready()).toBe('200 ready');
      // A place that becomes free goes to a caller that waits at another node.
      const waiting = tested.cluster.nodes[1].startSession();
      await close(ids[0] ?? '');
      const last = await waiting;
      expect(await tested.cluster.faults()).toEqual([]);
      await close(...ids, last);
    });

    it('opens a profile that a browser of another node has written', async () => {
      await using pages = await servePages({
        '/in': (_, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'visit=Ann; Max-Age=999' })
            .end('<script>localStorage.setItem("draft", "blue")</script>'),
        '/': (request, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              `<p>${request.headers.cookie}<p id=draft><script>draft.textContent = localStorage.draft</script>`,
            ),
      });
      const writer = await some().startSession({ profile: { name: 'shop', mode: 'write' } });
      const [owner] = await tested.cluster.ownerOf(writer);
      await owner.post('/env/observe', { session_id: writer, url: `${pages.url}/in` });
      const saved = async () =>
        (await callGraphql(some().url, tested.cluster.key, '{ profiles { origins } }')).body.data.profiles;
      await expect.poll(saved, { timeout: 60_000 }).toEqual([{ origins: ['127.0.0.1', pages.url] }]);
      // The node with the fewest sessions gets the next one; places of sessions that have just ended may still count.
      let reader = '';
      let other = owner;
      await expect
        .poll(async () => {
          if (reader !== '') await close(reader);
          reader = await some().startSession({ profile: { name: 'shop', mode: 'read' } });
          [other] = await tested.cluster.ownerOf(reader);
          return other.id;
        })
        .not.toBe(owner.id);
      const read = await other.post('/env/scrape', { session_id: reader, url: pages.url, formats: ['text'] });
      expect(read.body.data.text).toMatch(/visit=Ann\s+blue/);
      await close(writer, reader);
    });

    it.concurrent('observes, steps, scrapes and closes a session of another node', async () => {
      const session_id = await some().startSession();
      const [owner, one, other] = await tested.cluster.ownerOf(session_id);
      if (other === undefined) throw new Error('The cluster has less than three nodes.');
      const url = `${tested.site.url}/forms`;
      const observed = await one.post('/env/observe', { session_id, url });
      expect(observed).toMatchObject({ status: 200, body: { metadata: { title: 'Forms' } } });
      const name = observed.body.space.actions.find((each: { name: string }) => each.name === 'Name');
      const typed = await other.post('/env/step', { session_id, action_id: name.id, value: 'Ada' });
      expect(typed.status).toBe(200);
      const again = await one.post('/env/observe', { session_id });
      expect(again.body.space.actions.find((each: { name: string }) => each.name === 'Name').value).toBe(
        'Ada',
      );
      expect((await other.post('/env/scrape', { session_id })).body.data.markdown).toContain('# Forms');
      expect((await one.post('/env/step', { session_id, action_id: 'S3' })).body.screenshot).toMatch(
        /^iVBOR/,
      );
      const query = 'query ($id: ID!) { session(id: $id) { status url tabs { id url active } } }';
      for (const node of tested.cluster.nodes)
        expect(
          (await callGraphql(node.url, tested.cluster.key, query, { id: session_id })).body.data.session,
        ).toEqual({
          status: 'ACTIVE',
          url,
          tabs: [{ id: 'T1', url, active: true }],
        });
      // Both nodes measure the step: the one that was asked, and the one that performed it.
      const metrics = async (node: ClusterNode) => (await node.call('GET', '/metrics')).text;
      const count = (name: string) => new RegExp(`${name}_count\\{[^}]*operation="step"[^}]*\\} [1-9]`);
      expect(await metrics(other)).toMatch(count('pagespace_operation_seconds'));
      expect(await metrics(owner)).toMatch(count('pagespace_owner_operation_seconds'));
      expect((await other.post('/session/close', { session_id })).status).toBe(200);
      expect((await one.call('GET', `/session/${session_id}`)).body.status).toBe('closed');
    });

    it.concurrent('passes uploads, downloads and pictures of a session of another node', async () => {
      const session_id = await some().startSession();
      const [, one, other] = await tested.cluster.ownerOf(session_id);
      const { body: page } = await one.post('/env/observe', { session_id, url: `${tested.site.url}/upload` });
      const text = 'x'.repeat(600_000);
      const uploaded = await one.call('POST', `/session/${session_id}/uploads?name=a.txt`, {
        body: text,
        headers: { 'content-type': 'text/plain' },
      });
      expect(uploaded.body).toMatchObject({ file_id: 'U1', bytes: text.length });
      const chosen = await one.post('/env/step', {
        session_id,
        action_id: page.space.actions[0].id,
        value: 'U1',
      });
      expect(chosen.status).toBe(200);
      await other?.post('/env/step', { session_id, action_id: 'S1', value: `${tested.site.url}/download` });
      const { downloads } = (await one.call('GET', `/session/${session_id}/downloads`)).body;
      expect(downloads).toMatchObject([{ file_id: 'D1', name: 'report.csv', bytes: 8 }]);
      expect((await one.call('GET', downloads[0].url)).text).toBe('a,b\n1,2\n');
      const frames = overSocket(
        { url: one.url, key: tested.cluster.key },
        'subscription ($id: ID!) { sessionFrames(sessionId: $id, maxWidth: 200) { image tabId width } }',
        { id: session_id },
      );
      const { value: first } = await frames.next();
      expect(first?.data.sessionFrames).toMatchObject({ tabId: 'T1', image: expect.stringMatching(/^\/9j/) });
      await close(session_id);
      // The frames end with the session.
      for await (const more of frames) expect(more.errors).toBeUndefined();
    });

    it.concurrent('returns the failures of a session as its own node does', async () => {
      const session_id = await some().startSession();
      await some().post('/env/observe', { session_id, url: `${tested.site.url}/forms` });
      const nodes = await tested.cluster.ownerOf(session_id);
      const failure = async (node: ClusterNode, path: string, body: object) => {
        const { status, headers, body: problem } = await node.post(path, { session_id, ...body });
        const { request_id: _, ...fields } = problem;
        // Every operation changes these times.
        for (const name of ['last_accessed_at', 'expires_at', 'duration', 'duration_ms'])
          if (fields.session) delete fields.session[name];
        return { status, retryAfter: headers.get('retry-after'), ...fields };
      };
      /** One after another: a session has one queue. */
      const failures = async (path: string, body: object) => {
        const all = [];
        for (const node of nodes) all.push(await failure(node, path, body));
        return all;
      };
      for (const [code, path, body] of [
        ['ACTION_NOT_FOUND', '/env/step', { action_id: 'B99' }],
        ['URL_BLOCKED', '/env/observe', { url: 'http://10.0.0.1/' }],
      ] as const) {
        const [own, ...others] = await failures(path, body);
        expect(own).toMatchObject({ code, session: { session_id, status: 'active' } });
        for (const each of others) expect(each).toEqual(own);
      }
      await close(session_id);
      const ended = await failures('/env/observe', {});
      expect(ended[0]).toMatchObject({ status: 410, code: 'SESSION_CLOSED' });
      expect(ended).toEqual([ended[0], ended[0], ended[0]]);
    });

    it.concurrent('tells the node of a session that a caller has gone', async () => {
      const session_id = await some().startSession();
      const [, other] = await tested.cluster.ownerOf(session_id);
      const leaving = new AbortController();
      await using page = await hangingPage();
      const left = fetch(`${other.url}/env/observe`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tested.cluster.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ session_id, url: page.url }),
        signal: leaving.signal,
      }).catch(() => null);
      await page.arrived;
      leaving.abort();
      await left;
      // The browser drops the request of the page.
      await page.dropped;
      const next = await other.post('/env/observe', { session_id, url: `${tested.site.url}/forms` });
      expect(next.status).toBe(200);
      const failed = (await tested.cluster.store.sessions.events(session_id, 0, 9)).filter(
        ({ event }) => event.type === 'failed',
      );
      expect(failed).toMatchObject([{ event: { detail: expect.stringContaining('caller disconnected') } }]);
      await close(session_id);
    });

    it.concurrent('answers an operation that is repeated on other nodes with the stored response, and charges it once', async () => {
      const account = await addAccount(tested.cluster.store, systemClock, 'repeating');
      const at = (node: ClusterNode, path: string, body: object) =>
        node.call('POST', path, { key: account.key, body });
      const starts = await Promise.all(
        tested.cluster.nodes.map(node => at(node, '/session/start', { idempotency_key: 'start' })),
      );
      const session_id = starts[0]?.body.session_id;
      expect(starts.map(({ status, body }) => [status, body.session_id])).toEqual(
        Array(3).fill([200, session_id]),
      );
      for (let n = 0; n < 2; n++) {
        const body = { session_id, url: `${tested.site.url}/echo?${n}`, idempotency_key: `observe ${n}` };
        const [first = some(), ...more] = tested.cluster.nodes.toSorted(() => Math.random() - 0.5);
        const response = await at(first, '/env/observe', body);
        expect(response.status, response.text).toBe(200);
        const { observation_id, metadata } = response.body;
        for (const again of await Promise.all(more.map(node => at(node, '/env/observe', body))))
          expect(again).toMatchObject({ status: 200, body: { observation_id, metadata } });
      }
      const rows = await tested.cluster.store.ledger.newestEntries(account.account.id, null, 99);
      expect(rows.filter(row => 'kind' in row && row.kind === 'observe')).toHaveLength(2);
      await at(some(), '/session/close', { session_id });
    });

    it.concurrent('counts sessions and requests of an account over all nodes', async () => {
      const { key, account } = await addAccount(tested.cluster.store, systemClock, 'racing', 'free');
      const starts = await Promise.all(
        Array.from({ length: 9 }, (_, n) =>
          tested.cluster.nodes[n % 3]?.call('POST', '/session/start', { key, body: {} }),
        ),
      );
      const started = starts.filter(each => each?.status === 200);
      expect(started).toHaveLength(2);
      for (const each of starts)
        if (each?.status !== 200)
          expect(each).toMatchObject({ status: 429, body: { code: 'CONCURRENCY_LIMIT' } });
      expect(await tested.cluster.store.sessions.count(account.id, ['active'])).toBe(2);
      const reads = await Promise.all(
        Array.from({ length: 90 }, (_, n) => tested.cluster.nodes[n % 3]?.call('GET', '/sessions', { key })),
      );
      // Sixty requests a minute, of which nine are used.
      expect(reads.filter(each => each?.status === 200)).toHaveLength(51);
      for (const each of started)
        await some().call('POST', '/session/close', { key, body: { session_id: each?.body.session_id } });
    });

    it.concurrent('refuses a revoked key at once', async () => {
      const { key, account, viewer } = await addAccount(tested.cluster.store, systemClock, 'revoking');
      const list = (node: ClusterNode) => node.call('GET', '/sessions', { key });
      expect((await Promise.all(tested.cluster.nodes.map(list))).map(({ status }) => status)).toEqual([
        200, 200, 200,
      ]);
      const watching = overSocket(
        { url: tested.cluster.nodes[1].url, key },
        'subscription { sessionStatusChanged { id } }',
      );
      const closed = watching.next().catch((event: unknown) => event);
      const mutation = 'mutation ($id: ID!) { revokeApiKey(id: $id) { __typename } }';
      const revoked = await callGraphql(some().url, key, mutation, { id: viewer.keyId });
      expect(revoked.body.errors).toBeUndefined();
      await closed;
      expect((await Promise.all(tested.cluster.nodes.map(list))).map(({ status }) => status)).toEqual([
        401, 401, 401,
      ]);
      expect(account.tier).toBe('local');
    });

    it.concurrent('records one trace from the request through both nodes to the browser', async ({
      expect,
    }) => {
      const session_id = await some().startSession();
      const [, other] = await tested.cluster.ownerOf(session_id);
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      await other.call('POST', '/env/observe', {
        body: { session_id, url: `${tested.site.url}/forms` },
        headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      });
      await close(session_id);
      const spans = () => collector().spans.filter(span => span.traceId === traceId);
      await expect
        .poll(() => spans().map(({ name }) => name))
        .toEqual(expect.arrayContaining(['POST /env/observe', 'bus.request', 'browser.observe']));
      const byId = new Map(spans().map(span => [span.spanId, span]));
      const path: string[] = [];
      let span = spans().find(({ name }) => name === 'browser.observe');
      for (; span !== undefined; span = byId.get(span.parentSpanId ?? '')) path.unshift(span.name);
      expect(path).toEqual(['POST /env/observe', 'session.observe', 'bus.request', 'browser.observe']);
    });
  });
}
