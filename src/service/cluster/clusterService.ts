/** The service of a node of a cluster: it serves every session of the cluster. */
import { afterMs, race } from '../../async/race.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyStore } from '../../domain/ports/idempotencyStore.ts';
import type { NodeMessenger } from '../../domain/ports/nodeMessenger.ts';
import type { NodeEpoch, NodeRegistry } from '../../domain/ports/nodeRegistry.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import type { NodePagespace } from '../pagespace.ts';
import type { Readiness } from '../sessions/sessionReads.ts';
import { onAnnouncement } from './announcements.ts';
import { ClusterIdempotency } from './clusterIdempotency.ts';
import { FailedNodes } from './failedNodes.ts';
import type { NodeAuthority } from './nodeAuthority.ts';
import { NodeClient } from './nodeClient.ts';
import { NodeLease } from './nodeLease.ts';
import { createNodeMethods, type NodeService } from './nodeMethods.ts';
import { Placement } from './placement.ts';
import { createRoutedOperations } from './routedOperations.ts';
import { createRoutedReads, filesUnreachableFailure } from './routedReads.ts';
import { OwnerDirectory, SessionRouter } from './sessionRouter.ts';

/** Maximum wait for the message bus when this node begins or ends to serve, in milliseconds. */
const BUS_TIMEOUT_MS = 1_000;

/** The engines of a cluster, and this node's place in it. */
export interface ClusterDeps {
  readonly nodes: NodeRegistry;
  readonly messenger: NodeMessenger;
  readonly idempotencyKeys: IdempotencyStore;
  /** The stores ask the same authority before each write. */
  readonly authority: NodeAuthority;
  readonly nodeId: string;
  readonly version: string;
  /** Maximum number of sessions of this node. */
  readonly capacity: number;
  /** Maximum wait of a new session for a free place in the cluster, in milliseconds. */
  readonly placementTimeoutMs: number;
  /** Called when an announcement asks this node to drain and stop. */
  readonly onDrainRequested: () => void;
  /** Ends all connections to the database at once. Called when it has not answered for the time of the lease. */
  readonly disconnectStore: () => void;
}

/** The parts of the service of one machine that the cluster uses. */
export interface ClusterServiceDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly operationTimeoutMs: number;
  readonly warn: (message: string, error?: unknown) => void;
}

/** The service of a node of a cluster, its drain and its end. */
export interface ClusterService {
  readonly pagespace: NodePagespace;
  /** Number of callers that wait at this node for a free place in the cluster. */
  readonly waitingStarts: number;
  /** Tells the other nodes how many sessions this node has. Call it after each change. */
  reportLoad(): void;
  /** Refuses new sessions on this node from now on. */
  beginDrain(): void;
  /** Ends the sessions of this node, then its lease. Idempotent. */
  shutDown(): Promise<void>;
}

/**
 * Starts this node in its cluster: registers it, answers other nodes, and ends the sessions of nodes that have stopped.
 * @throws Failure DEPENDENCY_UNAVAILABLE
 */
