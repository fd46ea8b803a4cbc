/** Stops a wait when the browser disconnects. */
import type { Browser } from 'playwright';
import { type StopWhen, settleWith } from '../../async/race.ts';

/**
 * A stop condition for `race`: ends the wait when the browser disconnects, or immediately if it is disconnected already.
 * Playwright never settles some calls of a disconnected browser.
 * @param result returns the result of the wait, or throws its error
 */
export const onDisconnect =
  <T>(browser: Browser, result: () => T): StopWhen<T> =>
  outcome => {
    const stop = () => settleWith(result, outcome);
    browser.on('disconnected', stop);
    if (!browser.isConnected()) stop();
    return () => browser.off('disconnected', stop);
  };
