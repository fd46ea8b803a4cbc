import { afterMs, race } from '../../../async/race.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import type { Tab } from '../../tab/tab.ts';

/** The time that is left for the answer after a gesture that does not end. Milliseconds. */
const ANSWER_RESERVE_MS = 5_000;

/**
 * Waits for a gesture, but ends before the operation does, so that the caller learns what did not end. Ends at once if the page
 * opens dialogs without end meanwhile.
 * @param what the action, for the failure text, such as `B3 (button "Save")`
 * @throws Failure ACTION_BLOCKED when the gesture has not ended; OPERATION_TIMEOUT; errors of `gesture`
 */
export function withinBound<T>(
  gesture: Promise<T>,
  what: string,
  { deadline, tab }: { readonly deadline: Deadline; readonly tab: Pick<Tab, 'dialogs'> },
): Promise<T> {
  const left = deadline.remainingMs();
  const boundMs = Math.max(left / 2, left - ANSWER_RESERVE_MS);
  return race(
    gesture,
    tab.dialogs.onEndless,
    afterMs(boundMs, () => {
      throw new Failure(
        'ACTION_BLOCKED',
        `${what} did not end within ${Math.round(boundMs / 1_000)} seconds: the page is busy.`,
      );
    }),
  );
}
