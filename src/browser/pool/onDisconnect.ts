/** When a browser goes while something waits for it. */
import type { Browser } from 'playwright';
import { type StopWhen, settleWith } from '../../async/race.ts';

/**
 * Stops a wait when the browser disconnects, at once if it has disconnected already: Playwright leaves some calls without
 * an answer then.
 * @param result gives the result of the wait, or throws its error
 */
export const onDisconnect =
  <T>(browser: Browser, result: () => T): StopWhen<T> =>
  outcome => {
    const stop = () => settleWith(result, outcome);
    browser.on('disconnected', stop);
    if (!browser.isConnected()) stop();
    return () => browser.off('disconnected', stop);
  };
