/** S9, S10, S16 and S17: scrolling, hovering and dragging; on elements by their ids, or on the page. */
import { Failure } from '../../domain/failures.ts';
import type { StepCommand } from '../../domain/ports.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import { type Acting, patience } from './acting.ts';
import { notReady } from './click.ts';

/** Finds what an id of the command's value stands for. @throws Failure ACTION_NOT_FOUND, ACTION_STALE */
export type FindActing = (id: string) => Promise<Acting>;

const ID = /^[LBI]\d+$/i;

const SCROLL = `(key, direction, pixels) => {
  const page = document.scrollingElement || document.documentElement;
  const region = key === null ? page : __pagespace.element(key);
  if (!region) return false;
  let target = region;
  for (let e = region; e; e = e.parentElement) {
    const style = getComputedStyle(e);
    if (e.scrollHeight > e.clientHeight + 1 && (e === page || /auto|scroll|overlay/.test(style.overflowY))) { target = e; break; }
    target = page;
  }
  const step = pixels === null ? Math.max(40, (target === page ? innerHeight : target.clientHeight) * 0.85) : pixels;
  const before = target.scrollTop;
  target.scrollBy({ top: direction * step, behavior: 'instant' });
  return target.scrollTop !== before;
}`;

/** S9 (direction 1) and S10 (-1): by pixels, the id of a scrollable region, or a page's height. */
export async function scroll(
  command: StepCommand,
  direction: 1 | -1,
  top: IsolatedWorld,
  find: FindActing,
): Promise<void> {
  const value = (command.params.pixels ?? command.value ?? '').trim();
  if (ID.test(value)) {
    const acting = await find(value.toUpperCase());
    await acting.world.call(SCROLL, acting.listed.key, direction, null);
    return;
  }
  const pixels = value === '' ? null : Number(value.replace(/px$/i, ''));
  if (pixels !== null && (!Number.isFinite(pixels) || pixels < 0))
    throw new Failure(
      'VALIDATION_ERROR',
      `${command.actionId} takes pixels or the id of a region; got "${value.slice(0, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be a number of pixels, or the id of a scrollable region' }],
      },
    );
  await top.call(SCROLL, null, direction, pixels);
}

/** S16. */
export async function hover(command: StepCommand, find: FindActing): Promise<void> {
  const id = (command.params.action_id ?? command.params.actionId ?? command.value ?? '')
    .trim()
    .toUpperCase();
  if (!ID.test(id))
    throw new Failure('VALIDATION_ERROR', 'S16 needs the id of a listed element in "value", such as B3.', {
      errors: [{ path: 'value', message: 'must be the id of a listed element' }],
    });
  const acting = await find(id);
  try {
    await acting.locator.hover(patience(acting.deadline));
  } catch (error) {
    throw notReady(acting, error);
  }
}

/** `B1`, or `B1@10,20`: a point of the element, in pixels from its top left corner. */
const END = /([LBI]\d+)(?:@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?))?/gi;
/** Pages that follow the pointer (sortable lists, sliders, drawings) need to see it on its way. */
const MOVES = 12;

interface End {
  readonly id: string;
  readonly position?: { readonly x: number; readonly y: number };
}

/** S17: `from` onto `to`, in `value` ("B1,B2", "B1@5,5 -> B2@40,8") or as parameters. */
export async function drag(command: StepCommand, find: FindActing): Promise<void> {
  const ends = endsOf(
    [command.params.from, command.params.to, command.value].filter(text => text != null).join(' '),
  );
  const [from, to] = ends;
  if (from === undefined || to === undefined || ends.length !== 2)
    throw new Failure(
      'VALIDATION_ERROR',
      'S17 needs two ids of listed elements in "value", such as "B1,B2".',
      {
        errors: [
          { path: 'value', message: 'must be two ids of listed elements: what is dragged, and where to' },
        ],
      },
    );
  const source = await find(from.id);
  const target = await find(to.id);
  try {
    if (from.position === undefined && to.position === undefined)
      await source.locator.dragTo(target.locator, { ...patience(source.deadline, 8_000), steps: MOVES });
    else await dragBetweenPoints(source, from, target, to);
  } catch (error) {
    throw notReady(source, error);
  }
}

/** Points may lie outside of their elements (a circle dragged to its left), so the mouse goes by itself. */
async function dragBetweenPoints(source: Acting, from: End, target: Acting, to: End): Promise<void> {
  await source.locator.scrollIntoViewIfNeeded(patience(source.deadline));
  const start = await pointIn(source, from);
  const end = await pointIn(target, to);
  const { mouse } = source.tab.page;
  await mouse.move(start.x, start.y);
  await mouse.down();
  try {
    await mouse.move(end.x, end.y, { steps: MOVES });
  } finally {
    await mouse.up();
  }
}

async function pointIn(acting: Acting, { position }: End): Promise<{ x: number; y: number }> {
  const box = await acting.locator.boundingBox(patience(acting.deadline));
  if (box === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${acting.listed.id} (${acting.listed.description}) has no place on the page now.`,
    );
  const inside = position ?? { x: box.width / 2, y: box.height / 2 };
  return { x: box.x + inside.x, y: box.y + inside.y };
}

function endsOf(text: string): readonly End[] {
  return [...text.matchAll(END)].map(([, id = '', x, y]) => ({
    id: id.toUpperCase(),
    ...(x !== undefined && y !== undefined && { position: { x: Number(x), y: Number(y) } }),
  }));
}
