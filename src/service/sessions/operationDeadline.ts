/** One deadline for one operation, through all layers. */
import { onAbort, race } from '../../async/race.ts';
import { Failure } from '../../domain/failures.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';

/** A deadline that its owner can move. */
export interface OperationDeadline extends Deadline, Disposable {
  /** Ends the operation now with this failure. */
  abort(failure: Failure): void;
  /** Gives the operation its whole time anew: for work whose length its caller's line decides, when it has got further. */
  renew(): void;
}

/** The failure of an operation that nobody waits for any more: nobody hears it, the log of events keeps it. */
export const callerGoneFailure = (): Failure =>
  new Failure('OPERATION_TIMEOUT', 'The caller went away before the operation was done.');

/**
 * @param ms from now
 * @param signal aborts when the caller has gone: the work stops, the session stays
 */
export function operationDeadline(ms: number, signal: AbortSignal): OperationDeadline {
  const controller = new AbortController();
  let end = performance.now() + ms;
  const onTimeout = () =>
    controller.abort(
      new Failure('OPERATION_TIMEOUT', `The operation was not done within ${Math.round(ms / 1000)} seconds.`),
    );
  const onCallerGone = () => controller.abort(callerGoneFailure());
  const timer = setTimeout(onTimeout, ms);
  if (signal.aborted) onCallerGone();
  else signal.addEventListener('abort', onCallerGone, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => (controller.signal.aborted ? 0 : Math.max(0, end - performance.now())),
    abort: failure => controller.abort(failure),
    renew() {
      end = performance.now() + ms;
      timer.refresh();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onCallerGone);
    },
  };
}

/** Work that knows of its deadline has this long to stop by itself and say how far it got. Milliseconds. */
const DEADLINE_GRACE_MS = 2_000;

/**
 * Settles as `work` does, or rejects with the deadline's failure when it goes on past the deadline: what a browser never
 * answers must not hold its session's queue.
 */
export const settleByDeadline = <T>({ signal }: Deadline, work: Promise<T>): Promise<T> =>
  race(
    work,
    onAbort(signal, () => signal.reason, DEADLINE_GRACE_MS),
  );
