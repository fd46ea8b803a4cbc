/** Sliders that are no native range: by the keyboard, as their ARIA pattern asks, else by dragging. */
import { Failure } from '../../domain/failures.ts';
import { click } from './click.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

/** More key presses than this are replaced by a drag. */
const MAX_KEY_PRESSES = 300;

/**
 * Moves a slider to a value. One that tells its value (aria-valuenow), or beside which the page shows it, takes the value
 * itself; one that does neither takes steps of the arrow keys: `+5`, `-3`.
 * @throws Failure VALIDATION_ERROR
 */
export async function moveSlider(element: ElementContext): Promise<void> {
  const { value, listed, locator, deadline } = element;
  if (value === null) return click(element);
  const text = value.trim();
  const target = Number(text.replace(/%$/, ''));
  if (text === '' || !Number.isFinite(target))
    throw new Failure(
      'VALIDATION_ERROR',
      `${listed.id} takes a number, or steps such as +5; got "${value.slice(0, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be a number, or steps such as +5 or -3' }],
      },
    );
  await locator.focus(timeoutOption(deadline));
  const state = await readSlider(element);
  if (/^\+/.test(text) || state === null) return pressArrowKey(element, target);
  const read =
    state.value !== null
      ? async () => (await readSlider(element))?.value ?? null
      : await findDisplayedValue(element);
  if (read === null) return pressArrowKey(element, target);
  await pressUntilValue(element, target, read);
}

const readSlider = ({ world, listed }: ElementContext) => world.callAgent('readSlider', listed.key);

/** Moves once and sees which number of the page moved with it; null if none did. */
async function findDisplayedValue(element: ElementContext): Promise<(() => Promise<number | null>) | null> {
  const { world, listed } = element;
  const numbers = async () => new Map(await world.callAgent('shownNumbers', listed.key));
  for (const direction of [1, -1]) {
    const before = await numbers();
    await pressArrowKey(element, direction);
    const after = await numbers();
    const [moved] = [...after].filter(([place, number]) => before.has(place) && before.get(place) !== number);
    if (moved !== undefined) return async () => (await numbers()).get(moved[0]) ?? null;
  }
  return null;
}

async function pressUntilValue(
  element: ElementContext,
  target: number,
  read: () => Promise<number | null>,
): Promise<void> {
  let now = await read();
  for (let pressed = 0; pressed < MAX_KEY_PRESSES && now !== null && now !== target; pressed++) {
    await pressArrowKey(element, Math.sign(target - now));
    const next: number | null = await read();
    // It does not move any more, or jumps over the value: nearer it does not get.
    if (next === null || next === now || Math.sign(target - next) === -Math.sign(target - now)) return;
    now = next;
  }
}

async function pressArrowKey(element: ElementContext, steps: number): Promise<void> {
  const key = steps < 0 ? 'ArrowLeft' : 'ArrowRight';
  for (let n = 0; n < Math.min(MAX_KEY_PRESSES, Math.abs(Math.round(steps))); n++)
    await element.tab.page.keyboard.press(key);
}
