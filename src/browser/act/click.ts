/** Clicks with Playwright's checks, and what happens when they fail. */
import { Failure } from '../../domain/failures.ts';
import {
  coveringTagOf,
  isInputDispatched,
  isTimeout,
  type NotReadyReason,
  notReadyReasonOf,
} from '../cdp/playwrightInternals.ts';
import { ClickIntercepted, guardedClick } from './clickGuard.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

/** `x,y` in CSS pixels from the element's top left corner. */
const POINT_PATTERN = /^(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)$/;

/**
 * Clicks the element, at the point `x,y` if that is its value. An element without a box gets `click()` instead.
 * @throws Failure ACTION_BLOCKED, VALIDATION_ERROR
 */
export async function click(element: ElementContext): Promise<void> {
  const position = parsePoint(element.value) ?? element.clickPoint ?? undefined;
  if (!element.hasBox) return clickInPage(element);
  try {
    await whenStable(element, options =>
      guardedClick(element, options.force === true, () =>
        element.locator.click({ ...options, noWaitAfter: true, ...(position && { position }) }),
      ),
    );
  } catch (error) {
    handleClickError(element, error);
  }
}

/** An element that moves for longer than this does not come to rest. It is clicked while it moves. Milliseconds. */
const MOVING_TIMEOUT_MS = 700;

/**
 * Waits until the element is actionable, then runs `act`. An element that never stands still is acted on while it moves, if
 * nothing covers it.
 * @param act passes the options to Playwright
 */
export async function whenStable(
  element: ElementContext,
  act: (options: { timeout: number; force?: boolean }) => Promise<void>,
): Promise<void> {
  const { deadline, readyTimeoutMs } = element;
  const firstTimeoutMs = readyTimeoutMs > 2 * MOVING_TIMEOUT_MS ? MOVING_TIMEOUT_MS : readyTimeoutMs;
  const isMoving = (error: unknown) => isTimeout(error) && notReadyReasonOf(error) === 'moving';
  try {
    return await act(timeoutOption(deadline, firstTimeoutMs));
  } catch (error) {
    if (isMoving(error)) return actOnMovingElement(element, act, error);
    if (!isTimeout(error) || isInputDispatched(error) || firstTimeoutMs === readyTimeoutMs) throw error;
  }
  try {
    await act(timeoutOption(deadline, readyTimeoutMs - firstTimeoutMs));
  } catch (error) {
    if (!isMoving(error)) throw error;
    await actOnMovingElement(element, act, error);
  }
}

/** With `force` Playwright does not check what covers the element, so that is checked before. @throws Failure ACTION_BLOCKED */
async function actOnMovingElement(
  element: ElementContext,
  act: (options: { timeout: number; force: boolean }) => Promise<void>,
  error: unknown,
): Promise<void> {
  const resolution = await element.world.callAgent('resolve', element.listed.key);
  if (resolution.state !== 'present' || resolution.status !== 'valid')
    throw blockedFailure(element, 'covered', error);
  await act({ ...timeoutOption(element.deadline), force: true });
}

/** The point in a value; undefined if the value is empty. @throws Failure VALIDATION_ERROR */
export function parsePoint(value: string | null): { x: number; y: number } | undefined {
  if (value === null || value.trim() === '') return undefined;
  const match = POINT_PATTERN.exec(value.trim());
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

/** Calls the element's `click()`: the handlers of the page run, the pointer does not move. */
export async function clickInPage(element: ElementContext): Promise<void> {
  await element.world.callAgent('clickElement', element.listed.key);
}

/** Throws the failure of a click, unless the page received it. */
function handleClickError(element: ElementContext, error: unknown): void {
  if (error instanceof ClickIntercepted) throw blockedFailure(element, 'covered', error);
  if (!isTimeout(error)) throw error;
  // The page is busy with the click; the next read of the page handles that.
  if (isInputDispatched(error)) return;
  throw blockedFailure(element, notReadyReasonOf(error), error);
}

function blockedFailure(element: ElementContext, reason: NotReadyReason, cause: unknown): Failure {
  const { id, description } = element.listed;
  const why: Readonly<Record<NotReadyReason, string>> = {
    covered: `it is covered by ${element.coveredBy ?? coveringTagOf(cause) ?? 'another element'}`,
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

/** Turns Playwright's timeout into ACTION_BLOCKED with the reason. Returns every other error unchanged. */
export function toBlockedFailure(element: ElementContext, error: unknown): unknown {
  if (!isTimeout(error)) return error;
  return blockedFailure(element, notReadyReasonOf(error), error);
}
