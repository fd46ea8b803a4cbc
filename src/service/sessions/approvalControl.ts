import { randomUUID } from 'node:crypto';
import { onAbort, race } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { PendingApproval } from '../../domain/session/session.ts';
import type { OperationDeadline } from './operationDeadline.ts';

const RENEWAL_MS = 1_000;

/** The decision of a person; `reason`: a sentence. */
export type Decision = { readonly isGranted: true } | { readonly isGranted: false; readonly reason: string };

type ApprovalRequest = Omit<PendingApproval, 'id' | 'since' | 'until'> & { readonly timeoutMs: number };

/** The approvals of one running session. Its operations run one after another, so that at most one waits. */
export class ApprovalControl {
  readonly #clock: Pick<Clock, 'now' | 'scheduleAfter'>;
  readonly #changed: (pending: PendingApproval | null) => void;
  #waiting: { readonly pending: PendingApproval; readonly decide: (decision: Decision) => void } | null =
    null;

  constructor(
    clock: Pick<Clock, 'now' | 'scheduleAfter'>,
    changed: (pending: PendingApproval | null) => void,
  ) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** The deadline stands still meanwhile. @throws Failure APPROVAL_REFUSED; the reason of the deadline's signal */
  async wait({ timeoutMs, ...request }: ApprovalRequest, deadline: OperationDeadline): Promise<void> {
    const since = this.#clock.now();
    const pending = { ...request, id: randomUUID(), since, until: since + timeoutMs };
    const decided = Promise.withResolvers<Decision>();
    const reason = `Nobody approved it within ${Math.round(timeoutMs / 60_000)} minutes.`;
    const cancelTimer = this.#clock.scheduleAfter(timeoutMs, () =>
      decided.resolve({ isGranted: false, reason }),
    );
    const renewal = setInterval(() => deadline.renew(), RENEWAL_MS);
    this.#waiting = { pending, decide: decided.resolve };
    this.#changed(pending);
    try {
      const decision = await race(decided.promise, onAbort(deadline.signal));
      if (!decision.isGranted)
        throw new Failure(
          'APPROVAL_REFUSED',
          `The step ${request.actionId} was not performed. ${decision.reason}`,
        );
    } finally {
      this.#waiting = null;
      cancelTimer();
      clearInterval(renewal);
      deadline.renew();
      this.#changed(null);
    }
  }

  pending(id: string): PendingApproval {
    return this.#require(id).pending;
  }

  decide(id: string, decision: Decision): void {
    const waiting = this.#require(id);
    this.#waiting = null;
    waiting.decide(decision);
  }

  #require(id: string) {
    const waiting = this.#waiting;
    if (waiting === null || waiting.pending.id !== id)
      throw new Failure(
        'APPROVAL_NOT_FOUND',
        'No step of this session waits for this approval: it is decided, or over.',
      );
    return waiting;
  }
}
