/** Text functions of the injected scripts: those of `pageText`, the labels of options, and ordinals. */
import { normalizeText, truncate } from '../../../../domain/space/pageText.ts';

export { normalizeText, quote, tellingTexts, truncate } from '../../../../domain/space/pageText.ts';

/** Maximum length of one value in `ActionParam.values`. Characters. */
const MAX_CHOICE_LENGTH = 500;

/** Returns the label of an option as `ActionParam.values` contains it; a step can select the option by this text. */
export const choiceLabel = (label: string): string => truncate(normalizeText(label), MAX_CHOICE_LENGTH);

/** Returns the ordinal: 1 → `1st`, 12 → `12th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
