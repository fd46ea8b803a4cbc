import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { comparedPress } from '../pointer/clickGuard.ts';
import {
  areSortableSiblings,
  DragPointer,
  dragPastSibling,
  type SortingDrag,
} from '../pointer/dragPointer.ts';
import { boundingBox, inPagePixels, type Point, viewportPoint } from '../pointer/geometry.ts';
import { hoverOver, whileHolding } from '../pointer/heldKeys.ts';
import { placedDocuments } from '../pointer/placedDocuments.ts';
import {
  hasOnlyTargets,
  isWords,
  type PointerTarget,
  parseLeadingTarget,
  parsePointerTargets,
  parseStopsWithWords,
} from '../pointer/pointerTargets.ts';
import { scrollIntoView, toBlockedFailure } from '../ready/whenReady.ts';
import { dragCheck, effectCheck } from '../values/valueChecks.ts';
import { type FoundTarget, findTarget } from './gestureTarget.ts';
import { parseQuotedText, selectText } from './selectText.ts';
import {
  invalidValue,
  type PerformSpecialAction,
  type SpecialActionContext,
  uploadPaths,
} from './specialActionContext.ts';

/** Matches ids of uploads at the start of a value: `U1`, or `U1, U2`. */
const UPLOADS = /^\s*(U\d+(?:[\s,]+U\d+)*)\b/i;

interface UploadDrop {
  readonly uploadIds: readonly string[];
  readonly target: PointerTarget | null;
}

/** Parses a value such as `U1 -> B2` or `U1,U2 -> @400,300`; null if it does not begin with an upload. */
function parseUploadDrop(value: string): UploadDrop | null {
  const match = UPLOADS.exec(value);
  if (match?.[1] === undefined) return null;
  const uploadIds = match[1].split(/[\s,]+/).map(id => id.toUpperCase());
  const rest = value.slice(match[0].length).replace(/^[\s,]*(?:->)?/, '');
  const leading = parseLeadingTarget(rest)?.target;
  const target = leading !== undefined && isWords(leading) ? leading : parsePointerTargets(rest).at(-1);
  return { uploadIds, target: target ?? null };
}

