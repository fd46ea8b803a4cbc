import { isExecutionTerminated } from '../cdp/playwrightInternals.ts';
import type { Tab } from './tab.ts';

/** Attempts to make Chromium deliver input to a page again. */
const MAX_ATTEMPTS = 3;

/**
 * Makes Chromium deliver input to the page of a tab again. If a window closes while a dialog of one of its frames is open, Chromium drops all
 * input to its process, which its opener shares, until another dialog of the process has closed. Never rejects.
 */
export async function restoreInput(tab: Tab): Promise<void> {
  const { channel, worlds } = tab.target;
  const world = worlds.find(tab.mainFrameId);
  if (world === null || tab.isUnresponsive) return;
  const expression = `alert(${JSON.stringify(tab.dialogs.ownText)})`;
  const { uniqueId: uniqueContextId } = world;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const opened = channel.session.send('Runtime.evaluate', { expression, uniqueContextId });
    // The termination of a script that loops can end this one instead.
    const isTerminated = await tab
      .interruptible(opened)
      .then(({ exceptionDetails }) => exceptionDetails !== undefined, isExecutionTerminated);
    if (!isTerminated) return;
  }
}
