/** Says that a combobox holds text, but no option of it has been chosen. */
import { quote } from '../../../domain/space/pageText.ts';
import type { ElementContext } from '../element/elementContext.ts';
import type { EffectCheck } from './effectCheck.ts';
import { nullIfGone } from './keptCheck.ts';

/** Returns a check for the time when the page has settled after text was entered. Null for a field that is no combobox. */
export const optionsNote =
  ({ world, listed, enter }: ElementContext): EffectCheck =>
  async () => {
    const found = await world.callAgent('offeredOptions', listed.key).catch(nullIfGone);
    // Enter has submitted the text, or has chosen an option.
    if (found === null || (enter && found.count === 0)) return null;
    const { held, options, count } = found;
    if (count === 0) return `${listed.id} holds ${quote(held)}, and offers no option for it.`;
    const more = count > options.length ? ` and ${count - options.length} more` : '';
    return `${listed.id} holds ${quote(held)}, and no option is chosen yet. It offers ${options.map(quote).join(', ')}${more}.`;
  };
