/**
 * One observation of one document: finds candidates, checks which of them can be reached, names and distinguishes them,
 * assigns keys.
 */
import {
  boxOf,
  clientHeight,
  documentURL,
  getAttribute,
  rememberLabels,
  scrollHeight,
  scrollingElement,
  scrollTop,
  titleOf,
} from '../dom/domGetters.ts';
import { setListenerCount } from '../settle/quiet.ts';
import type { Candidate } from './candidate.ts';
import { classifyPage } from './classifyPage.ts';
import { describePage } from './describePage.ts';
import { clearDisplayCache } from './element/displayCache.ts';
import { clearFieldCounts } from './element/fieldCounts.ts';
import { normalizeText, truncate } from './element/plainText.ts';
import { rememberGenerators, rememberTexts } from './element/renderedText.ts';
import { clearFoundShadowRoots } from './element/shadowRootOf.ts';
import { rememberStatedTraits, reportStatedHosts } from './element/statedTraits.ts';
import type { FrameCandidate } from './find/candidateSearch.ts';
import { findCandidates } from './find/findCandidates.ts';
import { prune } from './find/prune.ts';
import { withoutRepeatedLinks } from './find/repeatedLinks.ts';
import { fingerprintOf } from './fingerprint.ts';
import { framePlaceOf } from './framePlace.ts';
import { type ListedCandidate, rememberSearch } from './lastObservation.ts';
import { limitTexts } from './limitTexts.ts';
import { frameName } from './name/briefLabel.ts';
import { nameCandidate } from './name/elementName.ts';
import { withSectionsApart } from './name/repeatedHeadings.ts';
import { SectionNames } from './name/section.ts';
import { clearTableContext } from './name/tableContext.ts';
import { clearWeekColumns } from './name/weekColumns.ts';
import { createObservationContext, type ObservationContext } from './observationContext.ts';
import { orNull } from './orNull.ts';
import { ReachabilityChecker } from './reach/reachability.ts';
import { toObservedElements } from './toObservedElements.ts';
import type { DocumentObservation, ObservedElement, ObservedFrame, ObserveOptions } from './wireFormat.ts';

/** Maximum length of the page title in an observation. Characters. */
const MAX_TITLE_LENGTH = 1_000;

/**
 * Lists the interactive elements and the iframes of this document.
 * @param nodes the nodes that have event listeners, in the order of `options.listenerTypes`, then the roots of closed shadow
 * trees
 */
export function observeDocument(options: ObserveOptions, nodes: readonly unknown[]): DocumentObservation {
  rememberStatedTraits(options.stated ?? []);
  const context = createObservationContext(options, nodes);
  rememberGenerators(context.styleRules.generators);
  clearDisplayCache();
  clearFieldCounts();
  rememberTexts();
  rememberLabels();
  clearFoundShadowRoots();
  clearTableContext();
  clearWeekColumns();
  setListenerCount(context.handlers.size);
  const search = findCandidates(context);
  const { candidates, frames, closedHosts } = search;
  rememberSearch(context, search);
  reportStatedHosts(search.statedHosts);
  const sectionNames = new SectionNames();
  const checker = new ReachabilityChecker(context);
  const listed = listReachable(prune(candidates, context), checker, sectionNames, context);
  const elements = limitTexts(toObservedElements(listed), options.top);
  const positions = new Map(candidates.map((candidate, index) => [candidate, index] as const));
  const firstListedAfter = (frame: FrameCandidate): number => {
    const index = listed.findIndex(({ candidate }) => (positions.get(candidate) ?? 0) >= frame.before);
    return index < 0 ? elements.length : index;
  };
  return {
    elements,
    frames: frames.map((frame, index) =>
      toObservedFrame(frame, index, firstListedAfter(frame), sectionNames, checker),
    ),
    closedHosts: closedHosts.length,
    statedHosts: search.statedHosts.length,
    url: documentURL(document),
    title: truncate(normalizeText(titleOf(document)), MAX_TITLE_LENGTH),
    ...categoryAndDescription(elements),
    ...scrollDistances(context, listed),
  };
}

function listReachable(
  candidates: readonly Candidate[],
  checker: ReachabilityChecker,
  sectionNames: SectionNames,
  context: ObservationContext,
): readonly ListedCandidate[] {
  const list = (candidate: Candidate): ListedCandidate | null => {
    const reachability = checker.check(candidate);
    if (reachability === null) return null;
    const name = nameCandidate(candidate, context.styleRules.generatesText);
    const category = sectionNames.nameOf(candidate.section, candidate.heading);
    return { candidate, reachability, name, category, fingerprint: fingerprintOf(candidate, name) };
  };
  const listAll = () =>
    candidates.map(candidate => orNull(() => list(candidate))).filter(one => one !== null);
  let listed = listAll();
  if (showsCanvasOnly(listed)) {
    for (const candidate of candidates) if (isNamedButton(candidate)) candidate.unseen = true;
    listed = listAll();
  }
  return withSectionsApart(withoutRepeatedLinks(listed));
}

/** Returns true if people can use nothing of the document but a canvas, in which an application draws all it shows. */
const showsCanvasOnly = (listed: readonly ListedCandidate[]): boolean =>
  listed.length > 0 && listed.every(({ candidate }) => candidate.control === 'canvas');

/** Returns true for a button for screen readers: it may make an application that draws on a canvas list what it draws. */
const isNamedButton = ({ element, letter, basis, unrendered }: Candidate): boolean =>
  letter === 'B' &&
  (basis === 'role' || basis === 'control') &&
  !unrendered &&
  getAttribute(element, 'aria-label') !== null;

const frameKeys = new WeakMap<Element, number>();
let highestFrameKey = 0;

function keyOfFrame(element: Element): number {
  const key = frameKeys.get(element) ?? ++highestFrameKey;
  frameKeys.set(element, key);
  return key;
}

function toObservedFrame(
  frame: FrameCandidate,
  index: number,
  before: number,
  sectionNames: SectionNames,
  checker: ReachabilityChecker,
): ObservedFrame {
  const { element } = frame;
  const rect = boxOf(element);
  return {
    before,
    index,
    key: keyOfFrame(element),
    place: framePlaceOf(element),
    name: frameName(element),
    usable: !frame.hidden && rect.width > 2 && rect.height > 2,
    layer: orNull(() => checker.layerOf(element)),
    category: sectionNames.nameOf(frame.section, frame.heading),
  };
}

function scrollDistances(
  context: ObservationContext,
  listed: readonly ListedCandidate[],
): { scrollableDown: number; scrollableUp: number } {
  const distances = listed
    .filter(({ candidate }) => candidate.basis === 'scroll' || candidate.tag === 'textarea')
    .map(({ candidate }) => scrollDistance(candidate.element, clientHeight(candidate.element)));
  const root = scrollingElement(document);
  if (root !== null) distances.push(scrollDistance(root, context.height));
  return {
    scrollableUp: Math.max(0, ...distances.map(({ up }) => up)),
    scrollableDown: Math.max(0, ...distances.map(({ down }) => down)),
  };
}

function scrollDistance(element: Element, visibleHeight: number): { up: number; down: number } {
  const up = Math.round(scrollTop(element));
  return { up, down: Math.floor(scrollHeight(element) - visibleHeight - up) };
}

function categoryAndDescription(
  elements: readonly ObservedElement[],
): Pick<DocumentObservation, 'category' | 'description' | 'summary'> {
  const describe = () => {
    const category = classifyPage(elements);
    return { category, ...describePage(category) };
  };
  return orNull(describe) ?? { category: 'other', description: 'A page', summary: '' };
}
