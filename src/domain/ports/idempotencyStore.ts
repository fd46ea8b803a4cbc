/** The store of idempotency keys of a cluster: one operation per key, on whichever node the request arrives. */
import type { NodeEpoch } from './nodeRegistry.ts';

/** A key of an account, and the hash of the request that it stands for. */
export interface IdempotencyClaim {
  readonly accountId: string;
  readonly key: string;
  /** Hash of the operation's name and input. */
  readonly inputHash: string;
}

/**
 * The state of a claim. `claimed`: this caller runs the operation. `running`: another request runs it; `owner` is null
 * if the epoch of the node that ran it has ended, so that its outcome is unknown. `done`: its response.
 * `reused`: the key stands for another request.
 */
export type ClaimState =
  | { readonly type: 'claimed' }
  | { readonly type: 'running'; readonly owner: NodeEpoch | null }
  | { readonly type: 'done'; readonly response: Uint8Array }
  | { readonly type: 'reused' };

/** Stores the responses of operations by account and idempotency key. @throws Failure DEPENDENCY_UNAVAILABLE */
export interface IdempotencyStore {
  /**
   * Claims the key for this node if it is free or its response has expired. A key whose node ended before it stored a
   * response is free ten minutes after that end.
   */
  claim(claim: IdempotencyClaim, owner: NodeEpoch): Promise<ClaimState>;
  /**
   * Stores the response, for ten minutes; a second time does nothing. @returns true if the response is stored; false if the epoch of the node
   * has ended
   */
  complete(claim: IdempotencyClaim, owner: NodeEpoch, response: Uint8Array): Promise<boolean>;
  /** Frees the key: the next request with it runs again. */
  release(claim: IdempotencyClaim, owner: NodeEpoch): Promise<void>;
  /** Removes expired responses, and the oldest of an account beyond 16 MB. */
  removeExpired(): Promise<void>;
}
