/** Clicking: with Playwright's checks, and what to do when they cannot pass. */
import { Failure } from '../../domain/failures.ts';
import { isTimeout } from '../errors.ts';
import { type Acting, patience } from './acting.ts';
import { HeldBack, pressed } from './pressed.ts';

/** `x,y` in CSS pixels from the element's top left corner. */
const POINT = /^(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)$/;

/**
 * Clicks the element, at `value` = `x,y` if given.
 * @throws Failure ACTION_BLOCKED, VALIDATION_ERROR
 */
export async function click(acting: Acting): Promise<void> {
  const position = pointOf(acting.value) ?? acting.point ?? undefined;
  if (!acting.hasBox) return clickInPage(acting);
  try {
    await whenStill(acting, options =>
      pressed(acting, options.force === true, () =>
        acting.locator.click({ ...options, noWaitAfter: true, ...(position && { position }) }),
      ),
    );
  } catch (error) {
    afterRefusal(acting, error);
  }
}

/** An element that moves for longer does not come to rest: it is taken where it is. */
const MOVING_MS = 700;

/** Does what waits for the element to be ready; one that never stands still is not waited for. */
export async function whenStill(
  acting: Acting,
  act: (options: { timeout: number; force?: boolean }) => Promise<void>,
): Promise<void> {
  const { deadline, readyMs } = acting;
  const first = readyMs > 2 * MOVING_MS ? MOVING_MS : readyMs;
  const isMoving = (error: unknown) => isTimeout(error) && lastReason(logOf(error)) === 'moving';
  try {
    return await act(patience(deadline, first));
  } catch (error) {
    if (isMoving(error)) return pressMoving(acting, act, error);
    if (!isTimeout(error) || isDelivered(error) || first === readyMs) throw error;
  }
  try {
    await act(patience(deadline, readyMs - first));
  } catch (error) {
    if (!isMoving(error)) throw error;
    await pressMoving(acting, act, error);
  }
}

/** Playwright does not look at what lies on an element that it is made to press: under something else it is not pressed. */
async function pressMoving(
  acting: Acting,
  act: (options: { timeout: number; force: boolean }) => Promise<void>,
  error: unknown,
): Promise<void> {
  const look =
    'key => { const r = __pagespace.resolve(key); return r.state === "present" && r.status === "valid"; }';
  if (!(await acting.world.call<boolean>(look, acting.listed.key)))
    throw blocked(acting, 'covered', logOf(error), error);
  await act({ ...patience(acting.deadline), force: true });
}

/** A point of a value; undefined where there is none. */
export function pointOf(value: string | null): { x: number; y: number } | undefined {
  if (value === null || value.trim() === '') return undefined;
  const match = POINT.exec(value.trim());
  if (match === null)
    throw new Failure(
      'VALIDATION_ERROR',
      `A click takes no value, or a point such as "10,20"; got "${value.slice(0, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be empty or a point "x,y" in pixels' }],
      },
    );
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** The element's own click(), for one that has no box: the page's handlers run, the pointer does not move. */
export async function clickInPage(acting: Acting): Promise<void> {
  await acting.world.call(
    'key => { const e = __pagespace.element(key); if (e) e.click(); }',
    acting.listed.key,
  );
}

/** The page is too busy with the press to answer. */
const isDelivered = (error: unknown): boolean =>
  lastReason(logOf(error)) === 'other' && /performing (click|check|uncheck|hover) action/.test(logOf(error));

const logOf = (error: unknown): string => (error instanceof Error ? error.message : '');

function afterRefusal(acting: Acting, error: unknown): void {
  if (error instanceof HeldBack) throw blocked(acting, 'covered', '', error);
  if (!isTimeout(error)) throw error;
  // Reading the page deals with its being busy.
  if (isDelivered(error)) return;
  const log = logOf(error);
  throw blocked(acting, lastReason(log), log, error);
}

type Refusal = 'covered' | 'moving' | 'invisible' | 'disabled' | 'outside' | 'other';

function lastReason(log: string): Refusal {
  const reasons: readonly (readonly [Refusal, RegExp])[] = [
    ['covered', /intercepts pointer events/g],
    ['moving', /element is not stable/g],
    ['invisible', /element is not visible/g],
    ['disabled', /element is not enabled/g],
    ['outside', /element is outside of the viewport/g],
  ];
  let found: Refusal = 'other';
  let at = -1;
  for (const [reason, pattern] of reasons)
    for (const match of log.matchAll(pattern))
      if (match.index > at) {
        at = match.index;
        found = reason;
      }
  return found;
}

function blocked(acting: Acting, reason: Refusal, log: string, cause: unknown): Failure {
  const { id, description } = acting.listed;
  const cover = /(<[^>]{1,200}>)[^\n]{0,200} intercepts pointer events/.exec(log)?.[1];
  const why: Readonly<Record<Refusal, string>> = {
    covered: `it is covered by ${acting.cover ?? cover ?? 'another element'}`,
    moving: 'it does not stand still',
    invisible: 'it is not visible',
    disabled: 'it is disabled',
    outside: 'it lies outside of the page',
    other: 'it did not become ready',
  };
  return new Failure('ACTION_BLOCKED', `${id} (${description}) cannot be done now: ${why[reason]}.`, {
    cause,
  });
}

/** The failure for an element that cannot be acted on, of any action. */
export function notReady(acting: Acting, error: unknown): unknown {
  if (!isTimeout(error)) return error;
  const log = logOf(error);
  return blocked(acting, lastReason(log), log, error);
}
