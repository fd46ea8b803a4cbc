/** Knows which node runs which session. */
import { LRUCache } from 'lru-cache';
import type { NodeEpoch } from '../../domain/ports/nodeRegistry.ts';

/** Maximum number of remembered owners, about 200 bytes each; the least recently used ones are read again. */
const MAX_OWNERS = 50_000;

/** Reads the owners of sessions from the store; null for a session without one. */
export type ReadOwners = (sessionIds: readonly string[]) => Promise<readonly (NodeEpoch | null)[]>;

/** Remembers the owner of each session that was asked for. A session never moves, so an owner is valid while its node is. */
export class OwnerDirectory {
  readonly #read: ReadOwners;
  readonly #owners = new LRUCache<string, NodeEpoch>({ max: MAX_OWNERS });

  constructor(read: ReadOwners) {
    this.#read = read;
  }

  /** Returns the owner of each session, in the order of the ids; null for a session without one. @throws Failure DEPENDENCY_UNAVAILABLE */
  async owners(sessionIds: readonly string[]): Promise<readonly (NodeEpoch | null)[]> {
    const unknown = [...new Set(sessionIds)].filter(id => !this.#owners.has(id));
    const read = unknown.length === 0 ? [] : await this.#read(unknown);
    const found = new Map(unknown.map((id, index) => [id, read[index] ?? null]));
    for (const [id, owner] of found) if (owner !== null) this.#owners.set(id, owner);
    return sessionIds.map(id => found.get(id) ?? this.#owners.get(id) ?? null);
  }

  /** Remembers the owner of a session that was just placed. */
  add(sessionId: string, owner: NodeEpoch): void {
    this.#owners.set(sessionId, owner);
  }

  /** Forgets a session: it has ended, or its owner did not answer. */
  forget(sessionId: string): void {
    this.#owners.delete(sessionId);
  }
}
