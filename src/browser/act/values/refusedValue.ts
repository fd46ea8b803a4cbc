import { Failure } from '../../../domain/failure/failures.ts';
import { cutText, quote } from '../../../domain/space/pageText.ts';
import type { FocusTaker } from '../../injected/act/keyGuard.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';

/** Maximum length of an entered value in a failure text. Characters. */
const MAX_VALUE_LENGTH = 100;

/**
 * The failure VALUE_REFUSED: after the step the element holds something else than the step entered. The lease adds the
 * current list of actions to it.
 */
export class RefusedValue extends Failure {
  /**
   * @param held what the element holds now, as the page gives it; null if it is gone
   * @param taker what would have got the keys of the step in place of the element; null if the element got them all
   */
  constructor(
    { id, description }: ListedElement,
    value: string,
    held: string | null,
    taker: FocusTaker | null = null,
  ) {
    const state = held === null ? 'It is gone now.' : `It holds ${quote(held)} now.`;
    const reason = taker === null ? '' : ` ${sayTaker(taker)}`;
    super(
      'VALUE_REFUSED',
      `${id} (${description}) did not keep ${quote(cutText(value, MAX_VALUE_LENGTH))}. ${state}${reason}`,
      { errors: [{ path: 'value', message: 'was not kept by the element' }] },
    );
  }
}

/** Maximum number of actions that the failure of a read-only field names. */
const MAX_OPENED = 5;

/**
 * The failure ACTION_BLOCKED of a field that stays read-only when it is pressed. The lease adds the current list of actions to it.
 * @param before ids of the actions that the page had before the press
 * @param opened the actions that the press has added
 */
export class ReadOnlyField extends Failure {
  readonly field: ListedElement;
  readonly before: ReadonlySet<string>;

  constructor(field: ListedElement, before: ReadonlySet<string>, opened: readonly ListedElement[] = []) {
    const named = opened.slice(0, MAX_OPENED).map(({ id, description }) => `${id} (${description})`);
    const more = opened.length > MAX_OPENED ? ` and ${opened.length - MAX_OPENED} more` : '';
    const what = opened.length === 0 ? '' : ` That has opened ${named.join(', ')}${more}: choose there.`;
    super(
      'ACTION_BLOCKED',
      `${field.id} (${field.description}) is read-only, also after it was pressed.${what}`,
      { retryable: false },
    );
    this.field = field;
    this.before = before;
  }
}

export const sayTaker = ({ label }: FocusTaker): string =>
  label === null
    ? 'It lost the focus while the step typed; the rest of the keys was not sent.'
    : `The focus went to ${label} while the step typed; the rest of the keys was not sent.`;
