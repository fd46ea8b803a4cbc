/** Sliders that are no native range: by the keyboard, as their ARIA pattern asks, else by dragging. */
import { Failure } from '../../domain/failures.ts';
import { type Acting, patience } from './acting.ts';
import { click } from './click.ts';

interface SliderState {
  readonly now: number | null;
  readonly min: number;
  readonly max: number;
  readonly vertical: boolean;
  /** Length of the track in pixels. */
  readonly track: number;
}

const READ_SLIDER = `key => {
  const e = __pagespace.element(key);
  if (!e) return null;
  const number = name => { const v = parseFloat(e.getAttribute(name)); return Number.isFinite(v) ? v : null; };
  const track = (e.parentElement || e).getBoundingClientRect();
  const vertical = e.getAttribute('aria-orientation') === 'vertical' || track.height > track.width * 2;
  return { now: number('aria-valuenow'), min: number('aria-valuemin') ?? 0, max: number('aria-valuemax') ?? 100,
    vertical, track: vertical ? track.height : track.width };
}`;

/** More key presses than this are replaced by a drag. */
const MOST_PRESSES = 300;

/**
 * Moves a slider to a value. One that tells its value (aria-valuenow) takes the value itself; one that does not takes
 * steps of the arrow keys: `+5`, `-3`.
 * @throws Failure VALIDATION_ERROR
 */
export async function slide(acting: Acting): Promise<void> {
  const { value, listed, world, locator, deadline } = acting;
  if (value === null) return click(acting);
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
  const read = () => world.call(READ_SLIDER, listed.key) as unknown as Promise<SliderState | null>;
  const state = await read();
  await locator.focus(patience(deadline));
  const relative = /^[+-]/.test(text) && !(state !== null && state.now !== null && state.min < 0);
  if (state === null || relative || state.now === null) return press(acting, target);
  let now = state.now;
  for (let pressed = 0; pressed < MOST_PRESSES && now !== target; pressed++) {
    await press(acting, Math.sign(target - now));
    const next = (await read())?.now ?? null;
    if (next === null || next === now) return;
    if (Math.sign(target - next) !== Math.sign(target - now)) return;
    now = next;
  }
}

async function press(acting: Acting, steps: number): Promise<void> {
  const key = steps < 0 ? 'ArrowLeft' : 'ArrowRight';
  for (let n = 0; n < Math.min(MOST_PRESSES, Math.abs(Math.round(steps))); n++)
    await acting.tab.page.keyboard.press(key);
}
