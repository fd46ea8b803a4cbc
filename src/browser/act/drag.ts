/** S17: one element dragged onto another, a line drawn along points, words selected. */
import { Failure } from '../../domain/failures.ts';
import type { StepCommand } from '../../domain/ports.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { Tab } from '../tab.ts';
import { type Acting, type FindActing, patience } from './acting.ts';
import { notReady, whenStill } from './click.ts';
import { type End, endsOf } from './ends.ts';
import { areOfOneList, moveInto } from './neighbours.ts';
import { boxOf, MOVES, type Point, pointIn } from './place.ts';
import { quotedWords, selectWords } from './selectWords.ts';

/** A line that is drawn along many points: how many at most, and how it is seen to go from one to the next. */
const MOST_ON_THE_WAY = 200;
const MOVES_BETWEEN_STOPS = 3;

/**
 * S17: `from` onto `to`, in `value` ("B1,B2", "B1@5,5 -> B2@40,8", along several "B1@0,0 -> B1@9,5 -> B1@0,9") or as
 * parameters; or over words of the page, which selects them ("\"from here\"", "\"from here\" -> \"to there\""), of one
 * element where its id stands before ("I1 \"here\"").
 */
export async function drag(
  command: StepCommand,
  tab: Tab,
  top: () => Promise<IsolatedWorld>,
  find: FindActing,
): Promise<void> {
  const text = [command.params.from, command.params.to, command.value].filter(part => part != null).join(' ');
  const words = quotedWords(text);
  if (words !== null) {
    const holder = words.holder === null ? null : await find(words.holder);
    if (holder !== null && holder.listed.framePath.length > 0)
      throw new Failure(
        'ACTION_BLOCKED',
        `S17 selects words of the page itself; ${words.holder} stands in a frame.`,
      );
    return selectWords(tab, await top(), words.words, holder?.listed.key ?? null);
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
