/** The dialogs of a window that a page has opened and that is not a tab yet. */
import type { Page } from 'playwright';
import type { OpenDialog } from './tabDialogs.ts';

/** After this many dialogs, the script that opens them is terminated with each further one. */
const MAX_BEFORE_TERMINATION = 8;
/** After this many dialogs, the window is closed: it never becomes a tab. */
const MAX_BEFORE_CLOSING = 32;

export interface EarlyDialogsDeps {
  /** Ends the script that runs in the process of the window's opener, which is also the window's own if they can script each other. */
  readonly terminateScript: () => void;
  readonly report: (dialog: OpenDialog) => void;
  /** Called when the window was closed because its dialogs did not end. */
  readonly closed: () => void;
}

/**
 * Dismisses the dialogs of a new window from its first one on, and closes a window that opens them without end: its
 * opener in the same process could not answer any more.
 * @returns a function that stops this
 */
export function dismissEarlyDialogs(
  page: Page,
  { terminateScript, report, closed }: EarlyDialogsDeps,
): () => void {
  let count = 0;
  const dismiss = (dialog: OpenDialog): void => {
    report(dialog);
    // Before the dismissal: the script ends as soon as the dialog lets it continue.
    if (++count > MAX_BEFORE_TERMINATION) terminateScript();
    if (count === MAX_BEFORE_CLOSING) page.close().then(closed, () => {});
    dialog.dismiss().catch(() => {});
  };
  page.on('dialog', dismiss);
  return () => page.off('dialog', dismiss);
}