export async function startClusterService(
  node: NodeService,
  cluster: ClusterDeps,
  { store, clock, operationTimeoutMs, warn }: ClusterServiceDeps,
): Promise<ClusterService> {
  const { nodes, messenger, authority, nodeId, version, capacity } = cluster;
  let isDraining = false;
  let stopServing: () => Promise<void> = async () => {};
  const load = () => ({ sessions: node.sessionCount, capacity, draining: isDraining });
  const reportLoad = () => {
    if (authority.current !== null) messenger.reportLoad(authority.current, load());
  };

  const client = new NodeClient({ messenger, version });
  const directory = new OwnerDirectory(ids => store.owners(ids));
  const failedNodes = new FailedNodes({
    node,
    nodes,
    authority,
    messenger,
    client,
    clock,
    activeSessions: owner => store.activeSessions(owner),
    onLook: reportLoad,
    warn,
  });
  const router = new SessionRouter({ node, authority, directory, endFailedNodes: () => failedNodes.look() });
  const placement = new Placement({
    node,
    authority,
    messenger,
    maxWaiting: capacity,
    waitTimeoutMs: cluster.placementTimeoutMs,
  });
  const routing = { node, client, router, placement, directory, operationTimeoutMs };
  const idempotency = new ClusterIdempotency({
    keys: cluster.idempotencyKeys,
    authority,
    messenger,
    clock,
    warn,
  });
  const lease = new NodeLease({
    nodes,
    authority,
    clock,
    nodeId,
    version,
    load,
    warn,
    onSilence: () => cluster.disconnectStore(),
    async onRegistered(self) {
      const serving = messenger.serve(self, createNodeMethods({ node, version, nodeId }));
      stopServing = async () => (await serving)();
      // A message bus that hangs must not hold up the lease.
      await race(serving, afterMs(BUS_TIMEOUT_MS));
      reportLoad();
    },
    async onLost(self, reason) {
      // Other nodes must not choose this one until it has registered again.
      messenger.reportLoad(self, { ...load(), draining: true });
      await Promise.all([race(stopServing(), afterMs(BUS_TIMEOUT_MS)), node.abandonSessions(reason)]);
    },
  });

  const listeners = [
    onAnnouncement(messenger, 'keyRevoked', ({ keyId, hash }) => {
      // If the store cannot be read now, the key is read again within five seconds.
      void node.refreshKey(keyId, hash).catch(() => undefined);
    }),
    onAnnouncement(messenger, 'accountChanged', ({ accountId }) => {
      // The tiers of running sessions are polled too.
      void node.refreshTier(accountId).catch(() => undefined);
    }),
    onAnnouncement(messenger, 'nodeEnded', ended => client.endCallsTo(ended)),
    onAnnouncement(messenger, 'drain', asked => {
      if (asked.nodeId === nodeId) cluster.onDrainRequested();
    }),
    onAnnouncement(messenger, 'sessionsRemoved', ({ sessionIds }) => void node.removeFiles(sessionIds)),
  ];

  await lease.start();
  failedNodes.start();

  const readiness = (): Readiness => {
    if (isDraining) return 'draining';
    if (!messenger.isConnected) return 'bus_unavailable';
    if (!lease.reachesDatabase) return 'database_unavailable';
    if (authority.current === null) return 'lease_lost';
    const here = node.pagespace.readiness();
    // A full node still serves the sessions of the cluster, and places new ones elsewhere.
    return here === 'at_capacity' ? 'ready' : here;
  };

  /** The files of a session stay on the disk of its node, also after its end and after a restart of the node. */
  const fileHost = async (sessionId: string): Promise<NodeEpoch | null> => {
    const owner = await router.otherOwner(sessionId);
    if (owner !== null || node.runs(sessionId)) return owner;
    const [last = null] = await store.lastNodes([sessionId.toLowerCase()]);
    if (last === null || last === nodeId) return null;
    const host = (await nodes.liveNodes()).find(each => each.nodeId === last);
    if (host === undefined) throw filesUnreachableFailure();
    return host;
  };

  let closing: Promise<void> | null = null;
  return {
    pagespace: {
      ...node.pagespace,
      ...idempotency.wrap(createRoutedOperations(routing)),
      ...createRoutedReads(routing, fileHost),
      readiness,
    },
    get waitingStarts() {
      return placement.waitingCount;
    },
    reportLoad,
    beginDrain() {
      isDraining = true;
      node.beginDrain();
      reportLoad();
    },
    shutDown() {
      closing ??= (async () => {
        isDraining = true;
        reportLoad();
        await node.shutDown();
        for (const stop of listeners) stop();
        idempotency.stop();
        await failedNodes.stop();
        await race(stopServing(), afterMs(BUS_TIMEOUT_MS)).catch(() => undefined);
        await lease.stop();
      })();
      return closing;
    },
  };
}
