/** Moves sliders that are not an `input` of type range. Uses the keyboard, which their ARIA pattern requires; drags those that ignore it. */

import { readStatedTraits } from '../../cdp/isolatedWorld.ts';
import type { SliderReading } from '../../injected/act/sliderReadings.ts';
import { type ElementContext, invalidText, type KeptCheck } from '../element/elementContext.ts';
import { click } from '../pointer/click.ts';
import { DragPointer } from '../pointer/dragPointer.ts';
import { alongSides, inPagePixels, MOUSE_STEPS, viewportPoint } from '../pointer/geometry.ts';
import { hoverOver } from '../pointer/heldKeys.ts';
import { toBlockedFailure } from '../ready/whenReady.ts';
import { RefusedValue } from './refusedValue.ts';
import { typeCharacters } from './typeCharacters.ts';
import { effectCheck, outsideOfRange } from './valueChecks.ts';

/** Maximum number of movements of the pressed pointer: the first, and corrections by what the slider then says. */
const MAX_MOVEMENTS = 8;
const CORRECTION_STEPS = 2;
/** Maximum wait for the frame in which the page shows the new value. Milliseconds. */
const FRAME_TIMEOUT_MS = 100;

/**
 * Drags the slider's handle along its track to the value. The page says after each movement what the slider holds, so that
 * the next one corrects the position.
 * @param read returns the slider's value; null when it is not known any more
 * @returns the slider's value at the end; null when it is not known any more
 * @throws Failure ACTION_BLOCKED
 */
