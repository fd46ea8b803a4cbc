/** What an observation tells, however much the page has to say: it crosses two processes and stands in answers and in the store. */
import type { RawElement } from '../raw.ts';
import { cut, toldChoice } from './text.ts';

/** Characters of each text; no page for people comes near. */
const MOST = { description: 1_000, category: 200, value: 2_000 } as const;
/** Characters of all values and choices together, in the top frame and in each other. */
const MOST_VALUES = { top: 8_000_000, inner: 1_000_000 } as const;

/** The elements with their texts cut; where their values are too much together, those of the later ones are left out. */
export function bounded(elements: readonly RawElement[], top: boolean): RawElement[] {
  let left: number = top ? MOST_VALUES.top : MOST_VALUES.inner;
  return elements.map(element => {
    const value = element.value === null ? null : cut(element.value, MOST.value);
    const params = element.params.map(param => ({
      ...param,
      default: param.default === null ? null : cut(param.default, MOST.value),
      values: param.values?.map(choice => toldChoice(choice)) ?? null,
    }));
    left -= value?.length ?? 0;
    for (const { default: usual, values } of params) {
      left -= usual?.length ?? 0;
      for (const choice of values ?? []) left -= choice.length;
    }
    return {
      ...element,
      description: cut(element.description, MOST.description),
      category: cut(element.category, MOST.category),
      value: left < 0 ? null : value,
      params: left < 0 ? params.map(param => ({ ...param, default: null, values: null })) : params,
    };
  });
}
