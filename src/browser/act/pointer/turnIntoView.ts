/** Turns a wheel or a carousel, which moves its content by style, until one of its entries is in its window. */
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { ON_TOP, type Placement, toPage } from '../../../domain/space/actionPhrase.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { WheelTurn } from '../../injected/act/wheelTurn.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { DragPointer } from './dragPointer.ts';
import { MOUSE_STEPS, type Point } from './geometry.ts';
import { placedDocuments } from './placedDocuments.ts';

/** Maximum number of drags that turn one wheel. */
const MAX_DRAGS = 40;
/** Length of a drag, as a part of the window of the wheel. */
const PART_OF_WINDOW = 0.8;
/** Maximum wait until a wheel has come to rest. Milliseconds. */
const REST_TIMEOUT_MS = 1_500;
/** Minimum movement that counts. CSS pixels. */
const MIN_MOVEMENT_PX = 1;

/**
 * Drags the content of a wheel until an element is in its window. Does nothing for an element that is in no wheel.
 * @throws Failure ACTION_BLOCKED if the wheel does not turn, and a press elsewhere could mean another entry
 */
export async function turnIntoView(
  tab: Tab,
  { world, listed }: Pick<ElementContext, 'world' | 'listed'>,
  deadline: Deadline,
): Promise<void> {
  const isInFrame = listed.framePath.length > 0;
  let turn = await world.callAgent('wheelTurn', listed.key);
  const half = deadline.remainingMs() / 2;
  for (let nth = 0; turn !== null && nth < MAX_DRAGS && deadline.remainingMs() > half; nth++) {
    const { touch }: WheelTurn = turn;
    // The pointer takes coordinates of the page; the last call may have scrolled it.
    const placement = isInFrame ? await placementOf(tab, world, deadline) : ON_TOP;
    if (placement === null) return;
    const [from, to] = endsOf(turn, placement);
    await DragPointer.use(tab, { touch }, deadline, async pointer => {
      await pointer.moveTo(from);
      await pointer.press();
      await pointer.moveAlong(to, MOUSE_STEPS, world);
      await pointer.rest(world);
    });
    await world.callAgent('waitUntilStill', listed.key, REST_TIMEOUT_MS);
    const next: WheelTurn | null = await world.callAgent('wheelTurn', listed.key);
    const isStill = next !== null && movement(turn, next) < MIN_MOVEMENT_PX;
    turn = next;
    if (isStill) break;
  }
  if (turn === null || turn.explicit) return;
  const why = `${listed.id} (${listed.description}) lies outside of the visible part of its box, which a drag does not turn that far. Bring it into view first: with the buttons of the box, S16 (drag) or S22 (wheel).`;
  throw new Failure('ACTION_BLOCKED', why);
}

/** Returns where the viewport of a frame is in that of the page; null if the frame is gone. */
async function placementOf(
  tab: Tab,
  { context }: IsolatedWorld,
  deadline: Deadline,
): Promise<Placement | null> {
  const placed = await placedDocuments(await tab.world(deadline), deadline);
  return placed.find(({ world }) => world.context.uniqueId === context.uniqueId)?.placement ?? null;
}

/** Returns where a drag starts and ends: through the middle of the window, at most a part of it. */
function endsOf(
  { center, size: [width, height], distance: [right, down] }: WheelTurn,
  placement: Placement,
): readonly [Point, Point] {
  const [x, y] = center;
  const across = limit(right, width * PART_OF_WINDOW) / 2;
  const along = limit(down, height * PART_OF_WINDOW) / 2;
  return [
    toPage(placement, { x: x - across, y: y - along }),
    toPage(placement, { x: x + across, y: y + along }),
  ];
}

const limit = (distance: number, max: number): number => Math.max(-max, Math.min(max, distance));

const movement = (one: WheelTurn, other: WheelTurn): number =>
  Math.hypot(one.distance[0] - other.distance[0], one.distance[1] - other.distance[1]);