async function dragSlider(
  element: ElementContext,
  target: number,
  read: () => Promise<number | null>,
): Promise<number | null> {
  const { tab, world, listed, deadline } = element;
  const track = await world.callAgent('sliderTrack', listed.key);
  if (track === null || track.pixelsPerUnit === 0) return read();
  const thumb = inPagePixels(track.press, element.placement);
  const readAfterFrame = async (): Promise<number | null> => {
    await world.callAgent('waitForRest', 1, FRAME_TIMEOUT_MS);
    return read();
  };
  try {
    await hoverOver(element, thumb);
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  const start = await viewportPoint(element, thumb);
  await DragPointer.use(tab, { touch: track.touch }, deadline, async pointer => {
    await pointer.moveTo(start);
    await pointer.press();
    let [at, perUnit, now] = [0, track.pixelsPerUnit, await readAfterFrame()];
    for (let nth = 0; nth < MAX_MOVEMENTS && now !== null && now !== target; nth++) {
      const to: number = at + (target - now) * perUnit;
      const way = alongSides(track.isVertical ? { x: 0, y: to } : { x: to, y: 0 }, element.placement);
      const point = { x: start.x + way.x, y: start.y + way.y };
      await pointer.moveAlong(point, nth === 0 ? MOUSE_STEPS : CORRECTION_STEPS, world);
      const next: number | null = await readAfterFrame();
      if (next === null || next === now) return;
      // A movement in the wrong direction may have ended at the end of the track: then its length says nothing.
      const isAway = Math.sign(next - now) !== Math.sign(target - now);
      perUnit = isAway ? -perUnit : (to - at) / (next - now);
      [at, now] = [to, next];
    }
  });
  return readAfterFrame();
}

/** Maximum number of arrow keys that one step presses to move a slider. */
const MAX_KEY_PRESSES = 300;
/** Maximum wait until the page shows what a key did. Milliseconds. */
const DRAWN_TIMEOUT_MS = 200;

/**
 * Moves a slider to the number in the value. If the slider has no `aria-valuenow` and the page does not show its value,
 * presses an arrow key that many times instead. `+5` always means 5 presses. Without a value it clicks the slider.
 * @returns a check, when the page has settled, that a slider without a known value has moved; null for none
 * @throws Failure VALIDATION_ERROR; VALUE_REFUSED when the slider does not reach the number
 */
export async function moveSlider(element: ElementContext): Promise<KeptCheck | null> {
  const { value, listed, world } = element;
  if (value === null) {
    await click(element);
    return null;
  }
  const text = value.trim();
  const target = Number(text.replace(/%$/, ''));
  if (text === '' || !Number.isFinite(target))
    throw invalidText(
      `${listed.id} takes a number, or steps such as +5`,
      value,
      'must be a number, or steps such as +5 or -3',
    );
  const reading = await readSlider(element);
  const isSteps = /^\+/.test(text);
  if (!isSteps && reading?.range != null && (target < reading.range.min || target > reading.range.max))
    throw outsideOfRange(listed, text, reading.range);
  await element.world.callAgent('focusElement', listed.key);
  if (isSteps || reading === null) {
    await pressArrowKey(element, target);
    return null;
  }
  const unchanged = reading.value === null ? await effectCheck(element.world, listed.key, '') : null;
  const numbers = new Map(reading.value === null ? await world.callAgent('shownNumbers', listed.key) : []);
  const known =
    reading.value !== null
      ? async () => (await readSlider(element))?.value ?? null
      : await findDisplayedValue(element);
  const isDisplayed = known !== null;
  const read = known ?? (await positionReader(element));
  if (read === null) {
    await pressArrowKey(element, target);
    const presses = Math.min(Math.abs(Math.round(target)), MAX_KEY_PRESSES);
    const note = `${listed.id} states no value, so an arrow key was pressed ${presses} times.`;
    element.addEffectCheck?.(async () => note);
    return async () => {
      if (unchanged !== null && (await unchanged()) !== null) throw new RefusedValue(listed, text, '');
    };
  }
  const before = await read();
  const isStill = (now: number | null): boolean => now !== null && now === before && now !== target;
  let held = await pressUntilValue(element, target, read);
  // A slider that the keys do not move is dragged. One that they move past the value accepts no other.
  const isSpin = listed.role === 'spinbutton';
  if (isStill(held)) held = await (isSpin ? typeNumber : dragSlider)(element, target, read);
  // The pattern lets the other two arrows move a slider too; some hear only these.
  if (isStill(held) && !isSpin) held = await pressUntilValue(element, target, read, ACROSS);
  if (held !== null && !isSameNumber(text, held)) throw new RefusedValue(listed, text, String(held));
  const beside = isDisplayed ? null : await numberBeside(element, numbers, target);
  if (beside === null || held === null) return null;
  await dragSlider(element, held + target - beside, read);
  const corrected = await numberBeside(element, numbers, target);
  if (corrected !== null) throw new RefusedValue(listed, text, String(corrected));
  return null;
}

/** Types a number into a spinbutton that the arrow keys do not move, as into a part of a date. @returns the value that it holds then */
async function typeNumber(
  element: ElementContext,
  target: number,
  read: () => Promise<number | null>,
): Promise<number | null> {
  const before = await read();
  await typeCharacters(element.tab, String(target), element, element.deadline);
  return before === null ? null : readChanged(read, before, element);
}

/** Returns true if a number is the one in the text, at the precision of the text: a pointer moves by whole pixels. */
function isSameNumber(text: string, held: number): boolean {
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return held.toFixed(decimals) === Number(text.replace(/%$/, '')).toFixed(decimals);
}

async function readSlider({ world, listed }: ElementContext): Promise<SliderReading | null> {
  const reading = await world.callAgent('readSlider', listed.key);
  if (reading !== 'stated') return reading;
  const stated = await readStatedTraits(world, () => world.agentHandle('element', listed.key));
  if (stated === null) return null;
  const { number, min, max } = stated;
  return { value: number, range: min === null || max === null ? null : { min, max, held: String(number) } };
}

/**
 * Moves the slider by one step, to find the number on the page that changes with it.
 * @returns a function that reads this number from the page; null if no number changed
 */
async function findDisplayedValue(element: ElementContext): Promise<(() => Promise<number | null>) | null> {
  const { world, listed } = element;
  const numbers = async () => new Map(await world.callAgent('shownNumbers', listed.key));
  for (const direction of [1, -1]) {
    const before = await numbers();
    await pressArrowKey(element, direction);
    const after = await numbers();
    const [moved] = [...after].filter(
      ([position, number]) => before.has(position) && before.get(position) !== number,
    );
    if (moved !== undefined) return async () => (await numbers()).get(moved[0]) ?? null;
  }
  return null;
}

/**
 * Presses the arrow keys until the slider has the value, stops moving or jumps over the value: after the first key, as many at once as the
 * distance takes. One that is too far for keys is dragged near the value first.
 * @param read returns the slider's value; null when it is not known any more
 * @param arrows the keys for less and for more
 * @returns the slider's value at the end; null when it is not known any more
 */
async function pressUntilValue(
  element: ElementContext,
  target: number,
  read: () => Promise<number | null>,
  arrows = arrowsOf(element),
): Promise<number | null> {
  let now = await read();
  let step: number | null = null;
  let isDragged = false;
  for (let pressed = 0; pressed < MAX_KEY_PRESSES && now !== null && now !== target; ) {
    if (!isDragged && step !== null && Math.abs(target - now) / step > MAX_KEY_PRESSES - pressed) {
      isDragged = true;
      now = await dragSlider(element, target, read);
      continue;
    }
    const keys: number =
      step === null
        ? 1
        : Math.max(1, Math.min(MAX_KEY_PRESSES - pressed, Math.floor(Math.abs(target - now) / step)));
    await pressArrowKey(element, keys * Math.sign(target - now), arrows);
    pressed += keys;
    if (keys > 1) await element.world.callAgent('waitForRest', 2, DRAWN_TIMEOUT_MS);
    const next = await readChanged(read, now, element);
    if (next === null || next === now) return next;
    // One key jumped over the value: the slider cannot get closer.
    if (keys === 1 && Math.sign(target - next) === -Math.sign(target - now)) return next;
    step ??= Math.abs(next - now);
    now = next;
  }
  return now;
}

/** Distance from the target at which a number that has changed is taken for the value of the slider. */
const NEAR = 3;

/**
 * Returns the number that the page shows for a slider which was moved to a position: one that the movement has changed to nearly the
 * target. Null if there is none, or the target itself.
 */
async function numberBeside(
  { world, listed }: ElementContext,
  before: ReadonlyMap<number, number>,
  target: number,
): Promise<number | null> {
  const now = await world.callAgent('shownNumbers', listed.key);
  const changed = now
    .filter(([at, number]) => before.has(at) && before.get(at) !== number)
    .map(([, number]) => number);
  return changed.includes(target)
    ? null
    : (changed.find(number => Math.abs(number - target) <= NEAR) ?? null);
}

/** Returns a function that reads the slider's position on its track in percent, which is the value that lists state; null if it has none. */
async function positionReader({
  world,
  listed,
}: ElementContext): Promise<(() => Promise<number | null>) | null> {
  const read = () => world.callAgent('sliderPosition', listed.key);
  return (await read()) === null ? null : read;
}

/** Reads the value of a slider after a key; if it is the same as before, once more when the page has drawn. */
async function readChanged(
  read: () => Promise<number | null>,
  before: number,
  { world }: ElementContext,
): Promise<number | null> {
  const now = await read();
  if (now !== before) return now;
  await world.callAgent('waitForRest', 2, DRAWN_TIMEOUT_MS);
  return read();
}

/** The arrow keys of the ARIA patterns: those of a spinbutton go up and down. */
const ALONG = ['ArrowLeft', 'ArrowRight'] as const;
const ACROSS = ['ArrowDown', 'ArrowUp'] as const;

const arrowsOf = ({ listed }: ElementContext): readonly [string, string] =>
  listed.role === 'spinbutton' ? ACROSS : ALONG;

async function pressArrowKey(
  element: ElementContext,
  steps: number,
  [less, more] = arrowsOf(element),
): Promise<void> {
  const key = steps < 0 ? less : more;
  for (let n = 0; n < Math.min(MAX_KEY_PRESSES, Math.abs(Math.round(steps))); n++)
    await element.tab.page.keyboard.press(key);
}
