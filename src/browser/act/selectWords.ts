/** Drawing the mouse over words of the page, which selects them. */
import { Failure } from '../../domain/failures.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { Tab } from '../tab.ts';
import { endsOf } from './ends.ts';
import { MOVES } from './place.ts';

/** Words of the page in quotes; straight or curly ones. */
const QUOTED = /["“”]([^"“”]+)["“”]/g;
/** The element that the words are searched in. */
const WORDS_OF = /^\s*([LBI]\d+)\s*[:,]?\s*["“”]/i;

/** Words that a text quotes, and the id of the element that they are looked for in; null where it quotes none, or quotes ids. */
export function quotedWords(
  text: string,
): { readonly words: readonly string[]; readonly holder: string | null } | null {
  const words = [...text.matchAll(QUOTED)].map(([, quoted = '']) => quoted);
  if (words.length === 0 || words.every(quoted => endsOf(quoted).length > 0)) return null;
  return { words, holder: WORDS_OF.exec(text)?.[1]?.toUpperCase() ?? null };
}

/**
 * Selects from the first words to the last; one alone is selected itself.
 * @param holder the key of the element that they are looked for in; null for the page
 * @throws Failure ACTION_BLOCKED where they are not shown
 */
export async function selectWords(
  { page }: Tab,
  top: IsolatedWorld,
  words: readonly string[],
  holder: number | null,
): Promise<void> {
  const [first = '', last = first] = words;
  const from = await placeOf(top, first, holder);
  await page.mouse.move(from[0] + JUST_INSIDE, from[1]);
  await page.mouse.down();
  try {
    // Brought into sight while the button is held: a selection goes on from where it began.
    await page.mouse.move(from[2], from[3], { steps: 2 });
    const to = last === first ? from : await placeOf(top, last, holder);
    await page.mouse.move(to[2] - JUST_INSIDE, to[3], { steps: MOVES });
  } finally {
    await page.mouse.up();
  }
}

/** Nearer to the edge of a character than to its middle. CSS pixels. */
const JUST_INSIDE = 0.5;

async function placeOf(
  top: IsolatedWorld,
  words: string,
  holder: number | null,
): Promise<readonly [number, number, number, number]> {
  const place = await top.call<[number, number, number, number] | null>(
    '(words, holder) => __pagespace.findWords(words, holder)',
    words,
    holder,
  );
  if (place === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `S17: ${holder === null ? 'the page' : 'the element'} does not show the words "${words.slice(0, 100)}".`,
    );
  return place;
}
