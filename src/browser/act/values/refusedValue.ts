import { Failure } from '../../../domain/failure/failures.ts';
import { cutText, quote } from '../../../domain/space/pageText.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';

/** Maximum length of an entered value in a failure text. Characters. */
const MAX_VALUE_LENGTH = 100;

/**
 * The failure VALUE_REFUSED: after the step the element holds something else than the step entered. The lease adds the
 * current list of actions to it.
 */
export class RefusedValue extends Failure {
  /** @param held what the element holds now, as the page gives it */
  constructor({ id, description }: ListedElement, value: string, held: string) {
    super(
      'VALUE_REFUSED',
      `${id} (${description}) did not keep ${quote(cutText(value, MAX_VALUE_LENGTH))}. It holds ${quote(held)} now.`,
      { errors: [{ path: 'value', message: 'was not kept by the element' }] },
    );
  }
}
