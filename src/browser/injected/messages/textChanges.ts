/** Compares the visible text of the document with that of the observation before: the lines that appeared and disappeared. */

import { cutText } from '../../../domain/space/pageText.ts';
import { around, ENTRY_LEVELS } from '../dom/around.ts';
import {
  composedContains,
  composedParent,
  firstChild,
  getAttribute,
  isConnected,
  isContentEditable,
  isElement,
  localName,
  nextSibling,
  nodeType,
} from '../dom/domGetters.ts';
import { Compared, documentState } from '../dom/lifetimes.ts';
import { UNREAD_TAGS } from '../dom/vocabulary.ts';
import { isExplicit } from '../perceive/candidate.ts';
import { normalizeText } from '../perceive/element/plainText.ts';
import { displayOf, isSeen } from '../perceive/element/visibility.ts';
import { hasOwnText } from '../perceive/find/eventDelegation.ts';
import { listedCandidate, listedDescription } from '../perceive/lastObservation.ts';
import { isBackgroundNode } from '../settle/quiet.ts';
import { cutOf, isVisible, type OwnTexts, readOwnTexts } from './textOwners.ts';

const INLINE_DISPLAY = /^(?:inline|contents|ruby|inline-block|inline-flex)$/;
const SKIPPED_TAGS: ReadonlySet<string> = new Set([...UNREAD_TAGS, 'textarea', 'select', 'input', 'option']);
const MAX_NODES = 300;
/** A line longer than this is cut anyway. Characters. */
const MAX_CHARACTERS = 2_000;

/** Returns the element that shows the element's text as a line of its own: itself, or the nearest element around it that is a block. */
export function blockOf(element: Element): Element {
  let at = element;
  while (INLINE_DISPLAY.test(displayOf(at).display)) {
    const parent = composedParent(at);
    if (parent === null) return at;
    at = parent;
  }
  return at;
}

interface LineProgress {
  nodes: number;
  length: number;
  /** True when a part of the line that no listed action shows has a letter or a digit. */
  hasOwnWords: boolean;
}

/** Returns the text of a block without the blocks in it; empty if only listed actions have words in it. */
export function lineText(block: Element): string {
  const progress: LineProgress = { nodes: 0, length: 0, hasOwnWords: false };
  if (!isSeen(block)) return '';
  const text = normalizeText(inlineText(block, progress, false));
  return progress.hasOwnWords ? text : '';
}

function inlineText(element: Element, progress: LineProgress, inAction: boolean): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (++progress.nodes > MAX_NODES || progress.length > MAX_CHARACTERS) break;
    if (nodeType(node) === Node.TEXT_NODE) {
      const { data } = node as CharacterData;
      progress.length += data.length;
      progress.hasOwnWords ||= !inAction && /[\p{L}\p{N}]/u.test(data);
      text += data;
    } else if (isElement(node)) text += partText(node, progress, inAction);
  }
  return text;
}

function partText(element: Element, progress: LineProgress, inAction: boolean): string {
  const tag = localName(element);
  if (tag === 'br') return ' ';
  const listed = listedCandidate(element);
  // The list of actions has the text of a button.
  if (tag === 'button' || listed?.candidate.letter === 'B') return ' ';
  if (SKIPPED_TAGS.has(tag)) return '';
  const { display, shown } = displayOf(element);
  if (!shown) return '';
  if (tag === 'img') return ` ${getAttribute(element, 'alt') ?? ''} `;
  if (!INLINE_DISPLAY.test(display)) return ' ';
  const text = inlineText(element, progress, inAction || listed !== null);
  if (!/\S/.test(text)) return text;
  return isSeen(element) ? text : ' ';
}

export interface TextLine {
  readonly element: Element;
  readonly text: string;
}

export interface TextChanges {
  readonly appeared: readonly TextLine[];
  readonly disappeared: readonly TextLine[];
  /** The elements whose text is new; all, on the first call in a document. */
  readonly changed: Iterable<Element>;
  /** Hashes of the texts of the document; null if they have not changed. `observe` gets them with the next document. */
  readonly textHashes: string | null;
}

const MAX_BLOCKS = 60;
/** Maximum number of texts of a document that are compared with those of the next document. */
const MAX_HASHES = 500;
/** A new document is another version of the last one, and not another page, if it has at least this part of its texts… */
const MIN_KNOWN_PART = 0.6;
const MAX_NEW_TEXTS = 12;
/** A line of text that is gone is cut to this length. Characters. */
const MAX_LINE_LENGTH = 2_000;
/** Two texts of one length that begin with this many equal characters count as the same. */
const MAX_HASHED_CHARACTERS = 80;

/** The texts of one observation. */
interface Snapshot {
  readonly texts: OwnTexts | null;
  /** The elements whose text stands in a listed action. A removed element does not say any more where it was. */
  readonly inActions: ReadonlySet<Element>;
}

