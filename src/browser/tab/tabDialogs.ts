/**
 * The JavaScript dialogs of one tab. A dialog blocks its page until it is answered, and a page can open the next one at
 * once, without end. So each dialog is either kept for the caller, or answered here, by the policy of the moment.
 */
import { randomUUID } from 'node:crypto';
import type { Dialog } from 'playwright';
import { afterMs, onCall, race, type StopWhen } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import { quote, truncate } from '../../domain/space/pageText.ts';
import { isPageBeingReplaced } from '../cdp/playwrightInternals.ts';

export type OpenDialog = Pick<Dialog, 'type' | 'message' | 'accept' | 'dismiss' | 'defaultValue'>;

/** Returns the dialog; one that asks whether to leave the page ends the navigation if it is dismissed: no event of Chromium says so. */
export function endingNavigation(dialog: OpenDialog, network: { navigationRefused(): void }): OpenDialog {
  if (dialog.type() !== 'beforeunload') return dialog;
  return {
    type: () => dialog.type(),
    message: () => dialog.message(),
    defaultValue: () => dialog.defaultValue(),
    accept: text => dialog.accept(text),
    async dismiss() {
      await dialog.dismiss();
      network.navigationRefused();
    },
  };
}

/**
 * The treatment of the next dialog. `keep`: it stays open for the caller. `dismiss`: it is dismissed, because the operation
 * cannot show it. `leave`: the page is being left, so it is dismissed, and a `beforeunload` dialog is accepted.
 */
export type DialogPolicy = 'keep' | 'dismiss' | 'leave';

export interface TabDialogsDeps {
  /** Returns true when the caller sees the tab, so that its dialogs can be kept open. */
  readonly isVisible: () => boolean;
  readonly report: (dialog: OpenDialog, isKept: boolean) => void;
  readonly onKept: () => void;
  readonly onChange: () => void;
  /** Resolves when the page's scripts let the page answer. May reject, or never settle. */
  readonly ping: () => Promise<unknown>;
  /** Ends the script that the page runs now. A loop that does nothing but open dialogs may not notice it. */
  readonly terminateScript: () => void;
  readonly crash: () => void;
}

const MAX_NOTED_LENGTH = 120;
/** After this many dismissed dialogs between which the page has not answered, the service also terminates its script. */
const MAX_IN_A_ROW = 8;
/** After this many, the service gives up: it keeps the next dialog open, or ends the page if the caller cannot see it. */
const MAX_BEFORE_GIVING_UP = 32;
/** An operation during which the page has opened this many dialogs, each of them dismissed, ends: its input finds no gap between them. */
const MAX_IN_AN_OPERATION = 60;
/** Maximum wait for a page to answer after its dialog is dismissed. Milliseconds. */
const PING_TIMEOUT_MS = 1_000;

export class TabDialogs {
  /** Text of the dialogs that the service itself opens: this class dismisses each at once and does not report it. */
  readonly ownText: string = randomUUID();
  readonly #deps: TabDialogsDeps;
  readonly #keptListeners = new Set<() => void>();
  readonly #endlessListeners = new Set<() => void>();
  /** Kind and text of the dialogs that `clear` has dismissed in this operation: the same dialog is not kept again. */
  readonly #cleared = new Set<string>();
  #open: OpenDialog | null = null;
  #policy: DialogPolicy = 'keep';
  #onUnanswerable: (() => void) | null = null;
  #inARow = 0;
  #inOperation = 0;

  constructor(deps: TabDialogsDeps) {
    this.#deps = deps;
  }

  /** The dialog that is kept open for the caller; null if there is none. */
  get open(): OpenDialog | null {
    return this.#open;
  }

  /** Begins an operation: from now on dialogs are kept for the caller, or dismissed if the operation cannot show them. Call it in step, goto and scrape. */
  begin(policy: 'keep' | 'dismiss'): void {
    this.#policy = policy;
    this.#inOperation = 0;
    this.#cleared.clear();
  }

  /** For `race`: ends the wait with ACTION_BLOCKED when the page has opened dialogs without end since the operation began. */
  readonly onEndless: StopWhen<never> = ({ reject }) => {
    const end = () => reject(endlessDialogsFailure());
    this.#endlessListeners.add(end);
    return () => this.#endlessListeners.delete(end);
  };

