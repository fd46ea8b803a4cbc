/** Repeats a step of the start of a node while an engine is away for a moment. */
import { isFailure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';

/** A start gives up an engine that is away for this time, in milliseconds. */
const MAX_WAIT_MS = 8_000;
const PAUSE_MS = 250;

/**
 * Runs `work` until it succeeds or an engine has been away for eight seconds: a start on a busy machine, or beside an engine that
 * starts too, should not fail because one connection came late.
 * @throws the last error of `work`
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  clock: Pick<Clock, 'monotonicNow' | 'scheduleAfter'>,
): Promise<Result> {
  const giveUpAt = clock.monotonicNow() + MAX_WAIT_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isFailure(error, 'DEPENDENCY_UNAVAILABLE') || clock.monotonicNow() >= giveUpAt) throw error;
      await new Promise<void>(resolve => void clock.scheduleAfter(PAUSE_MS, resolve));
    }
}
