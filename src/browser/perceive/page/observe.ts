/** One observation of one document: found, sorted out, placed, named, told apart, numbered. */
import type { ObserveOptions, RawElement, RawFrame, RawFramePage, Resolution } from '../raw.ts';
import { bounded } from './bounded.ts';
import { describe, fingerprintOf, type Naming, nameFound } from './describe.ts';
import { forgetDisplays } from './displays.ts';
import type { Found } from './found.ts';
import { judgePage } from './judgePage.ts';
import { elementOf, giveKeys, keyOf } from './keys.ts';
import {
  boxOf,
  clientHeight,
  clientLeft,
  clientTop,
  documentURL,
  scrollHeight,
  scrollingElement,
  scrollTop,
  titleOf,
} from './native.ts';
import { Placer, type Placing } from './placing.ts';
import { frameName, plainly } from './plainly.ts';
import { prune } from './prune.ts';
import { beginReading, type Reading } from './reading.ts';
import { SectionNames } from './section.ts';
import { noteListeners } from './settle.ts';
import { isShape } from './shape.ts';
import { markSizes } from './sizes.ts';
import { paramsOf, stateOf } from './state.ts';
import { cut, fold } from './text.ts';
import { forgetTitles } from './titles.ts';
import { distinctions, gridPlaces, placeAmongSiblings } from './twins.ts';
import { type FoundFrame, walk } from './walk.ts';

interface Listed {
  readonly found: Found;
  readonly placing: Placing;
  readonly naming: Naming;
  readonly category: string;
  readonly fingerprint: string;
}

/** Characters. */
const MOST_TITLE = 1_000;

/** The last observation, for `resolve` and `frameElement`. */
let listedByElement = new WeakMap<Element, Listed>();
let descriptions = new WeakMap<Element, string>();
let lastReading: Reading | null = null;
let frames: readonly FoundFrame[] = [];
let closedHosts: readonly Element[] = [];

export function observe(options: ObserveOptions, nodes: readonly unknown[]): RawFramePage {
  const reading = beginReading(options, nodes);
  lastReading = reading;
  forgetTitles();
  forgetDisplays();
  noteListeners(reading.handlers.size);
  const walked = walk(reading);
  frames = walked.frames;
  closedHosts = walked.closedHosts;
  const placer = new Placer(reading);
  const names = new SectionNames();
  const positions = new Map<Found, number>();
  walked.found.forEach((found, index) => {
    positions.set(found, index);
  });
  const listed: Listed[] = [];
  for (const found of prune(walked.found, reading)) {
    const one = safely(() => list(found, placer, names, reading));
    if (one !== null) listed.push(one);
  }
  const elements = bounded(tell(listed), options.top);
  const before = (frame: FoundFrame) =>
    listed.findIndex(({ found }) => (positions.get(found) ?? 0) >= frame.before);
  return {
    elements,
    frames: walked.frames.map((frame, index) => {
      const at = before(frame);
      return frameOf(frame, index, at < 0 ? elements.length : at, names);
    }),
    closedHosts: closedHosts.length,
    url: documentURL(document),
    title: cut(fold(titleOf(document)), MOST_TITLE),
    ...safePage(elements),
    ...scrollable(reading, listed),
  };
}

function list(found: Found, placer: Placer, names: SectionNames, reading: Reading): Listed | null {
  const placing = placer.place(found);
  if (placing === null) return null;
  const naming = nameFound(found, reading.sheets.generatesText);
  const category = names.name(found.section, found.heading);
  return { found, placing, naming, category, fingerprint: fingerprintOf(found, naming) };
}

/** Puts the colour before a hint where boxes of one hint differ by it. */
function withColors(listed: readonly Listed[]): readonly Listed[] {
  const looks = new Map<string, string>();
  const telling = new Set<string>();
  for (const { naming } of listed) {
    if (!naming.hinted || naming.stem === '') continue;
    const known = looks.get(naming.stem);
    if (known === undefined) looks.set(naming.stem, naming.look);
    else if (known !== naming.look) telling.add(naming.stem);
  }
  if (telling.size === 0) return listed;
  return listed.map(one => {
    const { naming } = one;
    if (!naming.hinted || naming.look === '' || !telling.has(naming.stem)) return one;
    return { ...one, naming: { ...naming, name: `${naming.look} ${naming.stem}` } };
  });
}

/** Hints that count (`tt0`, `tt1`, `tt2`) call elements of one kind. */
const nameOfKind = ({ naming }: Listed): string =>
  naming.hinted ? naming.name.replace(/\d+$/, '') : naming.name;

