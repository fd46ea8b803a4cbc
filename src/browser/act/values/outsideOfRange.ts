import { Failure } from '../../../domain/failure/failures.ts';
import { cutText, quote } from '../../../domain/space/pageText.ts';
import type { ValueRange } from '../../injected/act/sliderReadings.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';

/** Creates VALIDATION_ERROR for a number outside of what a slider accepts. It says what the slider holds. */
export const outsideOfRange = (
  { id, description }: ListedElement,
  value: string,
  { min, max, held }: ValueRange,
): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    `${id} (${description}) takes a number from ${min} to ${max}; got ${quote(cutText(value, 100))}. It holds ${quote(held)} now.`,
    { errors: [{ path: 'value', message: `must be from ${min} to ${max}` }] },
  );
