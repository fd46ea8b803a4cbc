import { Failure } from '../../../domain/failures.ts';
import { toBlockedFailure } from '../blockedFailure.ts';
import type { ElementContext } from '../elementContext.ts';
import { boundingBox, MOUSE_STEPS, type Point, viewportPoint } from '../geometry.ts';
import { type PointerTarget, parsePointerTargets } from '../pointerTargets.ts';
import { areSortableSiblings, dragPastSibling } from '../sortableDrag.ts';
import { timeoutOption } from '../timeoutOption.ts';
import { whenStable } from '../whenStable.ts';
import { parseQuotedText, selectText } from './selectText.ts';
import type { PerformSpecialAction, SpecialActionContext } from './specialActionContext.ts';

/** Maximum number of points to which one drag moves the pointer, without the start. */
const MAX_STOPS = 200;
const MOUSE_STEPS_BETWEEN_STOPS = 3;

/**
 * Drags an element onto another: `B1,B2`, or from point to point: `B1@5,5 -> B2@40,8`, or through several points:
 * `B1@0,0 -> B1@9,5 -> B1@0,9`. The text is in `value`, or in the parameters `from` and `to`. If it contains quoted
 * text of the page, selects that text instead: `"from here" -> "to there"`, or inside one element: `I1 "here"`.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED
 */
export const drag: PerformSpecialAction = context => {
  const { command, tab } = context;
  const value = [command.params.from, command.params.to, command.value]
    .filter(part => part != null)
    .join(' ');
  const quoted = parseQuotedText(value);
  return tab.interruptible(quoted === null ? dragElement(context, value) : selectText(context, quoted));
};

async function dragElement({ id, resolveElement }: SpecialActionContext, value: string): Promise<void> {
  const [from, ...stops] = parsePointerTargets(value);
  const to = stops.at(-1);
  if (from === undefined || to === undefined || stops.length > MAX_STOPS)
    throw new Failure(
      'VALIDATION_ERROR',
      `${id} needs two ids of listed elements in "value", such as B1,B2, or at most ${MAX_STOPS} stops; or quoted text of the page, to select it.`,
      {
        errors: [
          { path: 'value', message: 'must be two ids of listed elements: what is dragged, and where to' },
        ],
      },
    );
  const source = await resolveElement(from.id);
  const targets = new Map([[from.id, source]]);
  for (const stop of stops) if (!targets.has(stop.id)) targets.set(stop.id, await resolveElement(stop.id));
  const target = targets.get(to.id) ?? source;
  try {
    // Scroll both into view before the button is pressed, if they fit.
    if (from.id !== to.id) await target.locator.scrollIntoViewIfNeeded(timeoutOption(target.deadline));
    await pressSource(source, from);
    try {
      const { mouse } = source.tab.page;
      const [onlyStop] = stops;
      const isSortable =
        stops.length === 1 && onlyStop?.position === undefined && (await areSortableSiblings(source, target));
      if (isSortable) await dragPastSibling(source, target);
      else
        for (const stop of stops) {
          const stopElement = targets.get(stop.id) ?? source;
          const point =
            stopElement === source
              ? await viewportPoint(stopElement, stop.position ?? null)
              : await dropPoint(stopElement, stop);
          await mouse.move(point.x, point.y, {
            steps: stops.length === 1 ? MOUSE_STEPS : MOUSE_STEPS_BETWEEN_STOPS,
          });
        }
    } finally {
      await source.tab.page.mouse.up();
    }
  } catch (error) {
    throw toBlockedFailure(source, error);
  }
}

/**
 * Moves the mouse to the element that is dragged, and presses the button there. Checks first that no other element
 * receives the press; does not check this for a point outside of the element's box.
 */
async function pressSource(source: ElementContext, from: PointerTarget): Promise<void> {
  const { mouse } = source.tab.page;
  const position = from.position ?? source.clickPoint;
  if (position !== null && !(await isInside(source, position))) {
    await source.locator.scrollIntoViewIfNeeded(timeoutOption(source.deadline));
    const start = await viewportPoint(source, position);
    await mouse.move(start.x, start.y);
  } else
    await whenStable(source, options =>
      source.locator.hover({ ...options, ...(position !== null && { position }) }),
    );
  await mouse.down();
}

/**
 * Scrolls an element into view and returns the point in the viewport to which the drag moves the pointer. Does not check
 * that the element receives pointer events, because a drop area need not react to them.
 */
async function dropPoint(target: ElementContext, { position }: PointerTarget): Promise<Point> {
  await target.locator.scrollIntoViewIfNeeded(timeoutOption(target.deadline));
  return viewportPoint(target, position ?? target.clickPoint);
}

async function isInside(element: ElementContext, { x, y }: Point): Promise<boolean> {
  const box = await boundingBox(element);
  return x >= 0 && y >= 0 && x < box.width && y < box.height;
}
