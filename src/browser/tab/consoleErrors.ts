/** Counts the errors that the console of a page would show, and keeps the first one. */
import type { CDPSession } from 'playwright';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';
import type { ConsoleErrors } from '../../domain/space/space.ts';
import { isDialogBlocked } from '../cdp/playwrightInternals.ts';

/** Maximum length of the first error. Characters. */
const MAX_LENGTH = 200;

/** A value that a script logged or threw, as the protocol describes it. */
interface LoggedValue {
  readonly type: string;
  readonly value?: unknown;
  readonly description?: string;
}

export class ConsoleErrorCounter {
  #errors = 0;
  #first = '';

  /** @param session must have `Runtime` and `Log` enabled; the pipe filter passes errors to it alone */
  constructor(session: CDPSession) {
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
      this.#add(() => [text, exception === undefined ? '' : textOf(exception)]),
    );
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error' || type === 'assert') this.#add(() => args.map(textOf));
    });
    session.on('Log.entryAdded', ({ entry: { level, text, url } }) => {
      if (level === 'error' && !isDialogBlocked(text)) this.#add(() => [text, pathOf(url)]);
    });
  }

  /** Forgets the errors of earlier operations. */
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

/** Returns a value as the console shows it: an error without its stack. */
function textOf({ type, value, description }: LoggedValue): string {
  if (type === 'string') return String(value);
  return (description ?? JSON.stringify(value) ?? type).split('\n', 1)[0] ?? '';
}

/** Returns host and path of an address; empty for one without a host. */
function pathOf(url: string | undefined): string {
  const address = URL.parse(url ?? '');
  return address === null || address.host === '' ? '' : `${address.host}${address.pathname}`;
}
