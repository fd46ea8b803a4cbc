/** S9, S10, S16 and S17: scrolling, hovering and dragging; on elements by their ids, or on the page. */
import { Failure } from '../../domain/failures.ts';
import type { StepCommand } from '../../domain/ports.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { Tab } from '../tab.ts';
import { type Acting, patience } from './acting.ts';
import { notReady, whenStill } from './click.ts';
import { areOfOneList, moveInto } from './neighbours.ts';
import { boxOf, type Point, pointIn } from './place.ts';

/** Finds what an id of the command's value stands for. @throws Failure ACTION_NOT_FOUND, ACTION_STALE */
export type FindActing = (id: string) => Promise<Acting>;

/** `B4`, or `B4 300`: a region, and how many pixels of it. */
const REGION = /^([LBI]\d+)(?:[\s,]+(\d+)(?:px)?)?$/i;

type Scrolled = 'scrolled' | 'at its end' | 'not scrollable';

/**
 * Scrolls the element, else the nearest box around it that scrolls; one that only scrolls sideways goes sideways. Without
 * an element the page, or where that stands still what is in its middle, as a wheel would.
 */
const SCROLL = `(key, direction, pixels) => {
  const page = document.scrollingElement || document.documentElement;
  const still = page.scrollHeight <= innerHeight + 1;
  const region = key !== null ? __pagespace.element(key) : still ? document.elementFromPoint(innerWidth / 2, innerHeight / 2) : page;
  let target = page;
  let way = 'top';
  for (let e = region; e && e !== page; e = e.parentElement) {
    const style = getComputedStyle(e);
    if (e.scrollHeight > e.clientHeight + 1 && /auto|scroll|overlay/.test(style.overflowY)) { target = e; break; }
    if (e.scrollWidth > e.clientWidth + 1 && /auto|scroll|overlay/.test(style.overflowX)) { target = e; way = 'left'; break; }
  }
  const size = target === page ? innerHeight : way === 'top' ? target.clientHeight : target.clientWidth;
  const step = pixels === null ? Math.max(40, size * 0.85) : pixels;
  const before = way === 'top' ? target.scrollTop : target.scrollLeft;
  target.scrollBy({ [way]: direction * step, behavior: 'instant' });
  if ((way === 'top' ? target.scrollTop : target.scrollLeft) !== before) return 'scrolled';
  return target === page && still ? 'not scrollable' : 'at its end';
}`;

/**
 * S9 (direction 1) and S10 (-1): by pixels, the id of a region with or without pixels, or a page's height.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED where neither the region nor the page scrolls
 */
