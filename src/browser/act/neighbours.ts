/** Dragging an entry of a list, or a tile of a grid, to the place of another. */
import { type Acting, patience } from './acting.ts';
import { boxOf, MOVES, pointIn } from './place.ts';

/** Neighbours of one kind and about one size: the entries of a list, the tiles of a grid. */
const OF_ONE_LIST = `(a, b) => {
  const [one, other] = [__pagespace.element(a), __pagespace.element(b)];
  if (!one || !other || one === other || one.parentNode !== other.parentNode) return false;
  if (one.localName !== other.localName || one instanceof SVGElement) return false;
  const [r, s] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const near = (m, n) => Math.max(m, n) <= 1.5 * Math.min(m, n);
  return near(r.width, s.width) && near(r.height, s.height);
}`;

/** Whether the one may take the other's place. */
export async function areOfOneList(source: Acting, target: Acting): Promise<boolean> {
  if (source.world.context.uniqueId !== target.world.context.uniqueId) return false;
  return source.world.call<boolean>(OF_ONE_LIST, source.listed.key, target.listed.key);
}

/** Part of a neighbour's side that is passed beyond its middle. */
const BEYOND = 0.25;

/**
 * To take a neighbour's place is to pass its middle: there, sortable lists make room. First up or down, then along its
 * row, as the order of a grid runs.
 */
export async function moveInto(source: Acting, target: Acting): Promise<void> {
  const { mouse } = source.tab.page;
  const from = await pointIn(source, null);
  await target.locator.scrollIntoViewIfNeeded(patience(target.deadline));
  const box = await boxOf(target);
  const middle = await pointIn(target, null);
  const past = (side: number, way: number) => (Math.abs(way) < side / 4 ? 0 : Math.sign(way) * side * BEYOND);
  const x = middle.x + past(box.width, middle.x - from.x);
  const y = middle.y + past(box.height, middle.y - from.y);
  await mouse.move(from.x, y, { steps: MOVES });
  await mouse.move(x, y, { steps: MOVES });
}
