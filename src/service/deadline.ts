/** One deadline for one operation, through all layers. */
import { Failure } from '../domain/failures.ts';
import type { Deadline } from '../domain/ports.ts';

/** A deadline that its owner can bring forward. */
export interface OperationDeadline extends Deadline, Disposable {
  /** Ends the operation now with this failure. */
  abort(failure: Failure): void;
}

/**
 * @param ms from now
 * @param caller aborts when the caller has gone: the work stops, the session stays
 */
export function operationDeadline(ms: number, caller: AbortSignal): OperationDeadline {
  const controller = new AbortController();
  const end = performance.now() + ms;
  const tooLate = () =>
    controller.abort(
      new Failure('OPERATION_TIMEOUT', `The operation was not done within ${Math.round(ms / 1000)} seconds.`),
    );
  const gone = () =>
    controller.abort(new Failure('OPERATION_TIMEOUT', 'The caller went away before the operation was done.'));
  const timer = setTimeout(tooLate, ms);
  if (caller.aborted) gone();
  else caller.addEventListener('abort', gone, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => (controller.signal.aborted ? 0 : Math.max(0, end - performance.now())),
    abort: failure => controller.abort(failure),
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener('abort', gone);
    },
  };
}
