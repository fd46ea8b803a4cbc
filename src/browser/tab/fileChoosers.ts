import type { CDPSession, FileChooser, Page } from 'playwright';
import { afterMs, onCall, waitUntil } from '../../async/race.ts';

/** Maximum wait until Playwright has prepared a file chooser that the page has opened. */
const READY_TIMEOUT_MS = 1_000;

/** The file choosers that a page opens. No window opens for them: the caller names uploaded files. */
export class FileChoosers {
  /** The file chooser that the page has opened last; null if there is none, or it was taken, or the page has navigated. */
  #latest: FileChooser | null = null;
  /** The file chooser that the last note was about. */
  #noted: FileChooser | null = null;
  /** Number of file choosers that Chromium has reported, and that Playwright has not. */
  #announced = 0;
  readonly #waiters = new Set<() => void>();

  /** @param session a CDP session of the page; the caller must send `Page.setInterceptFileChooserDialog` */
  constructor(page: Page, session: CDPSession) {
    session.on('Page.fileChooserOpened', () => {
      this.#announced++;
    });
    page.on('filechooser', chooser => {
      this.#latest = chooser;
      this.#announced = 0;
      for (const wake of [...this.#waiters]) wake();
    });
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) this.#latest = null;
    });
  }

  /** The number of files that the open file chooser takes; null if none is open. */
  get open(): 'one' | 'several' | null {
    if (this.#latest === null) return null;
    return this.#latest.isMultiple() ? 'several' : 'one';
  }

  /** Returns a sentence about the open file chooser, once for each; null if none is open. */
  note(): string | null {
    if (this.#latest === null || this.#noted === this.#latest) return null;
    this.#noted = this.#latest;
    const takes = this.#latest.isMultiple() ? 'files' : 'one file';
    return `The page has opened a file chooser, which takes ${takes}: S25 chooses uploads.`;
  }

  /** Returns the open file chooser, and forgets it; null if none is open. */
  take(): FileChooser | null {
    const chooser = this.#latest;
    this.#latest = null;
    return chooser;
  }

  /** Waits until a file chooser that the page has just opened can be used. */
  async ready(): Promise<void> {
    if (this.#announced > 0) await waitUntil(onCall(this.#waiters), afterMs(READY_TIMEOUT_MS));
    this.#announced = 0;
  }
}
