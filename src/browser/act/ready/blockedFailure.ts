/** Creates ACTION_BLOCKED for elements that do not become ready for a click or for input. */
import { Failure } from '../../../domain/failure/failures.ts';
import { quote } from '../../../domain/space/pageText.ts';
import {
  coveringTagOf,
  hasLeftView,
  isTimeout,
  type NotReadyReason,
  notReadyReasonOf,
} from '../../cdp/playwrightInternals.ts';
import type { ElementContext } from '../element/elementContext.ts';

/**
 * Creates ACTION_BLOCKED for an element that did not become ready; the text gives the reason.
 * @param cause the error of Playwright or of `guardedClick`; its text can name the covering element
 */
export function blockedFailure(element: ElementContext, reason: NotReadyReason, cause: unknown): Failure {
  const { id, description } = element.listed;
  const tag = coveringTagOf(cause);
  const why: Readonly<Record<NotReadyReason, string>> = {
    covered: `it is covered by ${element.coveredBy ?? (tag === null ? 'another element' : quote(tag))}`,
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

/** Converts Playwright's error of an element that is not ready to ACTION_BLOCKED with the reason. Returns every other error unchanged. */
export function toBlockedFailure(element: ElementContext, error: unknown): unknown {
  if (!isTimeout(error) && !hasLeftView(error)) return error;
  return blockedFailure(element, notReadyReasonOf(error), error);
}
