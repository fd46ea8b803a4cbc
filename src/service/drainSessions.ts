/** Drains a node: it starts no new sessions, and its sessions may go on until a deadline. */
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeService } from './cluster/nodeService.ts';

/** Time between two checks whether the last session has ended, in milliseconds. */
const CHECK_INTERVAL_MS = 200;

/** The reason of sessions that still ran at the deadline of a drain. */
const DRAINED_REASON = 'The node drained.';

/**
 * Refuses new sessions, and waits until the running ones have ended. At the deadline, closes those that still run.
 * @param timeoutMs time until the deadline, in milliseconds
 * @param signal ends the wait when it aborts; the sessions then still run
 */
export async function drainSessions(
  node: Pick<NodeService, 'beginDrain' | 'isIdle' | 'closeSessions'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  node.beginDrain();
  const deadline = performance.now() + timeoutMs;
  while (!node.isIdle && !signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return node.closeSessions(DRAINED_REASON);
    await delay(Math.min(CHECK_INTERVAL_MS, left), undefined, { signal }).catch(() => undefined);
  }
}
