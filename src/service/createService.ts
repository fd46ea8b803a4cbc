/** Creates the service: of one machine, or of one node of a cluster. */
import { createNodeService, type NodeServiceDeps } from './createNodeService.ts';
import { drainSessions } from './drainSessions.ts';
import type { Pagespace } from './pagespace.ts';
import { RESTARTED_REASON } from './sessions/failOrphanedSessions.ts';
import { idempotent } from './sessions/idempotent.ts';

/** Stores, browsers, event bus and configuration of the service. */
export interface ServiceDeps extends NodeServiceDeps {}

/** All functions of the service, its drain and its shutdown. */
export interface Service extends Pagespace {
  /**
   * Refuses new sessions, waits until the running ones have ended, and closes those that still run after `timeoutMs`
   * milliseconds. `readiness` is `draining` at once.
   * @param signal ends the wait when it aborts; the sessions then still run
   */
  drain(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

/** Creates the service of one machine. Before it resolves, it ends the sessions that an earlier process left active in the store. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const node = createNodeService(deps);
  await node.failSessions(await deps.store.activeSessions(), RESTARTED_REASON);
  return {
    ...node.pagespace,
    ...idempotent(node.pagespace, () => deps.clock.monotonicNow()),
    drain: (timeoutMs, signal) => drainSessions(node, timeoutMs, signal),
    shutDown: () => node.shutDown(),
  };
}
