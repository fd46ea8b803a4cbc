/** Describes what the page shows of its work at the time of an observation. */
import { blankBody, describeIndicator, indicatorsAmong, indicatorsOfDocument } from './busyIndicators.ts';
import { unfilledPart } from './expectedContent.ts';
import { heldControl } from './heldControl.ts';

/**
 * Describes the signs of business that a person sees in the document now.
 * @param classed the elements with a class that `mayMarkBusy`; null to search for them
 * @param labelOf returns the label of an element, such as `button "Save"`
 */
export function busyNow(
  classed: readonly Element[] | null,
  labelOf: (element: Element) => string,
): readonly string[] {
  const signs = classed === null ? indicatorsOfDocument() : indicatorsAmong(classed);
  const unfilled = blankBody() ?? unfilledPart();
  if (unfilled !== null) signs.add(unfilled);
  const held = heldControl();
  const described = [...signs].map(describeIndicator);
  return held === null ? described : [...described, `${labelOf(held)}, disabled since it was pressed`];
}
