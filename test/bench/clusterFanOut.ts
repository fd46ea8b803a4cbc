/** The fan-out of one event to many subscribers over the nodes of a cluster. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { NodeCluster } from '../support/startNodes.ts';
import { percentile } from './statistics.ts';

const ROUNDS = 5;
const WATCHER = fileURLToPath(new URL('subscribers.ts', import.meta.url));

/** Closes a session that all subscribers watch, each over a WebSocket of its own, and prints when each of them knows it. */
export async function measureFanOut(cluster: NodeCluster, subscribers: number): Promise<void> {
  const worst: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const sessionId = await cluster.nodes[0].startSession();
    const share = Math.ceil(subscribers / cluster.nodes.length);
    const children: ChildProcess[] = [];
    for (const { url } of cluster.nodes) {
      const child = fork(WATCHER, ['watch']);
      children.push(child);
      child.send({ url, key: cluster.key, sessionId, count: share });
      await once(child, 'message');
    }
    const reports = children.map(child => once(child, 'message'));
    const closedAt = Date.now();
    await cluster.nodes[1].post('/session/close', { session_id: sessionId });
    const times = (await Promise.all(reports)).flatMap(([report]) =>
      (report as { readonly arrivedAt: readonly number[] }).arrivedAt.map(at => at - closedAt),
    );
    for (const child of children) child.kill();
    worst.push(Math.max(...times));
    console.log(
      `  round ${round}: ${times.length} subscribers at ${cluster.nodes.length} nodes; after the close was sent: first ${Math.min(...times)} ms, half ${percentile(times, 0.5)} ms, last ${Math.max(...times)} ms`,
    );
  }
  console.log(`  last subscriber: median ${percentile(worst, 0.5)} ms, worst ${Math.max(...worst)} ms`);
}
