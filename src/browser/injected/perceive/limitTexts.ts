/** What an observation tells, however much the page has to say: it crosses two processes and stands in answers and in the store. */

import { choiceLabel, truncate } from './plainText.ts';
import type { ObservedElement } from './wireFormat.ts';

/** Characters of each text; no page for people comes near. */
const MAX_LENGTH = { description: 1_000, category: 200, value: 2_000 } as const;
/** Characters of all values and choices together, in the top frame and in each other. */
const MAX_TOTAL_VALUES = { top: 8_000_000, inner: 1_000_000 } as const;

/** The elements with their texts cut; where their values are too much together, those of the later ones are left out. */
export function limitTexts(elements: readonly ObservedElement[], top: boolean): ObservedElement[] {
  let remaining: number = top ? MAX_TOTAL_VALUES.top : MAX_TOTAL_VALUES.inner;
  return elements.map(element => {
    const value = element.value === null ? null : truncate(element.value, MAX_LENGTH.value);
    const params = element.params.map(param => ({
      ...param,
      default: param.default === null ? null : truncate(param.default, MAX_LENGTH.value),
      values: param.values?.map(choice => choiceLabel(choice)) ?? null,
    }));
    remaining -= value?.length ?? 0;
    for (const { default: usual, values } of params) {
      remaining -= usual?.length ?? 0;
      for (const choice of values ?? []) remaining -= choice.length;
    }
    return {
      ...element,
      description: truncate(element.description, MAX_LENGTH.description),
      category: truncate(element.category, MAX_LENGTH.category),
      value: remaining < 0 ? null : value,
      params: remaining < 0 ? params.map(param => ({ ...param, default: null, values: null })) : params,
    };
  });
}
