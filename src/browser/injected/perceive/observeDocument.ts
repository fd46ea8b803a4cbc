/** One observation of one document: found, sorted out, placed, named, told apart, numbered. */

import { boxOf, clientLeft, clientTop, documentURL, titleOf } from '../dom/domGetters.ts';
import { setListenerCount } from '../tab/documentSettle.ts';
import { briefLabel, frameName } from './briefLabel.ts';
import type { Candidate } from './candidate.ts';
import { classifyPage } from './classifyPage.ts';
import { describeElement, type ElementNaming, fingerprintOf, nameCandidate } from './describeElement.ts';
import { disambiguate, gridPositions, siblingPosition } from './disambiguation.ts';
import { clearDisplayCache } from './displayCache.ts';
import { assignKeys, elementByKey, keyOfElement } from './elementKeys.ts';
import { paramsOf, stateOf } from './elementState.ts';
import { type FrameCandidate, findCandidates } from './findCandidates.ts';
import { limitTexts } from './limitTexts.ts';
import { createObservationContext, type ObservationContext } from './observationContext.ts';
import { normalizeText, truncate } from './plainText.ts';
import { prune } from './prune.ts';
import { type Reachability, ReachabilityChecker } from './reachability.ts';
import { scrollDistances } from './scrollDistances.ts';
import { SectionNames } from './section.ts';
import { shapeSizes } from './shapeSizes.ts';
import { isShape } from './svgShape.ts';
import { clearTitleIndex } from './titleIndex.ts';
import type {
  ElementResolution,
  FrameObservation,
  ObservedElement,
  ObservedFrame,
  ObserveOptions,
} from './wireFormat.ts';

interface ListedCandidate {
  readonly found: Candidate;
  readonly placing: Reachability;
  readonly naming: ElementNaming;
  readonly category: string;
  readonly fingerprint: string;
}

/** Characters. */
const MAX_TITLE_LENGTH = 1_000;

/** The last observation, for `resolve` and `frameElement`. */
let listedByElement = new WeakMap<Element, ListedCandidate>();
let descriptions = new WeakMap<Element, string>();
let lastContext: ObservationContext | null = null;
let frames: readonly FrameCandidate[] = [];
let closedHosts: readonly Element[] = [];

export function observeDocument(options: ObserveOptions, nodes: readonly unknown[]): FrameObservation {
  const reading = createObservationContext(options, nodes);
  lastContext = reading;
  clearTitleIndex();
  clearDisplayCache();
  setListenerCount(reading.handlers.size);
  const walked = findCandidates(reading);
  frames = walked.frames;
  closedHosts = walked.closedHosts;
  const placer = new ReachabilityChecker(reading);
  const names = new SectionNames();
  const positions = new Map<Candidate, number>();
  walked.found.forEach((found, index) => {
    positions.set(found, index);
  });
  const listed: ListedCandidate[] = [];
  for (const found of prune(walked.found, reading)) {
    const one = orNull(() => describeCandidate(found, placer, names, reading));
    if (one !== null) listed.push(one);
  }
  const elements = limitTexts(toObservedElements(listed), options.top);
  const before = (frame: FrameCandidate) =>
    listed.findIndex(({ found }) => (positions.get(found) ?? 0) >= frame.before);
  return {
    elements,
    frames: walked.frames.map((frame, index) => {
      const at = before(frame);
      return frameOf(frame, index, at < 0 ? elements.length : at, names);
    }),
    closedHosts: closedHosts.length,
    url: documentURL(document),
    title: truncate(normalizeText(titleOf(document)), MAX_TITLE_LENGTH),
    ...safelyClassifyPage(elements),
    ...scrollDistances(reading, listed),
  };
}

function describeCandidate(
  found: Candidate,
  placer: ReachabilityChecker,
  names: SectionNames,
  reading: ObservationContext,
): ListedCandidate | null {
  const placing = placer.check(found);
  if (placing === null) return null;
  const naming = nameCandidate(found, reading.sheets.generatesText);
  const category = names.name(found.section, found.heading);
  return { found, placing, naming, category, fingerprint: fingerprintOf(found, naming) };
}

/** Puts the colour before a hint where boxes of one hint differ by it. */
function withColors(listed: readonly ListedCandidate[]): readonly ListedCandidate[] {
  const looks = new Map<string, string>();
  const telling = new Set<string>();
  for (const { naming } of listed) {
    if (!naming.isHint || naming.stem === '') continue;
    const known = looks.get(naming.stem);
    if (known === undefined) looks.set(naming.stem, naming.color);
    else if (known !== naming.color) telling.add(naming.stem);
  }
  if (telling.size === 0) return listed;
  return listed.map(one => {
    const { naming } = one;
    if (!naming.isHint || naming.color === '' || !telling.has(naming.stem)) return one;
    return { ...one, naming: { ...naming, name: `${naming.color} ${naming.stem}` } };
  });
}

/** Hints that count (`tt0`, `tt1`, `tt2`) call elements of one kind. */
const nameWithoutNumber = ({ naming }: ListedCandidate): string =>
  naming.isHint ? naming.name.replace(/\d+$/, '') : naming.name;

/** Where boxes without names stand in a grid of their like: marking one must not move the others. */
function gridCells(listed: readonly ListedCandidate[]): Map<ListedCandidate, string> {
  const cells = new Map<ListedCandidate, string>();
  const unnamed = listed.filter(
    ({ found, naming }) => naming.isHint && found.letter === 'B' && !isShape(found.tag),
  );
  const alike = Map.groupBy(unnamed, ({ found, placing: { box }, category }) => {
    const size = `${Math.round(box.right - box.left)}x${Math.round(box.bottom - box.top)}`;
    return `${found.tag}|${size}|${category}`;
  });
  for (const boxes of alike.values())
    gridPositions(boxes)?.forEach((place, index) => {
      const one = boxes[index];
      if (one !== undefined) cells.set(one, place);
    });
  return cells;
}

