import type { Action, ActionKind } from '../../domain/space/action.ts';

const NOUNS: readonly (readonly [ActionKind, string])[] = [
  ['link', 'link'],
  ['button', 'button'],
  ['input', 'input'],
];

/**
 * Returns the sentence of a description that says how many actions a page has, those in its frames included.
 * @param frameCount number of frames that have actions
 * @example `It has 2 links, 3 buttons and 1 input, 2 of them in 1 frame.`
 */
export function countSentence(
  actions: readonly Pick<Action, 'kind' | 'frame'>[],
  frameCount: number,
): string {
  if (actions.length === 0) return 'It has no interactive elements.';
  const parts = NOUNS.flatMap(([kind, noun]) => {
    const count = actions.filter(action => action.kind === kind).length;
    return count === 0 ? [] : [counted(count, noun)];
  });
  const framed = actions.filter(({ frame }) => frame !== null).length;
  const where =
    framed === 0
      ? ''
      : `, ${framed === actions.length ? 'all' : `${framed} of them`} in ${counted(frameCount, 'frame')}`;
  return `It has ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}${where}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