  opened(dialog: OpenDialog): void {
    if (dialog.message() === this.ownText) {
      dialog.dismiss().catch(() => {});
      return;
    }
    const isEndless = this.#inARow >= MAX_BEFORE_GIVING_UP;
    const isExpected = this.#policy === 'keep' && !this.#cleared.has(nameOf(dialog));
    const isLeaving = this.#policy === 'leave';
    const isKept = !isLeaving && this.#deps.isVisible() && (isEndless || isExpected);
    this.#deps.report(dialog, isKept);
    if (isKept) this.#keep(dialog);
    else if (isEndless && isLeaving) this.#onUnanswerable?.();
    else if (isEndless) this.#deps.crash();
    else if (this.#policy === 'leave' && dialog.type() === 'beforeunload') dialog.accept().catch(() => {});
    else void this.#dismiss(dialog);
  }

  /** It counts as closed. Null if there is none. */
  take(): OpenDialog | null {
    const dialog = this.#open;
    if (dialog !== null) this.#setOpen(null);
    return dialog;
  }

  /** Answers the open dialog. @param text of a prompt; null for its default. @returns false if none is open */
  async answer(isAccepted: boolean, text: string | null): Promise<boolean> {
    const dialog = this.take();
    if (dialog === null) return false;
    if (!isAccepted) await dialog.dismiss();
    else await dialog.accept(...(dialog.type() === 'prompt' ? [text ?? dialog.defaultValue()] : []));
    return true;
  }

  /**
   * Dismisses the open dialog and those that follow it, until the page answers. A page that repeats a dialog, or opens too
   * many in a row, has its further dialogs dismissed until the operation ends, and its script terminated.
   * @returns kind and text of the dialogs, in their order
   * @throws Failure ACTION_BLOCKED when the page opens dialogs without end; then one is open, unless the page is being left
   */
  async clear(): Promise<readonly string[]> {
    const dismissed: string[] = [];
    for (let dialog = this.take(); dialog !== null; dialog = this.take()) {
      this.#cleared.add(nameOf(dialog));
      dismissed.push(`${dialog.type()} ${quote(truncate(dialog.message(), MAX_NOTED_LENGTH))}`);
      if (this.#inARow >= MAX_BEFORE_GIVING_UP) {
        if (this.#policy !== 'leave') this.#setOpen(dialog);
        throw endlessDialogsFailure();
      }
      if (this.#inARow >= MAX_IN_A_ROW && this.#policy === 'keep') this.#policy = 'dismiss';
      const answered = this.#dismiss(dialog);
      if (this.#open === null) await race(answered, onCall(this.#keptListeners), afterMs(PING_TIMEOUT_MS));
    }
    return dismissed;
  }

  /**
   * Begins to leave the page: the dialogs that it opens from now on are dismissed. Call `clear` for those before.
   * @param onUnanswerable called when the page opens dialogs without end, or a dialog that cannot be answered because it
   *   opened after Chromium had begun to replace the page: then the page blocks for ever
   * @returns a function that ends this; call it when another document has replaced the page
   */
  leave(onUnanswerable: () => void): () => void {
    this.#policy = 'leave';
    this.#onUnanswerable = onUnanswerable;
    return () => {
      // A later call of `leave` may have replaced this one.
      if (this.#onUnanswerable !== onUnanswerable) return;
      this.#onUnanswerable = null;
      if (this.#policy === 'leave') this.#policy = 'keep';
    };
  }

  #setOpen(dialog: OpenDialog | null): void {
    this.#open = dialog;
    this.#deps.onChange();
  }

  #keep(dialog: OpenDialog): void {
    this.#setOpen(dialog);
    this.#deps.onKept();
    for (const listener of [...this.#keptListeners]) listener();
  }

  /** Dismisses a dialog. @returns a promise that resolves when the page answers; it may never settle */
  #dismiss(dialog: OpenDialog): Promise<void> {
    // Before the dismissal: the script ends as soon as the dialog lets it continue.
    if (++this.#inARow > MAX_IN_A_ROW) this.#deps.terminateScript();
    if (++this.#inOperation >= MAX_IN_AN_OPERATION && this.#policy !== 'leave')
      for (const end of [...this.#endlessListeners]) end();
    dialog.dismiss().catch(error => {
      if (isPageBeingReplaced(error)) this.#onUnanswerable?.();
    });
    const answered = (): void => {
      this.#inARow = 0;
    };
    return this.#deps.ping().then(answered, answered);
  }
}

export const endlessDialogsFailure = (): Failure =>
  new Failure(
    'ACTION_BLOCKED',
    'The page opens one dialog after another without end, so nothing can be done on it. Open another address.',
  );

export const dialogOpenedFailure = (): Failure =>
  new Failure(
    'ACTION_BLOCKED',
    'The page opened a dialog before the operation could begin, so nothing was done. Answer it with S14 or S15.',
  );

const nameOf = (dialog: OpenDialog): string => `${dialog.type()} ${dialog.message()}`;
