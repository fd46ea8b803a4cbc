import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { toPage } from '../../../domain/space/placement.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { MOUSE_STEPS } from '../pointer/geometry.ts';
import { placedDocuments, placementOf } from '../pointer/placedDocuments.ts';
import { parsePointerTargets } from '../pointer/pointerTargets.ts';
import type { SpecialActionContext } from './specialActionContext.ts';

/** Matches each text in straight or curly double quotes. */
const QUOTED_TEXT = /["“”]([^"“”]+)["“”]/g;
/** Matches the id before the first quote: the element that contains the text. */
const CONTAINER_ID = /^\s*([LBI]\d+)\s*[:,]?\s*["“”]/i;

export interface QuotedText {
  /** The text to select; if there are several, the selection goes from the first to the last. */
  readonly texts: readonly string[];
  /** The id of the element in which the text is searched; null to search the whole page. */
  readonly containerId: string | null;
}

/** Parses the quoted text of a drag; null if it has none, quotes only ids, or has an end without a quotation. */
export function parseQuotedText(value: string): QuotedText | null {
  const texts = [...value.matchAll(QUOTED_TEXT)].map(([, quoted = '']) => quoted);
  const hasBareEnd = value
    .replaceAll(QUOTED_TEXT, '""')
    .split('->')
    .some(end => !end.includes('"'));
  if (texts.length === 0 || hasBareEnd || texts.every(text => parsePointerTargets(text).length > 0))
    return null;
  return { texts, containerId: CONTAINER_ID.exec(value)?.[1]?.toUpperCase() ?? null };
}

/** Selects with the mouse, in the page, then in its frames. @throws Failure ACTION_BLOCKED when the text is not shown */
export async function selectText(
  { id, tab, topWorld, resolveElement, deadline }: SpecialActionContext,
  { texts, containerId }: QuotedText,
): Promise<void> {
  const container = containerId === null ? null : await resolveElement(containerId);
  const top = await topWorld();
  const missing = (text: string): Failure =>
    new Failure(
      'ACTION_BLOCKED',
      `${id}: ${container === null ? 'the page' : 'the element'} does not show the words "${cutText(text, 100)}".`,
      { retryable: false },
    );
  const find = (text: string): Promise<TextLine | null> =>
    container === null ? findInDocuments(top, text, deadline) : findInElement(top, container, text, deadline);
  const { mouse } = tab.page;
  const [first = '', last = first] = texts;
  const ofElement = container === null ? null : await findInFieldOf(top, container, texts, deadline);
  if (ofElement === 'missing') throw missing(first);
  const from = ofElement === null ? await find(first) : null;
  if (from === null) {
    const field = ofElement ?? (container === null ? await findInFields(top, texts, deadline) : null);
    if (field === null || !(await selectInField(tab, field))) throw missing(first);
    return;
  }
  await mouse.move(from[0] + EDGE_INSET, from[1]);
  await mouse.down();
  try {
    // The last text is scrolled into view while the button is pressed: the selection keeps its start.
    await mouse.move(from[2], from[3], { steps: 2 });
    const to = last === first ? from : await find(last);
    if (to === null) throw missing(last);
    await mouse.move(to[2] - EDGE_INSET, to[3], { steps: MOUSE_STEPS });
    if (to !== from) {
      // Chromium scrolls the page, frame by frame, while the pressed pointer is near its edge: only now does the text rest.
      const now = await find(last);
      // A page that shows what is selected has the same text elsewhere.
      const end = now !== null && Math.abs(now[2] - to[2]) < 1 ? now : to;
      await mouse.move(end[2] - EDGE_INSET - 1, end[3]);
      await mouse.move(end[2] - EDGE_INSET, end[3]);
    }
    await top.callAgent('waitForRest', 2, REST_TIMEOUT_MS);
  } finally {
    await mouse.up();
  }
}

/** Maximum wait for the frames in which the page follows the pointer. Milliseconds. */
const REST_TIMEOUT_MS = 200;

/** From the outer edge of the first or last character; half a character would not select it. CSS pixels. */
const EDGE_INSET = 0.5;

/** x and y before the first character of a text, x and y after its last: CSS pixels in the viewport of the page. */
export type TextLine = readonly [number, number, number, number];

/** Scrolls a text of the page, or of its frames, into view, and returns its place; null if none shows it. */
export async function findInDocuments(
  top: IsolatedWorld,
  text: string,
  deadline: Deadline,
): Promise<TextLine | null> {
  const onTop = await top.callAgent('findText', text, null);
  if (onTop !== null) return onTop;
  for (const { world } of await placedDocuments(top, deadline)) {
    if (world.context.uniqueId === top.context.uniqueId) continue;
    // A frame that was not observed has no agent.
    const line = await world.callAgent('findText', text, null).catch(() => null);
    if (line !== null) return onPage(top, world, line, deadline);
  }
  return null;
}

/** Finds a text in an element of the page or of a frame; null if the element does not show it. */
async function findInElement(
  top: IsolatedWorld,
  { world, listed }: ElementContext,
  text: string,
  deadline: Deadline,
): Promise<TextLine | null> {
  const line = await world.callAgent('findText', text, listed.key);
  if (line === null || listed.framePath.length === 0) return line;
  return onPage(top, world, line, deadline);
}

interface FieldWithWords {
  readonly world: IsolatedWorld;
  readonly at: TextLine;
}

/** Finds words in the value of an element; `missing` if it does not hold them, null if it is no field. */
async function findInFieldOf(
  top: IsolatedWorld,
  { world, listed }: ElementContext,
  texts: readonly string[],
  deadline: Deadline,
): Promise<FieldWithWords | 'missing' | null> {
  const line = await world.callAgent('findInField', texts, listed.key);
  if (line === null || line === 'missing') return line;
  const at = listed.framePath.length === 0 ? line : await onPage(top, world, line, deadline);
  return at === null ? null : { world, at };
}

/** Finds words in the values of the fields of the page and of its frames; null if none holds them. */
async function findInFields(
  top: IsolatedWorld,
  texts: readonly string[],
  deadline: Deadline,
): Promise<FieldWithWords | null> {
  for (const { world } of await placedDocuments(top, deadline)) {
    // A frame that was not observed has no agent.
    const line = await world.callAgent('findInField', texts, null).catch(() => null);
    const at = line === null || line === 'missing' ? null : await onPage(top, world, line, deadline);
    if (at !== null) return { world, at };
  }
  return null;
}

/** Selects the words in a field, while the button is pressed in it: pages notice the end of a selection by its release. Returns false if it cannot be selected. */
async function selectInField(tab: Tab, { world, at }: FieldWithWords): Promise<boolean> {
  const { mouse } = tab.page;
  await mouse.move(at[0], at[1]);
  await mouse.down();
  try {
    return await world.callAgent('selectInField');
  } finally {
    await mouse.up();
  }
}

/** Converts positions in a frame to those in the page. Call it after the text was scrolled into view. */
async function onPage(
  top: IsolatedWorld,
  world: IsolatedWorld,
  [fromX, fromY, toX, toY]: TextLine,
  deadline: Deadline,
): Promise<TextLine | null> {
  const placement = await placementOf(top, world, deadline);
  if (placement === null) return null;
  const from = toPage(placement, { x: fromX, y: fromY });
  const to = toPage(placement, { x: toX, y: toY });
  return [from.x, from.y, to.x, to.y];
}
