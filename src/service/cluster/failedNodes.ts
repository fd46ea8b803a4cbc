/** Finds nodes that have stopped, and ends their sessions. */

import { afterMs, race } from '../../async/race.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { NodeMessenger } from '../../domain/ports/nodeMessenger.ts';
import type { NodeEpoch, NodeRegistry } from '../../domain/ports/nodeRegistry.ts';
import type { Session } from '../../domain/session/session.ts';
import { announce } from './announcements.ts';
import { EXPIRY_MS, type NodeAuthority } from './nodeAuthority.ts';
import type { NodeClient } from './nodeClient.ts';
import type { NodeService } from './nodeMethods.ts';

/** The reason of a session whose start was stored although its node could not know it. */
const LOST_START_REASON = 'The connection to the database was lost while the session started.';

/**
 * Finds sessions that are active in the store but unknown to their node: the answer to the write of their start was lost.
 * A session counts when two checks find it, so that one that starts or ends meanwhile does not.
 */
class UnownedSessions {
  readonly #node: NodeService;
  readonly #activeSessions: (owner: NodeEpoch) => Promise<readonly Session[]>;
  #suspects: ReadonlySet<string> = new Set();

  /** @param activeSessions returns the sessions that the store has as active on a node */
  constructor(node: NodeService, activeSessions: (owner: NodeEpoch) => Promise<readonly Session[]>) {
    this.#node = node;
    this.#activeSessions = activeSessions;
  }

  /** Ends the sessions that this check and the one before it have found. @throws the error of the store */
  async check(self: NodeEpoch): Promise<void> {
    const unowned = await this.#unowned(self);
    const found = unowned.filter(({ id }) => this.#suspects.has(id));
    this.#suspects = new Set(unowned.map(({ id }) => id));
    if (found.length > 0) await this.#node.failSessions(found, LOST_START_REASON);
  }

  /** Ends every such session of a node that starts and ends none any more. @throws the error of the store */
  async endAll(self: NodeEpoch): Promise<void> {
    const unowned = await this.#unowned(self);
    if (unowned.length > 0) await this.#node.failSessions(unowned, LOST_START_REASON);
  }

  async #unowned(self: NodeEpoch): Promise<readonly Session[]> {
    const active = await this.#activeSessions(self);
    return active.filter(({ id }) => this.#node.currentStates([id])[0] === null);
  }
}

/** Time between two searches for expired nodes, in milliseconds. */
const SEARCH_INTERVAL_MS = 500;

/** Number of searches between two checks of this node's own sessions: ten seconds. */
const SEARCHES_PER_CHECK = 20;

/** Maximum wait for the store when this node stops, in milliseconds. */
const STOP_TIMEOUT_MS = 1_000;

/** The reason of sessions that were lost with their node. */
const NODE_STOPPED_REASON = 'The node that ran it stopped answering.';

/** The registry of nodes, the sessions of a node, and what hears of ended nodes. */
export interface FailedNodesDeps {
  readonly node: NodeService;
  readonly nodes: NodeRegistry;
  readonly authority: NodeAuthority;
  readonly messenger: NodeMessenger;
  readonly client: NodeClient;
  readonly clock: Clock;
  readonly activeSessions: (owner: NodeEpoch) => Promise<readonly Session[]>;
  /** Called after each look. */
  readonly onLook: () => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Looks for nodes whose lease has expired every half second, and ends their sessions with status `error`. */
export class FailedNodes {
  readonly #deps: FailedNodesDeps;
  #cancel: () => void = () => {};
  #looking: Promise<void> | null = null;
  #isStopped = false;
  #looks = 0;
  #hasFailed = false;
  readonly #unowned: UnownedSessions;

  constructor(deps: FailedNodesDeps) {
    this.#deps = deps;
    this.#unowned = new UnownedSessions(deps.node, deps.activeSessions);
  }

  /** Looks now, and then every half second until `stop`. */
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
      await race(this.#unowned.endAll(self), afterMs(STOP_TIMEOUT_MS)).catch(() => undefined);
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
    if (++this.#looks % SEARCHES_PER_CHECK === 0) await this.#unowned.check(self);
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
}
