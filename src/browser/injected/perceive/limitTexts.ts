/** Limits the texts of an observation: they cross two process boundaries, and are part of responses and stored events. */
import { normalizeLines, truncateQuoting } from '../../../domain/space/pageText.ts';
import { choiceLabel, normalizeText, truncate } from './element/plainText.ts';
import type { ObservedElement } from './wireFormat.ts';

/** Maximum length of the description, the category and the value of one element, in characters. Real pages stay far below. */
const MAX_LENGTH = { description: 1_000, category: 200, value: 2_000 } as const;
/**
 * Maximum total length of the values, defaults and choices of all elements of one frame, in characters: `top` for the top
 * frame, `inner` for each child frame.
 */
const MAX_TOTAL_VALUES = { top: 8_000_000, inner: 1_000_000 } as const;

/**
 * Returns the elements with their texts cut to the maximum lengths. When all values together are too long, the later
 * elements get no values.
 */
export function limitTexts(elements: readonly ObservedElement[], isTopFrame: boolean): ObservedElement[] {
  let remaining: number = isTopFrame ? MAX_TOTAL_VALUES.top : MAX_TOTAL_VALUES.inner;
  return elements.map(element => {
    const value = element.value === null ? null : truncate(normalizeLines(element.value), MAX_LENGTH.value);
    const params = element.params.map(param => ({
      ...param,
      default: param.default === null ? null : truncate(normalizeLines(param.default), MAX_LENGTH.value),
      values: param.values?.map(choice => choiceLabel(choice)) ?? null,
    }));
    remaining -= value?.length ?? 0;
    for (const { default: defaultValue, values } of params) {
      remaining -= defaultValue?.length ?? 0;
      for (const choice of values ?? []) remaining -= choice.length;
    }
    return {
      ...element,
      name: normalizeText(element.name),
      description: truncateQuoting(element.description, MAX_LENGTH.description),
      category: truncateQuoting(element.category, MAX_LENGTH.category),
      value: remaining < 0 ? null : value,
      params: remaining < 0 ? params.map(param => ({ ...param, default: null, values: null })) : params,
    };
  });
}
