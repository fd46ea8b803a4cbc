/** A CDP session whose calls fail at the deadline of the operation. */
import type { CDPSession } from 'playwright';
import { onAbort, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { deadlineFailure } from './errors.ts';

type Send = CDPSession['send'];
type Method = Parameters<Send>[0];

/** Settles as `work` does, or rejects with the Failure of `deadlineFailure` if the deadline's signal aborts first. */
export function raceDeadline<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  return race(
    work,
    onAbort(deadline.signal, () => deadlineFailure(deadline)),
  );
}

/** The reason of every deadline that has shortened another one and has passed: creating an error for each takes longer than the rest. */
const SHORTENED = new DOMException('The time for a part of the operation has passed.', 'TimeoutError');

/**
 * Returns a deadline that ends `ms` milliseconds from now, or when `deadline` ends if that is earlier. Dispose it when its part of the
 * operation has ended: then only `deadline` ends it.
 */
export function shortenDeadline(deadline: Deadline, ms: number): Deadline & Disposable {
  const end = performance.now() + ms;
  const controller = new AbortController();
  const abortWithParent = (): void => controller.abort(deadline.signal.reason);
  if (deadline.signal.aborted) abortWithParent();
  else deadline.signal.addEventListener('abort', abortWithParent, { once: true });
  const timer = setTimeout(() => controller.abort(SHORTENED), Math.ceil(ms)).unref();
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, Math.min(deadline.remainingMs(), end - performance.now())),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Sends CDP calls to one target. A call fails when the deadline of its operation ends. */
export class CdpChannel {
  readonly session: CDPSession;

  constructor(session: CDPSession) {
    this.session = session;
  }

  /** Calls a CDP method and returns its result. @throws Failure of `deadlineFailure`; Playwright's error when the call fails */
  send<M extends Method>(
    method: M,
    params: Parameters<typeof this.session.send<M>>[1],
    deadline: Deadline,
  ): ReturnType<typeof this.session.send<M>> {
    return raceDeadline(this.session.send(method, params), deadline) as ReturnType<
      typeof this.session.send<M>
    >;
  }

  /** Calls a CDP method without waiting for its result. Ignores errors. */
  sendNoReply<M extends Method>(method: M, params?: Parameters<typeof this.session.send<M>>[1]): void {
    this.session.send(method, params).catch(() => {});
  }
}