/** Where boxes without names stand in a grid of their like: marking one must not move the others. */
function cellsOf(listed: readonly Listed[]): Map<Listed, string> {
  const cells = new Map<Listed, string>();
  const unnamed = listed.filter(
    ({ found, naming }) => naming.hinted && found.letter === 'B' && !isShape(found.tag),
  );
  const alike = Map.groupBy(unnamed, ({ found, placing: { box }, category }) => {
    const size = `${Math.round(box.right - box.left)}x${Math.round(box.bottom - box.top)}`;
    return `${found.tag}|${size}|${category}`;
  });
  for (const boxes of alike.values())
    gridPlaces(boxes)?.forEach((place, index) => {
      const one = boxes[index];
      if (one !== undefined) cells.set(one, place);
    });
  return cells;
}

function tell(all: readonly Listed[]): RawElement[] {
  const listed = withColors(all);
  const sizes = markSizes(listed);
  const distinct = new Map<Listed, string>();
  const groups = Map.groupBy(
    listed,
    one => `${one.naming.word}|${nameOfKind(one)}|${sizes.get(one.found) ?? ''}`,
  );
  const cells = safely(() => cellsOf(listed)) ?? new Map<Listed, string>();
  for (const group of groups.values()) {
    if (group.length < 2) {
      const [only] = group;
      if (only !== undefined && cells.has(only)) distinct.set(only, cells.get(only) ?? '');
      else if (only !== undefined && only.naming.name === '' && only.found.letter !== 'I')
        distinct.set(only, placeAmongSiblings(only.found.element));
      continue;
    }
    const places = group.map(one => cells.get(one) ?? '');
    const told = safely(() => distinctions(group, places));
    group.forEach((one, index) => {
      distinct.set(one, told?.[index] ?? '');
    });
  }
  const keys = giveKeys(
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
    const description = describe(found, naming, state, distinction, placing.disabled);
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

function frameOf(frame: FoundFrame, index: number, before: number, names: SectionNames): RawFrame {
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

function scrollable(
  reading: Reading,
  listed: readonly Listed[],
): { scrollableDown: number; scrollableUp: number } {
  const ways = listed
    .filter(({ found }) => found.basis === 'scroll' || found.tag === 'textarea')
    .map(({ found }) => scrollableIn(found.element, clientHeight(found.element)));
  const root = scrollingElement(document);
  if (root !== null) ways.push(scrollableIn(root, reading.height));
  return {
    scrollableUp: Math.max(0, ...ways.map(({ up }) => up)),
    scrollableDown: Math.max(0, ...ways.map(({ down }) => down)),
  };
}

function scrollableIn(element: Element, shown: number): { up: number; down: number } {
  const up = Math.round(scrollTop(element));
  return { up, down: Math.floor(scrollHeight(element) - shown - up) };
}

const safePage = (elements: readonly RawElement[]) =>
  safely(() => judgePage(elements)) ?? { category: 'other' as const, description: 'A page.' };

/** What is behind a key now: its meaning read anew, and whether a press would reach it. */
export function resolve(key: number): Resolution {
  const element = elementOf(key);
  const known = element === null ? undefined : listedByElement.get(element);
  if (element === null || known === undefined || lastReading === null) return { state: 'gone' };
  forgetDisplays();
  const reading: Reading = { ...lastReading, width: innerWidth, height: innerHeight, scrollX, scrollY };
  const placing = safely(() => new Placer(reading).place(known.found));
  const { coveredBy } = placing ?? { coveredBy: null };
  const cover = coveredBy === null ? null : nearestListed(coveredBy);
  return {
    state: 'present',
    fingerprint: fingerprintOf(known.found, nameFound(known.found, reading.sheets.generatesText)),
    control: known.found.control,
    status: placing?.status ?? 'clipped',
    hasBox: placing?.hasBox ?? false,
    coveredBy: coveredBy === null ? null : (cover?.description ?? plainly(coveredBy)),
    coveredByKey: cover?.key ?? null,
    point: placing?.point == null ? null : offset(placing.box, placing.point),
  };
}

/** What the last observation found behind a key. */
export function foundBehind(key: number): Found | null {
  const element = elementOf(key);
  return element === null ? null : (listedByElement.get(element)?.found ?? null);
}

const offset = (box: Placing['box'], [x, y]: readonly [number, number]): readonly [number, number] => [
  round(x - box.left),
  round(y - box.top),
];

function nearestListed(element: Element): { key: number; description: string } | null {
  const description = descriptions.get(element);
  const key = keyOf(element);
  return key === null || description === undefined ? null : { key, description };
}

/** The iframe element of a frame of the last observation. */
export const closedHost = (index: number): Element | null => closedHosts[index] ?? null;

export const frameElement = (index: number): Element | null => frames[index]?.element ?? null;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** One broken element, or one hostile getter, must not cost the observation. */
function safely<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