const snapshots = documentState.value(() => new Compared<Snapshot>({ texts: null, inActions: new Set() }));

/** Compares the texts with those of the last call, or on the first call by hashes with the last document. @param repeats compares with the same ones again */
export function readTextChanges(
  earlierHashes: string,
  actions: readonly Element[],
  repeats: boolean,
): TextChanges {
  const now = readOwnTexts();
  snapshots().begin(repeats);
  const { texts: before, inActions: inActionsBefore } = snapshots().before;
  snapshots().now = { texts: now, inActions: insideOf(new Set(actions), now.keys()) };
  const owners = before === null ? newTexts(now, earlierHashes) : changedOwners(before, now);
  const changed = before === null ? now.keys() : owners;
  const gone = before === null ? [] : goneOwners(before, now);
  const appeared = linesOf(owners, now);
  const disappeared = goneLines(gone, inActionsBefore);
  const hasChanged = before === null || owners.length > 0 || gone.length > 0;
  return {
    ...withoutMoved(appeared, disappeared),
    changed,
    textHashes: hasChanged ? hashesOf(now) : null,
  };
}

export const ownTexts = (): OwnTexts | null => snapshots().now.texts;

/** Returns the own text that an element had in the observation with which the last one was compared. */
export const textBefore = (element: Element): string | undefined => snapshots().before.texts?.get(element);

/** Returns true if an element inside another showed text in the observation before: what the other shows in passing is a box that closes. */
export const heldText = (element: Element): boolean =>
  [...(snapshots().before.texts?.keys() ?? [])].some(
    owner => owner !== element && composedContains(element, owner),
  );

/** Returns true if the document shows the text now, or showed it in the observation before, in one element or in several that follow each other. */
export function isKnownText(text: string): boolean {
  const words = normalizeText(text);
  const { now, before } = snapshots();
  return [now.texts, before.texts].some(
    texts => texts !== null && normalizeText([...texts.values()].join(' ')).includes(words),
  );
}

/** Returns those of the elements that are actions, or stand in one: in an editor, or at most so many boxes inside of it. */
function insideOf(actions: ReadonlySet<Element>, elements: Iterable<Element>): ReadonlySet<Element> {
  /** Number of boxes to the nearest action around an element that was passed. */
  const depths = new Map<Element, number>();
  const isInside = (element: Element): boolean => {
    const passed: Element[] = [];
    let at: Element | null = element;
    while (at !== null && !depths.has(at) && !actions.has(at)) {
      passed.push(at);
      at = composedParent(at);
    }
    let depth = at === null ? ENTRY_LEVELS : (depths.get(at) ?? 0);
    if (at !== null) depths.set(at, depth);
    for (const one of passed.reverse()) depths.set(one, ++depth);
    return depth < ENTRY_LEVELS || isEditor(element);
  };
  return new Set([...elements].filter(isInside));
}

const isEditor = (element: Element): boolean => element instanceof HTMLElement && isContentEditable(element);

const isShown = (element: Element): boolean => isConnected(element) && isVisible(element);

function changedOwners(before: OwnTexts, now: OwnTexts): Element[] {
  if (before === now) return [];
  const changed: Element[] = [];
  const edge = edgeOf(before, now);
  for (const [element, text] of now)
    if (before.get(element) !== text && !edge.has(element)) changed.push(element);
  return changed;
}

/** Returns the texts beside the part of a long document that is not read, up to the next one that was read before: whether they are new is not known. */
function edgeOf(before: OwnTexts, now: OwnTexts): ReadonlySet<Element> {
  const cut = cutOf(now);
  if (cut === null || cutOf(before) === null) return new Set();
  const elements = [...now.keys()];
  const isKnown = (element: Element): boolean => before.has(element);
  const first = elements.slice(0, cut).findLastIndex(isKnown) + 1;
  const last = elements.slice(cut).findIndex(isKnown);
  return new Set(elements.slice(first, last < 0 ? elements.length : cut + last));
}

function goneOwners(before: OwnTexts, now: OwnTexts): (readonly [Element, string])[] {
  if (before === now) return [];
  const gone: [Element, string][] = [];
  // A long document may still show it, outside of the part that is compared.
  for (const [element, text] of before)
    if (!now.has(element) && !(isShown(element) && hasOwnText(element))) gone.push([element, text]);
  return gone;
}

function newTexts(now: OwnTexts, earlierHashes: string): Element[] {
  if (earlierHashes === '') return [];
  const known = new Set(earlierHashes.match(EACH_HASH));
  const unknown: Element[] = [];
  let count = 0;
  for (const [element, text] of now) {
    if (++count > MAX_HASHES) break;
    if (!known.has(hashOf(text))) unknown.push(element);
  }
  const isSamePage = unknown.length <= MAX_NEW_TEXTS && unknown.length <= count * (1 - MIN_KNOWN_PART);
  return isSamePage ? unknown : [];
}

