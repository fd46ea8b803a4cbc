/** Creates the service: of one machine, or of one node of a cluster. */
import { setTimeout as delay } from 'node:timers/promises';
import { createOperatorService, type OperatedNode, type OperatorParts } from './accounts/operatorService.ts';
import { announce } from './cluster/announcements.ts';
import { type ClusterDeps, startClusterService } from './cluster/clusterService.ts';
import type { NodeService } from './cluster/nodeMethods.ts';
import { createNodeService, type NodeServiceDeps } from './createNodeService.ts';
import type { Pagespace } from './pagespace.ts';
import { RESTARTED_REASON } from './sessions/failOrphanedSessions.ts';
import { idempotent } from './sessions/idempotent.ts';

/** Time between two checks whether the last session has ended, in milliseconds. */
const CHECK_INTERVAL_MS = 200;

/** The reason of sessions that still ran at the deadline of a drain. */
const DRAINED_REASON = 'The node drained.';

/**
 * Refuses new sessions, and waits until the running ones have ended. At the deadline, closes those that still run.
 * @param timeoutMs time until the deadline, in milliseconds
 * @param signal ends the wait when it aborts; the sessions then still run
 */
async function drainSessions(
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

/** Stores, browsers, event bus and configuration of the service. */
export interface ServiceDeps extends NodeServiceDeps {
  /** The engines of a cluster; absent for a service on one machine. */
  readonly cluster?: ClusterDeps;
  readonly operator: OperatorParts;
}

/** All functions of the service, its drain and its shutdown. */
export interface Service extends Pagespace {
  /** Number of callers that wait for a place of the cluster; on one machine 0, because they wait for its browsers. */
  readonly waitingStarts: number;
  /** Refuses new sessions from now on; the running ones continue. `readiness` is `draining` at once. Idempotent. */
  beginDrain(): void;
  /**
   * Refuses new sessions, waits until the running ones have ended, and closes those that still run after `timeoutMs`
   * milliseconds.
   * @param signal ends the wait when it aborts; the sessions then still run
   */
  drain(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

/** The name of the node of a service on one machine. */
const ONLY_NODE = 'local';

/** Creates the service. On one machine it first ends the sessions that an earlier process left active in the store. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  let onLoadChange = (): void => {};
  const node = createNodeService({
    ...deps,
    hasOtherNodes: deps.cluster !== undefined,
    onLoadChange: () => onLoadChange(),
  });
  const { cluster: engines, operator } = deps;
  let isDraining = false;
  const onlyNode = async (): Promise<readonly OperatedNode[]> => {
    const { sessions, places: capacity } = await operator.readings();
    return [{ nodeId: ONLY_NODE, sessions, capacity, draining: isDraining, version: operator.version }];
  };
  const operatorService = createOperatorService({
    ...deps,
    ...operator,
    nodes: engines === undefined ? onlyNode : () => engines.nodes.liveNodes(),
    drain: nodeId =>
      engines === undefined ? operator.onDrainRequested() : announce(engines.messenger, 'drain', { nodeId }),
  });
  if (engines !== undefined) {
    const cluster = await startClusterService(node, engines, deps);
    onLoadChange = cluster.reportLoad;
    return {
      ...cluster.pagespace,
      ...operatorService,
      get waitingStarts() {
        return cluster.waitingStarts;
      },
      beginDrain: () => cluster.beginDrain(),
      drain(timeoutMs, signal) {
        cluster.beginDrain();
        return drainSessions(node, timeoutMs, signal);
      },
      shutDown: () => cluster.shutDown(),
    };
  }
  await node.failSessions(await deps.store.activeSessions(), RESTARTED_REASON);
  const beginDrain = (): void => {
    isDraining = true;
    node.beginDrain();
  };
  return {
    ...node.pagespace,
    ...idempotent(node.pagespace, () => deps.clock.monotonicNow()),
    ...operatorService,
    waitingStarts: 0,
    beginDrain,
    drain(timeoutMs, signal) {
      beginDrain();
      return drainSessions(node, timeoutMs, signal);
    },
    shutDown: () => node.shutDown(),
  };
}
