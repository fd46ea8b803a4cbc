/** Counts the errors that the console of a page would show, those of its frames and workers included, and keeps the first one. */
import type { CDPSession, Page } from 'playwright';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';
import type { ConsoleErrors } from '../../domain/space/space.ts';
import { CHILD_LOG_DOMAIN } from '../cdp/errors.ts';
import { isDialogBlocked } from '../cdp/playwrightInternals.ts';
import { onChildSession, type PipeSession } from '../cdp/playwrightSessions.ts';

const MAX_LENGTH = 200;

/** A value that a script logged or threw, as the protocol describes it. */
interface LoggedValue {
  readonly type: string;
  readonly value?: unknown;
  readonly description?: string;
}
interface Exception {
  readonly exceptionDetails: { readonly text: string; readonly exception?: LoggedValue };
}
interface ConsoleCall {
  readonly type: string;
  readonly args: readonly LoggedValue[];
}

export class ConsoleErrorCounter {
  #errors = 0;
  #first = '';

  /** @param session must have `Runtime` and `Log` enabled; the pipe filter passes errors to it, and to the frames and workers of the page */
  constructor(page: Page, session: CDPSession) {
    this.#listen(session, 'Runtime');
    onChildSession(page, child => this.#listen(child, CHILD_LOG_DOMAIN));
  }

  #listen(session: CDPSession | PipeSession, domain: 'Runtime' | typeof CHILD_LOG_DOMAIN): void {
    const pipe = session as PipeSession;
    pipe.on(`${domain}.exceptionThrown`, thrown => {
      const { text, exception } = (thrown as Exception).exceptionDetails;
      this.#add(() => [text, exception === undefined ? '' : textOf(exception)]);
    });
    pipe.on(`${domain}.consoleAPICalled`, call => {
      const { type, args } = call as ConsoleCall;
      if (type === 'error' || type === 'assert') this.#add(() => args.map(textOf));
    });
    // Playwright's own end has the same events by the same names.
    (session as CDPSession).on('Log.entryAdded', ({ entry: { level, text, url } }) => {
      if (level === 'error' && !isDialogBlocked(text)) this.#add(() => [text, pathOf(url)]);
    });
  }

  clear(): void {
    this.#errors = 0;
  }

  /** Returns the errors since the last `clear`; null for none. */
  get found(): ConsoleErrors | null {
    return this.#errors === 0 ? null : { errors: this.#errors, first: this.#first };
  }

  #add(words: () => readonly string[]): void {
    if (++this.#errors > 1) return;
    this.#first = truncate(
      normalizeText(
        words()
          .filter(word => word !== '')
          .join(' '),
      ),
      MAX_LENGTH,
    );
  }
}

function textOf({ type, value, description }: LoggedValue): string {
  if (type === 'string') return String(value);
  return (description ?? JSON.stringify(value) ?? type).split('\n', 1)[0] ?? '';
}

function pathOf(url: string | undefined): string {
  const address = URL.parse(url ?? '');
  return address === null || address.host === '' ? '' : `${address.host}${address.pathname}`;
}
