/** Reads the target of a gesture from the value of a special action, and moves the pointer there. */
import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import {
  MODIFIER_GRAMMAR,
  POINTER_TARGET_GRAMMAR,
} from '../../../domain/specialActions/specialActionDefinition.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { pointOfTime } from '../pointer/click.ts';
import type { Point } from '../pointer/geometry.ts';
import { hoverOver } from '../pointer/heldKeys.ts';
import { type Modifier, type PointerTarget, parseLeadingTarget } from '../pointer/pointerTargets.ts';
import { toBlockedFailure } from '../ready/whenReady.ts';
import { findInDocuments } from './selectText.ts';
import { invalidValue, type SpecialActionContext } from './specialActionContext.ts';

export interface GestureTarget {
  readonly target: PointerTarget;
  /** The part of the value after the target, such as `300` in `B1 300`; empty if there is none. */
  readonly rest: string;
}

/** Reads the target of a gesture: the parameter `action_id`, else the `value`. @throws Failure VALIDATION_ERROR, with the grammar */
export function gestureTargetOf({ id, command }: SpecialActionContext): GestureTarget {
  const named = command.params.action_id ?? command.params.actionId;
  const value = [command.params.modifiers, named].filter(part => part != null).join('+');
  const text = named === undefined ? (command.value ?? '') : `${value} ${command.value ?? ''}`;
  const found = parseLeadingTarget(text);
  if (found !== null) return found;
  throw invalidValue(id, `takes ${POINTER_TARGET_GRAMMAR}. ${MODIFIER_GRAMMAR}`, text.trim());
}

/** Fails if the value has more text after the target. @throws Failure VALIDATION_ERROR */
export function assertNoRest({ id, command }: SpecialActionContext, { rest }: GestureTarget): void {
  if (rest !== '')
    throw invalidValue(
      id,
      `takes only ${POINTER_TARGET_GRAMMAR}. ${MODIFIER_GRAMMAR}`,
      command.value ?? rest,
    );
}

/** A target that is found on the page: an element, or a point of the visible page. */
export type FoundTarget =
  | {
      readonly element: ElementContext;
      readonly position: Point | null;
      readonly modifiers: readonly Modifier[];
    }
  | {
      readonly element: null;
      readonly position: Point;
      readonly modifiers: readonly Modifier[];
      /** Returns the position anew, when something else may have scrolled it away; absent for one that stays. */
      readonly again?: () => Promise<Point>;
    };

/** Finds the element of a target. @throws Failure VALIDATION_ERROR for a point outside of the visible page; those of `resolveElement` */
export async function findTarget(context: SpecialActionContext, target: PointerTarget): Promise<FoundTarget> {
  const { modifiers, position = null, time } = target;
  if (target.id !== null && time !== undefined) {
    const day = await context.resolveElement(target.id);
    const again = (): Promise<Point> => pointOfTime(day, time);
    return { element: null, position: await again(), modifiers, again };
  }
  if (target.words !== undefined)
    return { element: null, position: await pointOfWords(context, target.words), modifiers };
  if (target.id !== null) return { element: await context.resolveElement(target.id), position, modifiers };
  const size = context.tab.page.viewportSize();
  const point = position ?? { x: 0, y: 0 };
  if (size !== null && (point.x < 0 || point.y < 0 || point.x >= size.width || point.y >= size.height))
    throw new Failure(
      'VALIDATION_ERROR',
      `${context.id}: the point ${point.x},${point.y} is outside of the visible page, which is ${size.width} pixels wide and ${size.height} high.`,
      { errors: [{ path: 'value', message: `must be a point within ${size.width},${size.height}` }] },
    );
  return { element: null, position: point, modifiers };
}

/** Returns the middle of words that the page shows, which are scrolled into view. @throws Failure ACTION_BLOCKED if it does not show them */
async function pointOfWords({ id, topWorld, deadline }: SpecialActionContext, words: string): Promise<Point> {
  const line = await findInDocuments(await topWorld(), words, deadline);
  if (line !== null) return { x: (line[0] + line[2]) / 2, y: (line[1] + line[3]) / 2 };
  const why = `${id}: the page does not show the words "${cutText(words, 100)}".`;
  throw new Failure('ACTION_BLOCKED', why, { retryable: false });
}

/** Moves the pointer to a target. @throws Failure ACTION_BLOCKED */
export async function moveTo({ tab }: SpecialActionContext, found: FoundTarget): Promise<void> {
  if (found.element === null) return tab.page.mouse.move(found.position.x, found.position.y);
  const { element } = found;
  const position = found.position ?? element.clickPoint;
  try {
    await hoverOver(element, position);
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
}