const hashesOf = (texts: OwnTexts): string => [...texts.values()].slice(0, MAX_HASHES).map(hashOf).join('');

const HASH_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const EACH_HASH = /.{4}/g;

/** Returns a hash of the beginning and the length of a text: the upper 24 bits of FNV-1a, in four digits, because all hashes travel to the service. */
function hashOf(text: string): string {
  const words = text.trim();
  let hash = 0x811c9dc5 ^ words.length;
  const length = Math.min(words.length, MAX_HASHED_CHARACTERS);
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ words.charCodeAt(index), 0x01000193);
  const digit = (shift: number): string => HASH_DIGITS.charAt((hash >>> shift) & 63);
  return digit(26) + digit(20) + digit(14) + digit(8);
}

/** Returns the lines of the blocks that contain these elements, without texts that listed actions show already. */
function linesOf(owners: readonly Element[], texts: OwnTexts): TextLine[] {
  const blocks = new Set<Element>();
  for (const owner of owners) {
    if (blocks.size >= MAX_BLOCKS) break;
    // The new words of a control are in its own line: the text beside it is not new.
    if (isInAction({ element: owner, text: (texts.get(owner) ?? '').trim() }, true)) continue;
    if (!isBackgroundNode(owner)) blocks.add(blockOf(owner));
  }
  return [...blocks]
    .map(element => ({ element, text: lineText(element) }))
    .filter(line => line.text !== '' && !isInAction(line));
}

/** Returns true if the line of a listed action has the text. @param controlsOnly leaves out what is only clicked, such as a toast */
export function isInAction({ element, text }: TextLine, controlsOnly = false): boolean {
  for (const at of around(element, ENTRY_LEVELS)) {
    const listed = listedCandidate(at);
    if (listed === null || listed.candidate.basis === 'scroll') continue;
    if (listed.candidate.letter === 'I') return true;
    if (controlsOnly && !isExplicit(listed.candidate)) return false;
    return (listedDescription(at) ?? '').includes(text.slice(0, 60).replaceAll('"', "'"));
  }
  return false;
}

const INLINE_TAGS = new Set(
  'a abbr b bdi cite code em font i kbd label mark q s small span strong sub sup time u var'.split(' '),
);

function goneLines(
  gone: readonly (readonly [Element, string])[],
  inActions: ReadonlySet<Element>,
): TextLine[] {
  const lines = new Map<Element, string>();
  for (const [element, text] of gone) {
    if (lines.size >= MAX_BLOCKS) break;
    if (isBackgroundNode(element) || inActions.has(element)) continue;
    let block = element;
    // Whether an element that is not rendered was a block is not known any more: its tag decides.
    for (
      let parent = composedParent(block);
      parent !== null && INLINE_TAGS.has(localName(block));
      parent = composedParent(block)
    ) {
      if (isShown(parent)) break;
      block = parent;
    }
    const known = lines.get(block);
    lines.set(block, known === undefined ? text : cutText(`${known} ${text}`, MAX_LINE_LENGTH));
  }
  return [...lines]
    .map(([element, text]) => ({ element, text: normalizeText(text) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

export function consistsOf(text: string, parts: readonly string[]): boolean {
  const longestFirst = parts.filter(part => part !== '').sort((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, part) => left.replaceAll(part, ' '), text);
  return rest !== text && !/[\p{L}\p{N}]/u.test(rest);
}

/** Returns the words of a line without the marks between its cells, which only lines that are still there have. */
const wordsOf = ({ text }: TextLine): string => text.replaceAll(' | ', ' ');

/** Leaves out texts that both appeared and disappeared: the page has rendered them again, or moved them. */
function withoutMoved(
  appeared: readonly TextLine[],
  disappeared: readonly TextLine[],
): Pick<TextChanges, 'appeared' | 'disappeared'> {
  const counts = new Map<string, number>();
  for (const line of disappeared) counts.set(wordsOf(line), (counts.get(wordsOf(line)) ?? 0) + 1);
  const take = (line: TextLine): boolean => {
    const words = wordsOf(line);
    const left = counts.get(words) ?? 0;
    if (left > 0) counts.set(words, left - 1);
    return left === 0;
  };
  // The lines of removed elements are those of their parts: whether they were blocks is not known any more.
  const parts = disappeared.map(wordsOf);
  const reallyAppeared = appeared.filter(line => take(line) && !consistsOf(wordsOf(line), parts));
  const moved = appeared.filter(line => !reallyAppeared.includes(line)).map(wordsOf);
  const here = new Set(appeared.map(wordsOf));
  const isMoved = (words: string): boolean => here.has(words) || moved.some(line => line.includes(words));
  return { appeared: reallyAppeared, disappeared: disappeared.filter(line => !isMoved(wordsOf(line))) };
}