/** Drops uploads onto a target. @throws Failure VALIDATION_ERROR when there is no such upload, or no target; ACTION_BLOCKED */
async function dropUploads(context: SpecialActionContext, { uploadIds, target }: UploadDrop): Promise<void> {
  const { id, tab, deadline } = context;
  if (target === null)
    throw invalidValue(
      id,
      'takes the target after the uploads: "U1 -> B2" or "U1 -> @400,300"',
      uploadIds.join(','),
    );
  const files = await uploadPaths(context, uploadIds);
  const note = `Nothing changed: the page did not take what ${id} dropped.`;
  context.addEffectCheck(await effectCheck(await context.topWorld(), null, note));
  const { x, y } = await pointOf(await findTarget(context, target));
  const data = { items: [], files, dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel') =>
    tab.target.channel.send('Input.dispatchDragEvent', { type, x, y, data }, deadline);
  const worlds = (await placedDocuments(await context.topWorld(), deadline)).map(({ world }) => world);
  // A frame that was not observed has no agent.
  const inEach = <T>(call: (world: IsolatedWorld) => Promise<T>) =>
    Promise.all(worlds.map(world => call(world).catch(() => null)));
  await inEach(world => world.callAgent('watchFileDrag'));
  await send('dragEnter');
  await send('dragOver');
  // Chromium opens files that a page does not take in place of the page.
  const isTaken = (await inEach(world => world.callAgent('takesFileDrag'))).includes(true);
  await send(isTaken ? 'drop' : 'dragCancel');
}

async function pointOf({ element, position }: FoundTarget): Promise<{ x: number; y: number }> {
  if (element === null) return position;
  await scrollIntoView(element);
  return viewportPoint(element, position ?? element.clickPoint);
}

/** Maximum number of points to which one drag moves the pointer, without the start. */
const MAX_STOPS = 200;
/** Number of movements of the mouse to the only stop of a drag. */
const STEPS_TO_ONLY_STOP = 16;
const STEPS_BETWEEN_STOPS = 3;
/** Maximum wait for the timers that a press has set. Drag and drop libraries delay a drag by 100 to 250 ms. Milliseconds. */
const MAX_DELAY_MS = 400;
const DELAY_CHECK_MS = 30;

/** Drags through points, drops uploads (`U1 -> B2`) or selects quoted text. Quoted words beside an element are a place: `B1 -> "Done"`. */
export const drag: PerformSpecialAction = context => {
  const { command, tab } = context;
  const value = [command.params.from, command.params.to, command.value]
    .filter(part => part != null)
    .join(' -> ');
  const drop = parseUploadDrop(value);
  if (drop !== null) return tab.interruptible(dropUploads(context, drop));
  const stops = parseStopsWithWords(value);
  const quoted = stops === null ? parseQuotedText(value) : null;
  return tab.interruptible(
    quoted === null
      ? dragElement(context, value, stops ?? parsePointerTargets(value))
      : selectText(context, quoted),
  );
};

async function dragElement(
  context: SpecialActionContext,
  value: string,
  targets: readonly PointerTarget[],
): Promise<void> {
  const [from, ...stops] = targets;
  const isRead = targets.some(isWords) || hasOnlyTargets(value);
  if (from === undefined || stops.length === 0 || stops.length > MAX_STOPS || !isRead)
    throw invalidValue(
      context.id,
      `takes what is dragged and where to: two ids such as "B1,B2", points such as "B1@5,5 -> B2@40,8" or "@10,10 -> @90,40", times of days such as "B1 10:00 -> B1 11:30", at most ${MAX_STOPS} stops; uploads and a target such as "U1 -> B2"; or quoted text of the page, to select it`,
      value,
    );
  const found = await findTargets(context, targets);
  const [source] = found;
  const target = found.at(-1);
  if (source === undefined || target === undefined) return;
  try {
    // Scroll both into view before the button is pressed, if they fit.
    if (target.element !== null && target.element !== source.element) await scrollIntoView(target.element);
    await whileHolding(context.tab, source.modifiers, () =>
      pressMoveRelease(context, source, found.slice(1)),
    );
  } catch (error) {
    const { element } = source;
    throw element === null ? error : toBlockedFailure(element, error);
  }
}

async function findTargets(
  context: SpecialActionContext,
  targets: readonly PointerTarget[],
): Promise<readonly FoundTarget[]> {
  const elements = new Map<string, FoundTarget>();
  const found: FoundTarget[] = [];
  for (const target of targets) {
    const known = target.id === null ? undefined : elements.get(target.id);
    const one =
      known === undefined || known.element === null
        ? await findTarget(context, target)
        : { ...known, position: target.position ?? null };
    if (target.id !== null) elements.set(target.id, one);
    found.push(one);
  }
  return found;
}

async function pressMoveRelease(
  { id, tab, topWorld, deadline, isIdle, addEffectCheck }: SpecialActionContext,
  source: FoundTarget,
  stops: readonly FoundTarget[],
): Promise<void> {
  const world = stops.at(-1)?.element?.world ?? source.element?.world ?? (await topWorld());
  const start = await readyPoint(source);
  const startWorld = source.element?.world ?? (await topWorld());
  const touch =
    source.element !== null && (await startWorld.callAgent('isTouchedOnly', source.element.listed.key));
  // Read before the press: some lists hide the dragged entry and show a copy of it.
  const sorting = await sortingDrag(source, stops);
  addEffectCheck(
    await dragCheck({
      id,
      worlds: [startWorld, world],
      source: source.element?.listed ?? null,
      endsAtPoint: stops.at(-1)?.position != null,
      staysInside: stops.at(-1)?.element === source.element,
    }),
  );
  await DragPointer.use(tab, { modifiers: source.modifiers, touch }, deadline, async pointer => {
    await pointer.moveTo(start);
    if (source.element === null) await pointer.press();
    else await comparedPress(source.element, () => pointer.press());
    await waitForDelay(isIdle, deadline);
    if (sorting === null) await moveThrough(pointer, world, source, stops);
    else await dragPastSibling(pointer, sorting, start);
    await pointer.rest(world);
  });
}

/** Waits for the timers that the press has set: many lists begin a drag only after the button has been held for a while. */
async function waitForDelay(isIdle: () => Promise<boolean>, deadline: Deadline): Promise<void> {
  const end = performance.now() + MAX_DELAY_MS;
  while (performance.now() < end && !(await isIdle()))
    await waitUntil(afterMs(DELAY_CHECK_MS), onAbort(deadline.signal));
}

/** Returns a drag that sorts: one entry of a list onto another. Null for any other drag. */
async function sortingDrag(
  { element }: FoundTarget,
  stops: readonly FoundTarget[],
): Promise<SortingDrag | null> {
  const [onlyStop] = stops;
  if (stops.length !== 1 || onlyStop === undefined || onlyStop.position !== null) return null;
  const target = onlyStop.element;
  if (element === null || target === null || !(await areSortableSiblings(element, target))) return null;
  const [start, end] = await Promise.all([viewportPoint(element, null), viewportPoint(target, null)]);
  return { distance: { x: end.x - start.x, y: end.y - start.y }, target };
}

/** Moves the pressed mouse through all stops. */
async function moveThrough(
  pointer: DragPointer,
  world: ElementContext['world'],
  source: FoundTarget,
  stops: readonly FoundTarget[],
): Promise<void> {
  const steps = stops.length === 1 ? STEPS_TO_ONLY_STOP : STEPS_BETWEEN_STOPS;
  for (const stop of stops) await pointer.moveAlong(await pointOfStop(stop, source), steps, world);
}

/** Returns where the pointer goes for a stop, in the viewport. Scrolls an element into view that is not the dragged one. */
function pointOfStop(stop: FoundTarget, source: FoundTarget): Promise<Point> | Point {
  if (stop.element === null) return stop.again?.() ?? stop.position;
  return stop.element === source.element
    ? viewportPoint(stop.element, stop.position)
    : dropPoint(stop.element, stop.position);
}

/** Waits until what is dragged is ready. Checks that nothing else takes the press, but for a point outside of its box. */
async function readyPoint(source: FoundTarget): Promise<Point> {
  const { element, position } = source;
  if (element === null) return source.again?.() ?? position;
  const pressed =
    position ?? (await handleOf(element)) ?? element.clickPoint ?? (await pointAfterScroll(element));
  if (pressed !== null && !(await isInside(element, pressed))) await scrollIntoView(element);
  else await hoverOver(element, pressed);
  return viewportPoint(element, pressed);
}

/** Scrolls an element that is out of view into view, and returns the point at which a press reaches it; null for its middle. */
async function pointAfterScroll(element: ElementContext): Promise<Point | null> {
  const { inView, coveredBy, world, listed } = element;
  if (inView !== null || coveredBy !== null || listed.framePath.length > 0) return null;
  await scrollIntoView(element);
  const found = await world.callAgent('resolve', listed.key);
  return found.state === 'present' && found.point !== null ? { x: found.point[0], y: found.point[1] } : null;
}

async function handleOf({ world, listed, placement }: ElementContext): Promise<Point | null> {
  const point = await world.callAgent('dragHandlePoint', listed.key);
  return point === null ? null : inPagePixels({ x: point[0], y: point[1] }, placement);
}

/** Returns where a drag ends. A place for drops need not react to the pointer. */
async function dropPoint(target: ElementContext, position: Point | null): Promise<Point> {
  await scrollIntoView(target);
  return viewportPoint(target, position ?? target.clickPoint);
}

async function isInside(element: ElementContext, { x, y }: Point): Promise<boolean> {
  const box = await boundingBox(element);
  return x >= 0 && y >= 0 && x < box.width && y < box.height;
}
