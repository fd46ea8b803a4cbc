import type { ChargeKind } from '../../domain/account/ledger.ts';
import type { Caller } from '../../domain/session/performedOperation.ts';

/** Options of `LiveSession.run`: one operation and its limits. */
export interface RunOptions {
  readonly kind: Exclude<ChargeKind, 'idle'>;
  readonly caller: Caller;
  /** Id of the action of a step; absent for other operations. */
  readonly actionId?: string;
  /** Maximum duration of the operation, including its wait in the queue. */
  readonly timeoutMs: number;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** New idle timeout of the session, in minutes; null to keep the current one. */
  readonly timeoutMinutes: number | null;
  /** True to end the session if the operation fails. */
  readonly endsOnFailure: boolean;
  /**
   * Called when the operation leaves the queue; earlier operations are charged by then.
   * @throws Failure if the operation must not start
   */
  readonly assertMayStart?: () => Promise<void>;
}
