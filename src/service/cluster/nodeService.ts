/** The service of one node, as the cluster uses it: its functions reach only the sessions of this node. */
import type { Session } from '../../domain/session/session.ts';
import type { Pagespace } from '../pagespace.ts';

/** The service of one node. */
export interface NodeService {
  /** All functions on the sessions of this node and on the store. Ignores idempotency keys. */
  readonly pagespace: Pagespace;
  /** Returns true if the session runs on this node. */
  runs(sessionId: string): boolean;
  /** Returns the state of each session that runs on this node, or whose end is not written yet; null for every other one. */
  currentStates(sessionIds: readonly string[]): readonly (Session | null)[];
  /** Number of sessions that have a browser or wait for one. */
  readonly sessionCount: number;
  /** True if a session can start now without waiting. */
  readonly canStart: boolean;
  /** True when no session runs and none starts. */
  readonly isIdle: boolean;
  /** Refuses new sessions from now on; the running ones continue. Idempotent. */
  beginDrain(): void;
  /** Closes every running session. @param reason the reason of the end in the event log */
  closeSessions(reason: string): Promise<void>;
  /** Ends every running session in this process only, and writes nothing: this node has lost its authority over them. */
  abandonSessions(reason: string): Promise<void>;
  /**
   * Ends sessions that no node runs any more with status `error`, charges them and notifies their subscribers.
   * @throws the first error of the store, after it has tried all of them
   */
  failSessions(sessions: readonly Session[], reason: string): Promise<number>;
  /** Reads the tier of an account again, and charges its running sessions by it. */
  refreshTier(accountId: string): Promise<void>;
  /** Forgets a cached API key, and ends the connections that use it if it is no longer valid. */
  refreshKey(keyId: string, hash: string): Promise<void>;
  /** Removes the files of these sessions from the disk of this node. Never throws. */
  removeFiles(sessionIds: readonly string[]): Promise<void>;
  /** Stops the service: refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}
