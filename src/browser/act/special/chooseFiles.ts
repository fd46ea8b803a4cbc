import { Failure } from '../../../domain/failure/failures.ts';
import { isTargetGone } from '../../cdp/playwrightInternals.ts';
import { timeoutOption } from '../ready/timeoutOption.ts';
import { ANSWER_RESERVE_MS } from '../ready/whenReady.ts';
import { invalidValue, requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';
import { uploadPaths } from './uploadPaths.ts';

/**
 * Gives uploaded files to the file chooser that the page has opened.
 * @throws Failure VALIDATION_ERROR when there is no such upload; ACTION_BLOCKED when no file chooser is open
 */
export const chooseFiles: PerformSpecialAction = async context => {
  const { id, tab, deadline } = context;
  const ids = requiredValue(context, 'files')
    .split(/[\s,]+/)
    .filter(part => part !== '');
  if (tab.fileChoosers.open === null)
    throw new Failure('ACTION_BLOCKED', `${id}: the page has opened no file chooser.`, { retryable: false });
  if (ids.length > 1 && tab.fileChoosers.open === 'one')
    throw invalidValue(id, 'takes one upload, because the file chooser takes one file', ids.join(','));
  const paths = await uploadPaths(context, ids);
  try {
    // A chooser that the page has closed fails at once: only a busy page takes longer.
    const timeout = timeoutOption(deadline, deadline.remainingMs() - ANSWER_RESERVE_MS);
    await tab.interruptible(tab.fileChoosers.take()?.setFiles(paths, timeout) ?? Promise.resolve());
  } catch (error) {
    if (isTargetGone(error)) throw error;
    throw new Failure('ACTION_BLOCKED', `${id}: the page has closed its file chooser.`, {
      retryable: false,
      cause: error,
    });
  }
};
