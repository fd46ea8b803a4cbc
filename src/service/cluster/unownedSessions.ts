/** Ends sessions that the store has as active on this node, but that this node does not run. */
import type { NodeEpoch } from '../../domain/ports/nodeRegistry.ts';
import type { Session } from '../../domain/session/session.ts';
import type { NodeService } from './nodeService.ts';

/** The reason of a session whose start was stored although its node could not know it. */
const LOST_START_REASON = 'The connection to the database was lost while the session started.';

/**
 * Finds sessions that are active in the store but unknown to their node: the answer to the write of their start was lost.
 * A session counts when two checks find it, so that one that starts or ends meanwhile does not.
 */
export class UnownedSessions {
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
