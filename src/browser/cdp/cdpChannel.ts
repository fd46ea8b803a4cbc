/** A CDP session whose calls fail at the deadline of the operation. */
import type { CDPSession } from 'playwright';
import { onAbort, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { deadlineFailure } from './errors.ts';

type Send = CDPSession['send'];
type Method = Parameters<Send>[0];

/** Settles as `work` does, or rejects with the deadline's Failure if the deadline comes first. */
export function raceDeadline<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  return race(
    work,
    onAbort(deadline.signal, () => deadlineFailure(deadline)),
  );
}

/** Returns a deadline in `ms` milliseconds, or the given one if that is earlier. */
export function shortenDeadline(deadline: Deadline, ms: number): Deadline {
  const end = performance.now() + ms;
  return {
    signal: AbortSignal.any([deadline.signal, AbortSignal.timeout(Math.ceil(ms))]),
    remainingMs: () => Math.max(0, Math.min(deadline.remainingMs(), end - performance.now())),
  };
}

export class CdpChannel {
  readonly session: CDPSession;

  constructor(session: CDPSession) {
    this.session = session;
  }

  /** Calls a CDP method. @throws Failure of the deadline; Chromium's error */
  send<M extends Method>(
    method: M,
    params: Parameters<typeof this.session.send<M>>[1],
    deadline: Deadline,
  ): ReturnType<typeof this.session.send<M>> {
    return raceDeadline(this.session.send(method, params), deadline) as ReturnType<
      typeof this.session.send<M>
    >;
  }

  /** Calls a CDP method, and ignores its result and its errors. */
  sendNoReply<M extends Method>(method: M, params?: Parameters<typeof this.session.send<M>>[1]): void {
    this.session.send(method, params).catch(() => {});
  }
}
