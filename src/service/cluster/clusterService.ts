import { afterMs, race } from '../../async/race.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyStore, NodeEpoch, NodeMessenger, NodeRegistry } from '../../domain/ports/nodes.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session/session.ts';
import type { NodePagespace } from '../pagespace.ts';
import type { Readiness } from '../sessions/sessionReads.ts';
import { ClusterIdempotency } from './clusterIdempotency.ts';
import { EXPIRY_MS, type NodeAuthority } from './nodeAuthority.ts';
import { NodeClient } from './nodeClient.ts';
import { NodeLease } from './nodeLease.ts';
import { announce, createNodeMethods, type NodeService, onAnnouncement } from './nodeMethods.ts';
import { Placement } from './placement.ts';
import { createRoutedReads, filesUnreachableFailure } from './routedReads.ts';
import { createRoutedOperations, OwnerDirectory, SessionRouter } from './sessionRouter.ts';

/** The session was active in the store although its node could not know it. */
const LOST_START_REASON = 'The connection to the database was lost while the session started.';

const SEARCH_INTERVAL_MS = 500;

/** Number of searches between two checks of this node's own sessions: ten seconds. */
const SEARCHES_PER_CHECK = 20;

const STOP_TIMEOUT_MS = 1_000;

const NODE_STOPPED_REASON = 'The node that ran it stopped answering.';

interface FailedNodesDeps {
  readonly node: NodeService;
  readonly nodes: NodeRegistry;
  readonly authority: NodeAuthority;
  readonly messenger: NodeMessenger;
  readonly client: NodeClient;
  readonly clock: Clock;
  readonly activeSessions: (owner: NodeEpoch) => Promise<readonly Session[]>;
  readonly onLook: () => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Looks for nodes whose lease has expired every half second, and ends their sessions with status `error`. */
class FailedNodes {
  readonly #deps: FailedNodesDeps;
  #cancel: () => void = () => {};
  #looking: Promise<void> | null = null;
  #isStopped = false;
  #looks = 0;
  #hasFailed = false;
  /** Sessions that the last check has found active in the store and unknown here. */
  #suspects: ReadonlySet<string> = new Set();

  constructor(deps: FailedNodesDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#deps.clock.scheduleAfter(SEARCH_INTERVAL_MS, () => this.start());
    void this.look();
    this.#deps.onLook();
  }

  /** Ends what the store has as active on this node, whose sessions have closed. Never throws. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#looking;
    const self = this.#deps.authority.current;
    // Otherwise the next node that looks ends them.
    if (self !== null)
      await race(this.#endUnowned(self, true), afterMs(STOP_TIMEOUT_MS)).catch(() => undefined);
  }

  /** Ends the sessions of the nodes whose lease has expired. Calls at the same time share one look. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .then(
        () => {
          this.#hasFailed = false;
        },
        error => {
          // One line for each outage: this node looks again in half a second.
          if (!this.#hasFailed && !this.#isStopped)
            this.#deps.warn('Stopped nodes could not be looked for', error);
          this.#hasFailed = true;
        },
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { nodes, authority, client } = this.#deps;
    const self = authority.current;
    if (self === null) return;
    const ended = await nodes.endExpired(EXPIRY_MS);
    const results = await Promise.allSettled(ended.map(each => this.#endSessionsOf(each)));
    if (client.waitingFor.length > 0) {
      // The announcement of an ended node can be lost.
      const live = new Set((await nodes.liveNodes()).map(({ epoch }) => epoch));
      for (const each of client.waitingFor) if (!live.has(each.epoch)) client.endCallsTo(each);
    }
    if (++this.#looks % SEARCHES_PER_CHECK === 0) await this.#endUnowned(self, false);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #endSessionsOf(ended: NodeEpoch): Promise<void> {
    const { node, messenger, activeSessions, warn } = this.#deps;
    announce(messenger, 'nodeEnded', { nodeId: ended.nodeId, epoch: ended.epoch });
    const sessions = await activeSessions(ended);
    if (sessions.length === 0) return;
    const count = await node.failSessions(sessions, NODE_STOPPED_REASON);
    warn(`Node ${ended.nodeId} stopped answering; ${count} of its sessions have ended`);
  }

  /**
   * Ends the sessions that are active in the store but unknown to this node: the answer to the write of their start was lost. A session
   * counts when two checks find it, so that one that starts or ends meanwhile does not. @param isStopped true if none starts or ends any more
   */
  async #endUnowned(self: NodeEpoch, isStopped: boolean): Promise<void> {
    const { node, activeSessions } = this.#deps;
    const unowned = (await activeSessions(self)).filter(({ id }) => node.currentStates([id])[0] === null);
    const found = isStopped ? unowned : unowned.filter(({ id }) => this.#suspects.has(id));
    this.#suspects = new Set(unowned.map(({ id }) => id));
    if (found.length > 0) await node.failSessions(found, LOST_START_REASON);
  }
}

/** Maximum wait for the message bus when this node begins or ends to serve, in milliseconds. */
const BUS_TIMEOUT_MS = 1_000;

export interface ClusterDeps {
  readonly nodes: NodeRegistry;
  readonly messenger: NodeMessenger;
  readonly idempotencyKeys: IdempotencyStore;
  readonly authority: NodeAuthority;
  readonly nodeId: string;
  readonly version: string;
  readonly capacity: number;
  /** Maximum wait of a new session for a free place in the cluster, in milliseconds. */
  readonly placementTimeoutMs: number;
  /** Called when an announcement asks this node to drain and stop. */
  readonly onDrainRequested: () => void;
  readonly disconnectStore: () => void;
}

export interface ClusterServiceDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly operationTimeoutMs: number;
  readonly warn: (message: string, error?: unknown) => void;
}

export interface ClusterService {
  readonly pagespace: NodePagespace;
  /** Number of callers that wait at this node for a free place in the cluster. */
  readonly waitingStarts: number;
  /** Tells the other nodes how many sessions this node has. Call it after each change. */
  reportLoad(): void;
  beginDrain(): void;
  shutDown(): Promise<void>;
}

/** Registers this node, answers others, and ends the sessions of stopped ones. @throws Failure DEPENDENCY_UNAVAILABLE */
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