function toObservedElements(all: readonly ListedCandidate[]): ObservedElement[] {
  const listed = withColors(all);
  const sizes = shapeSizes(listed);
  const distinct = new Map<ListedCandidate, string>();
  const groups = Map.groupBy(
    listed,
    one => `${one.naming.word}|${nameWithoutNumber(one)}|${sizes.get(one.found) ?? ''}`,
  );
  const cells = orNull(() => gridCells(listed)) ?? new Map<ListedCandidate, string>();
  for (const group of groups.values()) {
    if (group.length < 2) {
      const [only] = group;
      if (only !== undefined && cells.has(only)) distinct.set(only, cells.get(only) ?? '');
      else if (only !== undefined && only.naming.name === '' && only.found.letter !== 'I')
        distinct.set(only, siblingPosition(only.found.element));
      continue;
    }
    const places = group.map(one => cells.get(one) ?? '');
    const told = orNull(() => disambiguate(group, places));
    group.forEach((one, index) => {
      distinct.set(one, told?.[index] ?? '');
    });
  }
  const keys = assignKeys(
    listed.map(one => ({
      element: one.found.element,
      fingerprint: one.fingerprint,
      identity: `${one.fingerprint}|${one.category}|${distinct.get(one) ?? ''}`,
    })),
  );
  listedByElement = new WeakMap();
  descriptions = new WeakMap();
  return listed.map((one, index) => {
    const { found, placing, naming, category, fingerprint } = one;
    const state = stateOf(found);
    const size = sizes.get(found);
    const distinction = [size ?? '', distinct.get(one) ?? ''].filter(part => part !== '').join(', ');
    const description = describeElement(found, naming, state, distinction, placing.disabled);
    listedByElement.set(found.element, one);
    descriptions.set(found.element, description);
    const { box } = placing;
    return {
      key: keys[index] ?? 0,
      letter: found.letter,
      control: found.control,
      role: found.role,
      name: naming.name,
      description,
      category,
      status: placing.status,
      params: paramsOf(found, state),
      value: state.value,
      checked: state.checked,
      disabled: placing.disabled,
      expanded: state.expanded,
      inViewport: placing.inViewport,
      box: [round(box.left), round(box.top), round(box.right - box.left), round(box.bottom - box.top)],
      fingerprint,
    };
  });
}

const frameKeys = new WeakMap<Element, number>();
let highestFrame = 0;

function keyOfFrame(element: Element): number {
  const key = frameKeys.get(element) ?? ++highestFrame;
  frameKeys.set(element, key);
  return key;
}

function frameOf(frame: FrameCandidate, index: number, before: number, names: SectionNames): ObservedFrame {
  const { element } = frame;
  const rect = boxOf(element);
  return {
    before,
    index,
    key: keyOfFrame(element),
    x: round(rect.left + clientLeft(element)),
    y: round(rect.top + clientTop(element)),
    name: frameName(element),
    usable: !frame.hidden && rect.width > 2 && rect.height > 2,
    category: names.name(frame.section, frame.heading),
  };
}

const safelyClassifyPage = (elements: readonly ObservedElement[]) =>
  orNull(() => classifyPage(elements)) ?? { category: 'other' as const, description: 'A page.' };

/** What is behind a key now: its meaning read anew, and whether a press would reach it. */
export function resolveElement(key: number): ElementResolution {
  const element = elementByKey(key);
  const known = element === null ? undefined : listedByElement.get(element);
  if (element === null || known === undefined || lastContext === null) return { state: 'gone' };
  clearDisplayCache();
  const reading: ObservationContext = {
    ...lastContext,
    width: innerWidth,
    height: innerHeight,
    scrollX,
    scrollY,
  };
  const placing = orNull(() => new ReachabilityChecker(reading).check(known.found));
  const { coveredBy } = placing ?? { coveredBy: null };
  const cover = coveredBy === null ? null : nearestListed(coveredBy);
  return {
    state: 'present',
    fingerprint: fingerprintOf(known.found, nameCandidate(known.found, reading.sheets.generatesText)),
    control: known.found.control,
    status: placing?.status ?? 'clipped',
    hasBox: placing?.hasBox ?? false,
    coveredBy: coveredBy === null ? null : (cover?.description ?? briefLabel(coveredBy)),
    coveredByKey: cover?.key ?? null,
    point: placing?.point == null ? null : offset(placing.box, placing.point),
  };
}

/** What the last observation found behind a key. */
export function candidateByKey(key: number): Candidate | null {
  const element = elementByKey(key);
  return element === null ? null : (listedByElement.get(element)?.found ?? null);
}

const offset = (box: Reachability['box'], [x, y]: readonly [number, number]): readonly [number, number] => [
  round(x - box.left),
  round(y - box.top),
];

function nearestListed(element: Element): { key: number; description: string } | null {
  const description = descriptions.get(element);
  const key = keyOfElement(element);
  return key === null || description === undefined ? null : { key, description };
}

/** The iframe element of a frame of the last observation. */
export const closedHost = (index: number): Element | null => closedHosts[index] ?? null;

export const frameElement = (index: number): Element | null => frames[index]?.element ?? null;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** One broken element, or one hostile getter, must not cost the observation. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
