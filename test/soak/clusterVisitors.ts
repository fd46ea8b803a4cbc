/** Callers of a cluster that leave: their requests and subscriptions are under way when the soak harms the nodes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterNode } from '../support/clusterNode.ts';
import type { NodeCluster } from '../support/startNodes.ts';
import { overEvents, overSocket } from '../support/subscribe.ts';

const SUBSCRIPTIONS = [
  'subscription ($id: ID!) { sessionFrames(sessionId: $id, maxWidth: 200) { image } }',
  'subscription ($id: ID!) { sessionEvents(sessionId: $id) { seq } }',
  'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { status error } }',
];
const REQUESTS_PER_SESSION = 8;
/** Longest time for which a visitor waits for an answer or reads events, in milliseconds. */
const MAX_STAY_MS = 9_000;
const PAUSE_MS = 200;

/**
 * Starts sessions, opens slow pages, reads files and pictures and subscribes, at any node, and leaves many of these before
 * their end. Answers do not matter: the soak finds what is left behind.
 * @param nextPage returns the address of a page that no other operation opens; a slow one takes seconds
 */
export async function visitor(
  cluster: NodeCluster,
  nextPage: (speed: 'quick' | 'slow') => string,
  signal: AbortSignal,
): Promise<void> {
  const some = (): ClusterNode => pick(cluster.nodes);
  const send = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(some().url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${cluster.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(Math.ceil(Math.random() * MAX_STAY_MS)),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const subscribe = async (id: string): Promise<void> => {
    const subscription = pick([overSocket, overEvents])(
      { url: some().url, key: cluster.key },
      pick(SUBSCRIPTIONS),
      { id },
    );
    const leaves = wait(Math.random() * MAX_STAY_MS, null);
    const read = async () => {
      for await (const _ of subscription);
    };
    await Promise.race([read(), leaves]);
    // It may wait for an event that never comes.
    void subscription.return().catch(() => undefined);
  };
  while (!signal.aborted)
    try {
      const { session_id: id } = await send('/session/start', { session_timeout_minutes: 1 });
      if (typeof id !== 'string') await wait(PAUSE_MS);
      for (let n = 0; typeof id === 'string' && n < REQUESTS_PER_SESSION && !signal.aborted; n++)
        await pick([
          () => send('/env/observe', { session_id: id, url: nextPage('quick') }),
          () => send('/env/observe', { session_id: id, url: nextPage('slow') }),
          () => send('/env/step', { session_id: id, action_id: 'S3' }),
          () => send('/env/scrape', { session_id: id }),
          () => send(`/session/${id}/downloads`),
          async () => void subscribe(id).catch(() => undefined),
        ])().catch(() => undefined);
      if (typeof id === 'string') await send('/session/close', { session_id: id });
    } catch {
      // The node does not answer now.
      await wait(PAUSE_MS);
    }
}

const pick = <Each>(list: readonly Each[]): Each => list[Math.floor(Math.random() * list.length)] as Each;
