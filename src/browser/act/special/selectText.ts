import { Failure } from '../../../domain/failures.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import { MOUSE_STEPS } from '../geometry.ts';
import { parsePointerTargets } from '../pointerTargets.ts';
import type { SpecialActionContext } from './specialActionContext.ts';

/** Matches each text in straight or curly double quotes. */
const QUOTED_TEXT = /["“”]([^"“”]+)["“”]/g;
/** Matches the id before the first quote: the element that contains the text. */
const CONTAINER_ID = /^\s*([LBI]\d+)\s*[:,]?\s*["“”]/i;

/** The text that a drag selects on the page. */
export interface QuotedText {
  /** The text to select; if there are several, the selection goes from the first to the last. */
  readonly texts: readonly string[];
  /** The id of the element in which the text is searched; null to search the whole page. */
  readonly containerId: string | null;
}

/** Parses the quoted text in the value of a drag. @returns null when it contains no quoted text, or quotes only ids of elements */
export function parseQuotedText(value: string): QuotedText | null {
  const texts = [...value.matchAll(QUOTED_TEXT)].map(([, quoted = '']) => quoted);
  if (texts.length === 0 || texts.every(text => parsePointerTargets(text).length > 0)) return null;
  return { texts, containerId: CONTAINER_ID.exec(value)?.[1]?.toUpperCase() ?? null };
}

/**
 * Selects text with the mouse: one text, or from the start of the first text to the end of the last.
 * @throws Failure ACTION_BLOCKED when the page does not show the text, or the element that contains it is in a frame
 */
export async function selectText(
  { id, tab, topWorld, resolveElement }: SpecialActionContext,
  { texts, containerId }: QuotedText,
): Promise<void> {
  const container = containerId === null ? null : await resolveElement(containerId);
  if (container !== null && container.listed.framePath.length > 0)
    throw new Failure(
      'ACTION_BLOCKED',
      `${id} selects text of the page itself; ${containerId} is in a frame.`,
    );
  const world = await topWorld();
  const containerKey = container?.listed.key ?? null;
  const find = (text: string) => findTextPosition(world, text, containerKey, id);
  const { mouse } = tab.page;
  const [first = '', last = first] = texts;
  const from = await find(first);
  await mouse.move(from[0] + EDGE_INSET, from[1]);
  await mouse.down();
  try {
    // The last text is scrolled into view while the button is pressed: the selection keeps its start.
    await mouse.move(from[2], from[3], { steps: 2 });
    const to = last === first ? from : await find(last);
    await mouse.move(to[2] - EDGE_INSET, to[3], { steps: MOUSE_STEPS });
  } finally {
    await mouse.up();
  }
}

/**
 * Distance between the pointer and the outer edge of the first or last selected character. It must be less than half a
 * character, or the character is not selected. CSS pixels.
 */
const EDGE_INSET = 0.5;

/**
 * Finds a text on the page, or in the element with the key `containerKey`.
 * @returns x and y before its first character, x and y after its last: CSS pixels in the viewport
 * @throws Failure ACTION_BLOCKED when the text is not shown
 */
async function findTextPosition(
  world: IsolatedWorld,
  text: string,
  containerKey: number | null,
  actionId: string,
): Promise<readonly [number, number, number, number]> {
  const position = await world.callAgent('findText', text, containerKey);
  if (position === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${actionId}: ${containerKey === null ? 'the page' : 'the element'} does not show the words "${text.slice(0, 100)}".`,
    );
  return position;
}
