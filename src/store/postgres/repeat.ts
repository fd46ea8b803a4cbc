/** Runs work on PostgreSQL again after a conflict or a lost connection. */
import { afterMs, waitUntil } from '../../async/race.ts';
import { isFailure } from '../../domain/failure/failures.ts';
import { isConnectionLost, isRepeatable } from './toDatabaseFailure.ts';

/** Maximum number of times that the work runs. */
const MAX_RUNS = 4;
/** Pause before the second run on another connection, in milliseconds; doubled for each further one. */
const LOST_CONNECTION_PAUSE_MS = 20;

/**
 * Runs `run` up to four times: work that may be done twice, or that was not done when it fails.
 * @param mayRepeat false if the work should fail instead
 * @throws the last error of `run`
 */
export async function repeat<Result>(
  run: () => Promise<Result>,
  mayRepeat: () => boolean = () => true,
): Promise<Result> {
  for (let runs = 1; ; runs++)
    try {
      return await run();
    } catch (error) {
      if (runs === MAX_RUNS || !isRepeatable(error) || !mayRepeat()) throw error;
      // A server that ends one connection mostly ends all: the pool needs time to see that the others have ended too.
      if (isFailure(error) && isConnectionLost(error.cause))
        await waitUntil(afterMs(LOST_CONNECTION_PAUSE_MS * 2 ** (runs - 1)));
    }
}