export async function scroll(
  command: StepCommand,
  direction: 1 | -1,
  top: IsolatedWorld,
  find: FindActing,
): Promise<void> {
  const value = (command.params.pixels ?? command.value ?? '').trim();
  const region = REGION.exec(value);
  if (region?.[1] !== undefined) {
    const acting = await find(region[1].toUpperCase());
    const most = region[2] === undefined ? null : Number(region[2]);
    const scrolled = await acting.world.call<Scrolled>(SCROLL, acting.listed.key, direction, most);
    if (scrolled === 'not scrollable')
      throw new Failure(
        'ACTION_BLOCKED',
        `${command.actionId}: neither ${acting.listed.id} (${acting.listed.description}) nor the page scrolls.`,
      );
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

/** `B1`, or `B1@10,20`: a point of the element, in pixels from its top left corner. */
const END = /([LBI]\d+)(?:\s*@\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?))?/gi;
const ONE_END = new RegExp(`^${END.source}$`, 'i');
/** Pages that follow the pointer (sortable lists, sliders, drawings) need to see it on its way. */
const MOVES = 12;
/** A line that is drawn along many points: how many at most, and how it is seen to go from one to the next. */
const MOST_ON_THE_WAY = 200;
const MOVES_BETWEEN_STOPS = 3;

interface End {
  readonly id: string;
  readonly position?: Point;
}

/** S16: an id, or a point of its element ("B3@10,20"). */
export async function hover(command: StepCommand, find: FindActing): Promise<void> {
  const text = (command.params.action_id ?? command.params.actionId ?? command.value ?? '').trim();
  const [end] = ONE_END.test(text) ? endsOf(text) : [];
  if (end === undefined)
    throw new Failure(
      'VALIDATION_ERROR',
      'S16 needs the id of a listed element in "value", such as B3, or a point of it, such as B3@10,20.',
      { errors: [{ path: 'value', message: 'must be the id of a listed element' }] },
    );
  const acting = await find(end.id);
  try {
    const { position } = end;
    await whenStill(acting, options => acting.locator.hover({ ...options, ...(position && { position }) }));
  } catch (error) {
    throw notReady(acting, error);
  }
}

/** Words of the page in quotes; straight or curly ones. */
const QUOTED = /["“”]([^"“”]+)["“”]/g;
/** The element that the words are searched in. */
const WORDS_OF = /^\s*([LBI]\d+)\s*[:,]?\s*["“”]/i;

/**
 * S17: `from` onto `to`, in `value` ("B1,B2", "B1@5,5 -> B2@40,8", along several "B1@0,0 -> B1@9,5 -> B1@0,9") or as
 * parameters; or over words of the page, which
 * selects them ("\"from here\"", "\"from here\" -> \"to there\""), of one element where its id stands before ("I1 \"here\"").
 */
export async function drag(
  command: StepCommand,
  tab: Tab,
  top: () => Promise<IsolatedWorld>,
  find: FindActing,
): Promise<void> {
  const text = [command.params.from, command.params.to, command.value].filter(part => part != null).join(' ');
  const words = [...text.matchAll(QUOTED)].map(([, quoted = '']) => quoted);
  if (words.length > 0 && !words.every(quoted => endsOf(quoted).length > 0)) {
    const id = WORDS_OF.exec(text)?.[1];
    const holder = id === undefined ? null : await find(id.toUpperCase());
    if (holder !== null && holder.listed.framePath.length > 0)
      throw new Failure('ACTION_BLOCKED', `S17 selects words of the page itself; ${id} stands in a frame.`);
    return selectWords(tab, await top(), words, holder?.listed.key ?? null);
  }
  const ends = endsOf(text);
  const [from, ...way] = ends;
  const to = way.at(-1);
  if (from === undefined || to === undefined || way.length > MOST_ON_THE_WAY)
    throw new Failure(
      'VALIDATION_ERROR',
      `S17 needs two ids of listed elements in "value", such as B1,B2, or up to ${MOST_ON_THE_WAY} to go along; or words of the page in quotes, to select them.`,
      {
        errors: [
          { path: 'value', message: 'must be two ids of listed elements: what is dragged, and where to' },
        ],
      },
    );
  const source = await find(from.id);
  const targets = new Map([[from.id, source]]);
  for (const { id } of way) if (!targets.has(id)) targets.set(id, await find(id));
  const target = targets.get(to.id) ?? source;
  try {
    // Both in sight before anything is held, where they fit.
    if (from.id !== to.id) await target.locator.scrollIntoViewIfNeeded(patience(target.deadline));
    await takeHold(source, from);
    try {
      const { mouse } = source.tab.page;
      const [aim] = way;
      const among = way.length === 1 && aim?.position === undefined && (await areOfOneList(source, target));
      if (among) await moveInto(source, target);
      else
        for (const stop of way) {
          const there = targets.get(stop.id) ?? source;
          const point =
            there === source ? await pointIn(there, stop.position ?? null) : await reach(there, stop);
          await mouse.move(point.x, point.y, { steps: way.length === 1 ? MOVES : MOVES_BETWEEN_STOPS });
        }
    } finally {
      await source.tab.page.mouse.up();
    }
  } catch (error) {
    throw notReady(source, error);
  }
}

async function selectWords(
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

/** Presses on the source, seen to receive it; a point beside it is pressed as it is. */
async function takeHold(source: Acting, from: End): Promise<void> {
  const { mouse } = source.tab.page;
  const position = from.position ?? source.point;
  if (position !== null && !(await isInside(source, position))) {
    await source.locator.scrollIntoViewIfNeeded(patience(source.deadline));
    const start = await pointIn(source, position);
    await mouse.move(start.x, start.y);
  } else
    await whenStill(source, options =>
      source.locator.hover({ ...options, ...(position !== null && { position }) }),
    );
  await mouse.down();
}

/**
 * Where the pointer lets go. What is dropped on need not react to a pointer itself (a frame drawn with a line does not),
 * so it is not asked for; one that the source left out of sight is brought into it while the source is held.
 */
async function reach(target: Acting, { position }: End): Promise<Point> {
  await target.locator.scrollIntoViewIfNeeded(patience(target.deadline));
  return pointIn(target, position ?? target.point);
}

async function isInside(acting: Acting, { x, y }: Point): Promise<boolean> {
  const box = await boxOf(acting);
  return x >= 0 && y >= 0 && x < box.width && y < box.height;
}

function endsOf(text: string): readonly End[] {
  return [...text.matchAll(END)].map(([, id = '', x, y]) => ({
    id: id.toUpperCase(),
    ...(x !== undefined && y !== undefined && { position: { x: Number(x), y: Number(y) } }),
  }));
}
