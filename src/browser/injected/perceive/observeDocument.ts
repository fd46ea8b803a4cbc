/**
 * One observation of one document: finds candidates, checks which of them can be reached, names and distinguishes them,
 * assigns keys.
 */
import { normalizeLines, truncateQuoting } from '../../../domain/space/pageText.ts';
import {
  boxOf,
  clientHeight,
  documentURL,
  getAttribute,
  queryDocument,
  scrollHeight,
  scrollingElement,
  scrollTop,
  titleOf,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { orSkipped } from '../dom/skipped.ts';
import { setListenersFound } from '../settle/quiet.ts';
import type { Candidate, FrameCandidate } from './candidate.ts';
import { classifyPage, describePage } from './describePage.ts';
import { readStatedTraits, reportStatedHosts } from './element/customElement.ts';
import { drawnPlace } from './element/drawnPlace.ts';
import { choiceLabel, normalizeText, truncate } from './element/plainText.ts';
import { setGenerators } from './element/renderedText.ts';
import { hasShadowTrees } from './element/shadowRootOf.ts';
import { findCandidates } from './find/findCandidates.ts';
import { prune } from './find/prune.ts';
import { type ListedCandidate, setSearch } from './lastObservation.ts';
import { nameCandidate } from './name/elementName.ts';
import { frameName } from './name/identifierWords.ts';
import { SectionNames, withSectionsApart } from './name/section.ts';
import { createObservationContext, type ObservationContext } from './observationContext.ts';
import { ReachabilityChecker } from './reach/reachability.ts';
import { fingerprintOf } from './sameMeaning.ts';
import { toObservedElements } from './toObservedElements.ts';
import type { DocumentObservation, ObservedElement, ObservedFrame, ObserveOptions } from './wireFormat.ts';

/** Maximum length of the description, the category and the value of one element, in characters. Real pages stay far below. */
const MAX_LENGTH = { description: 1_000, category: 200, value: 2_000 } as const;
/** Maximum length of all values, defaults and choices of a frame. Characters. */
const MAX_TOTAL_VALUES = { top: 8_000_000, inner: 1_000_000 } as const;

/** Cuts the texts; the last elements get no values when all values together are too long. */
export function limitTexts(elements: readonly ObservedElement[], isTopFrame: boolean): ObservedElement[] {
  let remaining: number = isTopFrame ? MAX_TOTAL_VALUES.top : MAX_TOTAL_VALUES.inner;
  return elements.map(element => {
    const value = element.value === null ? null : truncate(normalizeLines(element.value), MAX_LENGTH.value);
    const params = element.params.map(param => ({
      ...param,
      default: param.default === null ? null : truncate(normalizeLines(param.default), MAX_LENGTH.value),
      values: param.values?.map(choice => choiceLabel(choice)) ?? null,
    }));
    remaining -= value?.length ?? 0;
    for (const { default: defaultValue, values } of params) {
      remaining -= defaultValue?.length ?? 0;
      for (const choice of values ?? []) remaining -= choice.length;
    }
    return {
      ...element,
      name: normalizeText(element.name),
      description: truncateQuoting(element.description, MAX_LENGTH.description),
      category: truncateQuoting(element.category, MAX_LENGTH.category),
      value: remaining < 0 ? null : value,
      params: remaining < 0 ? params.map(param => ({ ...param, default: null, values: null })) : params,
    };
  });
}

/** A link that occurs more often than this is not repeated for another look or size: it is a mark of many entries. */
const MAX_REPEATS = 8;
/** Addresses of links that only scripts handle: two of them can do different things. */
const SCRIPTED = /^(#|javascript:|$)/i;

/** Keeps one link for each text, target and section, one that can be pressed; the picture of a card goes beside its title. */
export function withoutRepeatedLinks(listed: readonly ListedCandidate[]): readonly ListedCandidate[] {
  const byTarget = new Map<string, ListedCandidate[]>();
  for (const one of listed) {
    const target = targetOf(one);
    if (target === null) continue;
    const same = byTarget.get(target);
    if (same === undefined) byTarget.set(target, [one]);
    else same.push(one);
  }
  const dropped = new Set<ListedCandidate>();
  for (const links of byTarget.values())
    if (links.length > 1)
      for (const same of Map.groupBy(links, ({ category }) => category).values()) dropRepeats(same, dropped);
  return dropped.size === 0 ? listed : listed.filter(one => !dropped.has(one));
}

/** Adds to `dropped` what is repeated among the links of one section with one target. */
function dropRepeats(links: readonly ListedCandidate[], dropped: Set<ListedCandidate>): void {
  if (links.length < 2) return;
  for (const same of Map.groupBy(links, ({ name }) => name.text).values()) {
    if (same.length < 2 || same.length > MAX_REPEATS) continue;
    const kept = same.find(isPressable) ?? same[0];
    for (const one of same) if (one !== kept) dropped.add(one);
  }
  if (links.some(({ name }) => !name.isHint)) for (const one of links) if (one.name.isHint) dropped.add(one);
}

const isPressable = ({ reachability: { status } }: ListedCandidate): boolean => status === 'valid';

/** Returns the target of a link; null for other elements and for links that scripts handle. */
function targetOf({ candidate }: ListedCandidate): string | null {
  if (candidate.letter !== 'L') return null;
  const address = getAttribute(candidate.element, 'href');
  return address === null || SCRIPTED.test(address) ? null : address;
}

const MAX_TITLE_LENGTH = 1_000;

/**
 * Lists the interactive elements and the iframes of this document.
 * @param nodes the nodes that have event listeners, in the order of `options.listenerTypes`, then the roots of closed shadow
 * trees
 */
export function observeDocument(options: ObserveOptions, nodes: readonly unknown[]): DocumentObservation {
  readStatedTraits(options.stated ?? []);
  const context = createObservationContext(options, nodes);
  setGenerators(context.styleRules.generators);
  const search = findCandidates(context);
  setListenersFound(context.handlers.size > 0 || hasShadowTrees());
  const { candidates, frames, closedHosts } = search;
  setSearch(context, search);
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
    ...reportStatedHosts(search.statedHosts),
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
    candidates.map(candidate => orSkipped(() => list(candidate))).filter(one => one !== null);
  let listed = listAll();
  if (showsCanvasOnly(listed)) {
    for (const candidate of candidates) if (isNamedButton(candidate)) candidate.unseen = true;
    listed = listAll();
  }
  return withSectionsApart(withoutRepeatedLinks(listed));
}

/** Returns true if people can use nothing of the document but a canvas, in which an application draws all it shows. */
const showsCanvasOnly = (listed: readonly ListedCandidate[]): boolean =>
  listed.every(({ candidate }) => candidate.control === 'canvas') &&
  (listed.length > 0 || queryDocument(document, 'canvas') !== null);

/** Returns true for a button for screen readers: it may make an application that draws on a canvas list what it draws. */
const isNamedButton = ({ element, letter, basis, unrendered }: Candidate): boolean =>
  letter === 'B' &&
  (basis === 'role' || basis === 'control') &&
  !unrendered &&
  getAttribute(element, 'aria-label') !== null;

const frameKeys = documentState.value(() => ({ known: new WeakMap<Element, number>(), highest: 0 }));

function keyOfFrame(element: Element): number {
  const keys = frameKeys();
  const key = keys.known.get(element) ?? ++keys.highest;
  keys.known.set(element, key);
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
    place: drawnPlace(element),
    name: frameName(element),
    usable: !frame.hidden && rect.width > 2 && rect.height > 2,
    layer: orSkipped(() => checker.layerOf(element)),
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
  return orSkipped(describe) ?? { category: 'other', description: 'A page', summary: '' };
}
