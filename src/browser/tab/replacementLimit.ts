/** Bounds how often a page is read again because it has replaced its document, or because the end of its script has ended the reading. */
import { Failure } from '../../domain/failure/failures.ts';
import { pageGivenUpFailure } from '../cdp/errors.ts';
import { isDocumentGone, isExecutionTerminated } from '../cdp/playwrightInternals.ts';
import type { Tab } from './tab.ts';

/** A page that replaces its document this often while it is read does so without end. */
const MAX_REPLACEMENTS = 12;
/** A page that is not read after so many ends of scripts never is. */
const MAX_TERMINATIONS = 50;

/** Counts the attempts to read one page. */
export class ReplacementLimit {
  readonly #tab: Tab;
  #replacements = 0;
  #terminations = 0;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /**
   * Returns normally if the page can be read again after an attempt that failed.
   * @param error the error of the attempt
   * @throws Failure NAVIGATION_FAILED when the page replaces its document without end; BROWSER_CRASHED when its scripts were
   * ended too often; `error` itself when reading again cannot help
   */
  assertMayReadAgain(error: unknown): void {
    if (isDocumentGone(error)) {
      if (++this.#replacements > MAX_REPLACEMENTS) throw this.#endlessReplacement(error);
    } else if (!isExecutionTerminated(error)) throw error;
    else if (++this.#terminations > MAX_TERMINATIONS) throw pageGivenUpFailure();
  }

  #endlessReplacement(cause: unknown): Failure {
    this.#tab.replacesItself = true;
    return new Failure(
      'NAVIGATION_FAILED',
      'The page replaces itself without end, so it could not be read. Open another address.',
      { retryable: false, cause },
    );
  }
}
