/** Drawing the mouse over words of the page, which selects them. */
import { Failure } from '../../../domain/failures.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import { MOUSE_STEPS } from '../geometry.ts';
import { parsePointerTargets } from '../pointerTargets.ts';

/** Words of the page in quotes; straight or curly ones. */
const QUOTED_TEXT = /["“”]([^"“”]+)["“”]/g;
/** The element that the words are searched in. */
const TEXT_OF_ELEMENT = /^\s*([LBI]\d+)\s*[:,]?\s*["“”]/i;

/** Words that a text quotes, and the id of the element that they are looked for in; null where it quotes none, or quotes ids. */
export function parseQuotedText(
  text: string,
): { readonly texts: readonly string[]; readonly holder: string | null } | null {
  const words = [...text.matchAll(QUOTED_TEXT)].map(([, quoted = '']) => quoted);
  if (words.length === 0 || words.every(quoted => parsePointerTargets(quoted).length > 0)) return null;
  return { texts: words, holder: TEXT_OF_ELEMENT.exec(text)?.[1]?.toUpperCase() ?? null };
}

/**
 * Selects from the first words to the last; one alone is selected itself.
 * @param containerKey the key of the element that they are looked for in; null for the page
 * @throws Failure ACTION_BLOCKED where they are not shown
 */
export async function selectText(
  { page }: Tab,
  top: IsolatedWorld,
  texts: readonly string[],
  containerKey: number | null,
): Promise<void> {
  const [first = '', last = first] = texts;
  const from = await findTextPosition(top, first, containerKey);
  await page.mouse.move(from[0] + EDGE_INSET, from[1]);
  await page.mouse.down();
  try {
    // Brought into sight while the button is held: a selection goes on from where it began.
    await page.mouse.move(from[2], from[3], { steps: 2 });
    const to = last === first ? from : await findTextPosition(top, last, containerKey);
    await page.mouse.move(to[2] - EDGE_INSET, to[3], { steps: MOUSE_STEPS });
  } finally {
    await page.mouse.up();
  }
}

/** Nearer to the edge of a character than to its middle. CSS pixels. */
const EDGE_INSET = 0.5;

async function findTextPosition(
  top: IsolatedWorld,
  text: string,
  containerKey: number | null,
): Promise<readonly [number, number, number, number]> {
  const position = await top.callAgent('findText', text, containerKey);
  if (position === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `S17: ${containerKey === null ? 'the page' : 'the element'} does not show the words "${text.slice(0, 100)}".`,
    );
  return position;
}
