/** Describes what the page shows of its work at the time of an observation. */
import { blankBody, describeIndicator, indicatorsAmong, indicatorsOfDocument } from './busyIndicators.ts';
import { unfilledPart } from './expectedContent.ts';

/**
 * Describes the signs of business that a person sees in the document now.
 * @param classed the elements with a class that `mayMarkBusy`; null to search for them
 */
export function busyNow(classed: readonly Element[] | null): readonly string[] {
  const signs = classed === null ? indicatorsOfDocument() : indicatorsAmong(classed);
  const unfilled = blankBody() ?? unfilledPart();
  if (unfilled !== null) signs.add(unfilled);
  return [...signs].map(describeIndicator);
}
