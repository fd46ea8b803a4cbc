/** Collects what the page says, in the order of reading: announcements, invalid fields, and text that appeared or disappeared. */

import { around, WIDGET_LEVELS } from '../dom/around.ts';
import {
  bodyOf,
  boxOf,
  checkVisibility,
  childElementCount,
  comparePosition,
  composedContains,
  composedParent,
  elementById,
  getAttribute,
  isConnected,
  localName,
  matches,
  queryAllDocument,
} from '../dom/domGetters.ts';
import { Compared, documentState } from '../dom/lifetimes.ts';
import { orSkipped } from '../dom/skipped.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { normalizeText, truncate } from '../perceive/element/plainText.ts';
import { contentText, visibleText } from '../perceive/element/renderedText.ts';
import { elementByKey, keyOfElement } from '../perceive/elementKeys.ts';
import { listedCandidate, listedCandidates } from '../perceive/lastObservation.ts';
import type {
  ObservedElement,
  ObservedMessage,
  ObservedMessages,
  ObserveOptions,
} from '../perceive/wireFormat.ts';
import { isBackgroundNode } from '../settle/quiet.ts';
import { stepInput } from '../settle/stepInput.ts';
import { type LiveText, noteRedTexts, readLiveTexts } from './liveTexts.ts';
import { takePassingTexts } from './passingTexts.ts';
import {
  consistsOf,
  heldText,
  isInAction,
  isKnownText,
  readTextChanges,
  type TextLine,
  textBefore,
} from './textChanges.ts';
import { VISIBLE } from './textOwners.ts';

/** A longer text is a line of its own. Characters. */
const MAX_PART_LENGTH = 24;
/** Texts up to this length are joined from several rows. Characters. */
const MAX_DAY_LENGTH = 4;
const MAX_LINE_LENGTH = 200;
const SEPARATOR = ' | ';

/** Returns the lines, with short ones that follow each other in the same box joined: `Mon | Tue | Wed`. */
export function joinNeighbours(lines: readonly TextLine[]): readonly TextLine[] {
  const joined: TextLine[] = [];
  let box: Element | null = null;
  for (const line of lines) {
    const last = joined.at(-1);
    const parent = line.text.length > MAX_PART_LENGTH ? null : boxAround(line.element);
    const text = `${last?.text}${SEPARATOR}${line.text}`;
    const isNext = last !== undefined && parent !== null && parent === box && text.length <= MAX_LINE_LENGTH;
    if (isNext && (isDay(line) || isBeside(last, line)))
      joined[joined.length - 1] = { element: last.element, text };
    else joined.push(line);
    box = parent;
  }
  return joined;
}

/** Returns the nearest element around another that contains more than that, such as the row around a cell with one text. */
function boxAround(element: Element): Element | null {
  let box = composedParent(element);
  while (box !== null && childElementCount(box) === 1) box = composedParent(box);
  return box;
}

const isDay = ({ text }: TextLine): boolean => text.length <= MAX_DAY_LENGTH;

function isBeside({ element: one }: TextLine, { element: other }: TextLine): boolean {
  if (!isConnected(one) || !isConnected(other)) return false;
  const [before, after] = [boxOf(one), boxOf(other)];
  return after.top < before.bottom && before.top < after.bottom;
}

export interface InvalidField {
  readonly element: Element;
  readonly text: string;
}

const MAX_IDS = 5;

/** Fields for which the browser has shown its own message, because the page or the user tried to submit them. */
const reported = new WeakSet<Element>();

/** Remembers the fields for which the browser shows its own message. Call it once for each document. */
export function watchInvalidFields(): void {
  addEventListener(
    'invalid',
    event => {
      if (event.target instanceof Element) reported.add(event.target);
    },
    { capture: true },
  );
}

export const readInvalidFields = (fields: readonly Element[]): InvalidField[] =>
  fields.map(element => ({ element, text: invalidText(element) })).filter(({ text }) => text !== '');

function invalidText(element: Element): string {
  const state = getAttribute(element, 'aria-invalid');
  const isMarked = state !== null && state !== '' && state !== 'false';
  const own = ownMessage(element);
  if (!isMarked && own === '') return '';
  return referencedText(element, 'aria-errormessage') || referencedText(element, 'aria-describedby') || own;
}

/** Returns the message of the browser for an invalid field; empty while the browser does not show it. */
function ownMessage(element: Element): string {
  if (!('validity' in element && 'validationMessage' in element)) return '';
  const { validity, validationMessage } = element as HTMLInputElement;
  if (validity.valid) {
    reported.delete(element);
    return '';
  }
  // The value that a step has entered is complete, though the focus has not left the field.
  const isEntered = stepInput()?.kind === 'text' && stepInput()?.element === element;
  return isEntered || reported.has(element) || matches(element, ':user-invalid')
    ? normalizeText(validationMessage)
    : '';
}

function referencedText(element: Element, attribute: string): string {
  const ids = (getAttribute(element, attribute) ?? '').split(/\s+/).filter(id => id !== '');
  const texts = ids.slice(0, MAX_IDS).map(id => {
    const other = elementById(element, id);
    return other === null ? '' : contentText(other, false);
  });
  return normalizeText(texts.join(' '));
}

/** Pictures with an alternative text, and elements with a name that show no text. */
const PICTURES = 'img[alt], [title]:empty, [role=img][aria-label], [aria-label]:empty';
const MAX_PICTURES = 300;
/** A step that adds more pictures fills a list. */
const MAX_NEW_PICTURES = 3;

type PictureTexts = ReadonlyMap<Element, string>;

const pictures = documentState.value(() => new Compared<PictureTexts | null>(null));

/** Returns the pictures that are new, if they are few, or have other words than in the observation before, with these. @param repeats true to compare with the same observation as the last call */
export function changedPictures(
  repeats: boolean,
): readonly { readonly element: Element; readonly text: string }[] {
  pictures().begin(repeats);
  const now = whileTreeStands('pictures', readPictures);
  pictures().now = now;
  const { before: baseline } = pictures();
  if (baseline === null || now === baseline) return [];
  const isAdded = ({ element }: TextLine): boolean => !baseline.has(element);
  const changed = [...now]
    .filter(([element, text]) => baseline.get(element) !== text && isOutsideOfControls(element))
    .map(([element, text]) => ({ element, text }));
  const areMany = changed.filter(isAdded).length > MAX_NEW_PICTURES;
  // What the page renders again has its words still; a portrait repeats the name beside it.
  const known = new Set(baseline.values());
  const isNew = ({ element, text }: TextLine): boolean =>
    !areMany && matches(element, 'img,[role=img]') && !known.has(text) && !isKnownText(text);
  return changed.filter(line => !isAdded(line) || isNew(line));
}

function readPictures(): PictureTexts {
  const texts = new Map<Element, string>();
  for (const element of queryAllDocument(document, PICTURES)) {
    if (texts.size >= MAX_PICTURES) break;
    const isImage = localName(element) === 'img';
    const words = getAttribute(element, isImage ? 'alt' : 'aria-label') || getAttribute(element, 'title');
    const text = normalizeText(words ?? '');
    if (text !== '') texts.set(element, text);
  }
  return texts;
}

function isOutsideOfControls(element: Element): boolean {
  if (isBackgroundNode(element) || !checkVisibility(element, VISIBLE)) return false;
  for (const at of around(element, WIDGET_LEVELS)) {
    const listed = listedCandidate(at);
    if (listed !== null && listed.candidate.basis === 'control') return false;
  }
  return true;
}

/** Maximum number of messages of one frame, and of those that say what disappeared. */
const MAX_MESSAGES = 20;
const MAX_DISAPPEARED = 5;
/** Maximum length of one message, and of all messages of a frame together. Characters. */
const MAX_LENGTH = 300;
const MAX_TOTAL_LENGTH = 2_400;
/** Maximum number of names of fields that are searched in a line. */
const MAX_LABELS = 60;

interface PlacedMessage extends TextLine {
  readonly kind: ObservedMessage['kind'];
  readonly isNew: boolean;
}

/** An announcement or the text of an invalid field. */
type StandingText = Omit<PlacedMessage, 'isNew'>;

/** Words of the list of actions: no message repeats them. */
interface ShownWords {
  readonly fieldNames: ReadonlySet<string>;
  /** The choices in lists of choices, which some of them draw beside the field. */
  readonly chosen: readonly TextLine[];
}

const told = documentState.value(() => ({
  standing: new Compared<readonly StandingText[]>([]),
  shown: new Compared<ShownWords>({ fieldNames: new Set(), chosen: [] }),
  /** The announcements that came and went before the last observation. */
  passing: [] as readonly LiveText[],
}));

const labelWords = (text: string): string => text.replace(/[\s:*]+$/, '');

function shownWords(elements: readonly ObservedElement[]): ShownWords {
  const fields = elements.filter(({ letter }) => letter === 'I');
  return {
    fieldNames: new Set(fields.map(({ key, name }) => labelWords(nameOfKey(key) ?? name))),
    chosen: elements.flatMap(({ key, role, value }) => {
      const element = role === 'combobox' && value !== null ? elementByKey(key) : null;
      return element === null || value === null ? [] : [{ element, text: value }];
    }),
  };
}

function nameOfKey(key: number): string | undefined {
  const element = elementByKey(key);
  return element === null ? undefined : listedCandidate(element)?.name.text;
}

/** Returns true if a list of choices around the line shows it as chosen. */
const isChosen = ({ element, text }: TextLine, { chosen }: ShownWords): boolean =>
  chosen.some(
    one =>
      one.text.includes(text) &&
      [...around(element, WIDGET_LEVELS)].some(box => composedContains(box, one.element)),
  );

/** Returns true if a line has no words beside the names of fields and announcements: the list shows them. */
function consistsOfLabels(
  { text }: TextLine,
  names: ReadonlySet<string>,
  standing: readonly TextLine[],
): boolean {
  if (names.has(labelWords(text))) return true;
  if (names.size > MAX_LABELS || text.length > MAX_LENGTH) return false;
  return consistsOf(text, [...standing.map(line => line.text), ...names]);
}

export function collectMessages(
  { top, earlierTextHashes = '', repeats = false }: ObserveOptions,
  elements: readonly ObservedElement[],
): ObservedMessages {
  const { standing: standingTexts, shown } = told();
  standingTexts.begin(repeats);
  shown.begin(repeats);
  shown.now = shownWords(elements);
  const { before: earlier } = standingTexts;
  const listed = listedCandidates().map(({ candidate }) => candidate);
  const actions = listed.map(({ element }) => element);
  const fields = listed.filter(({ letter }) => letter === 'I').map(({ element }) => element);
  const changes = orSkipped(() => readTextChanges(earlierTextHashes, actions, repeats));
  if (!repeats) told().passing = orSkipped(() => takePassingTexts(textBefore)) ?? [];
  if (Array.isArray(changes?.changed)) orSkipped(() => noteRedTexts(changes.changed as readonly Element[]));
  const live = orSkipped(() => readLiveTexts(changes?.changed ?? [])) ?? [];
  const invalid = orSkipped(() => readInvalidFields(fields)) ?? [];
  const standing = [
    ...live.filter(line => !isInAction(line, true) && !invalid.some(({ text }) => text === line.text)),
    ...invalid.map(line => ({ ...line, kind: 'validation' as const })),
    ...(live.length + invalid.length === 0 ? (orSkipped(() => errorPage(actions.length)) ?? []) : []),
  ];
  standingTexts.now = standing;
  // Another text has stood there meanwhile: the same text has come again.
  const renewed = new Set(told().passing.map(({ element }) => element));
  const [counts, earlierCounts] = [countsOf(standing), countsOf(earlier)];
  const isNew = ({ kind, text, element }: StandingText): boolean =>
    (counts.get(`${kind} ${text}`) ?? 0) > (earlierCounts.get(`${kind} ${text}`) ?? 0) ||
    renewed.has(element);
  const appeared = joinNeighbours(
    [...(changes?.appeared ?? []), ...(orSkipped(() => changedPictures(repeats)) ?? [])].filter(
      line =>
        !isPartOf(line, standing) &&
        !consistsOfLabels(line, shown.now.fieldNames, standing) &&
        !isChosen(line, shown.now),
    ),
  );
  const placed: PlacedMessage[] = [
    ...standing.flatMap(line => ('isOlder' in line && line.isOlder ? [] : { ...line, isNew: isNew(line) })),
    ...appeared.map(line => ({ ...line, kind: 'appeared' as const, isNew: true })),
  ];
  placed.sort(inReadingOrder);
  const gone = joinNeighbours(
    (changes?.disappeared ?? []).filter(
      // A notice was told when it came.
      line =>
        !consistsOfLabels(line, shown.before.fieldNames, []) &&
        !shown.before.chosen.some(({ text }) => text === line.text) &&
        !isPartOf(
          line,
          earlier.filter(({ kind }) => kind === 'status'),
        ),
    ),
  )
    .slice(0, MAX_DISAPPEARED)
    .map(line => ({ ...line, kind: 'disappeared' as const, isNew: true }));
  const passed = told()
    .passing.filter(line => !isPartOf(line, standing) && !isUpdated(line, standing))
    // An error that the step has corrected may be rendered once more before it goes.
    .filter(line => !earlier.some(({ text }) => text === line.text) && !isUpdated(line, earlier))
    .filter(line => line.kind !== 'appeared' || !(isKnownText(line.text) || heldText(line.element)))
    .map(line => ({ ...line, isNew: true }));
  const textHashes = top ? (changes?.textHashes ?? null) : null;
  return { messages: withinBudget([...placed, ...passed, ...gone]), textHashes };
}

/** Returns how many announcements of each kind and text there are. */
function countsOf(lines: readonly StandingText[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, text } of lines) counts.set(`${kind} ${text}`, (counts.get(`${kind} ${text}`) ?? 0) + 1);
  return counts;
}

/** Maximum number of actions of a page that shows only an error, and maximum length of its text in characters. */
const MAX_ERROR_ACTIONS = 2;
const MAX_ERROR_LENGTH = 300;
const FIRST_ERROR_STATUS = 400;
const ERROR_WORDS =
  /\b(?:error|exception|not found|denied|forbidden|unavailable|failed|cannot|can't|could not|went wrong|timed out|refused|expired)\b/i;

/** Returns the text of a page that shows only an error: the answer of a server with an error status, or few words that say so. */
function errorPage(actionCount: number): readonly (TextLine & { readonly kind: 'alert' })[] {
  const body = bodyOf(document);
  if (body === null || actionCount > MAX_ERROR_ACTIONS) return [];
  const text = visibleText(body, null, MAX_ERROR_LENGTH + 1);
  if (text === '' || text.length > MAX_ERROR_LENGTH) return [];
  const [navigation] = performance.getEntriesByType('navigation');
  const status = navigation instanceof PerformanceNavigationTiming ? navigation.responseStatus : 0;
  return status >= FIRST_ERROR_STATUS || ERROR_WORDS.test(text)
    ? [{ kind: 'alert', element: body, text }]
    : [];
}

/** Returns true if an announcement contains the line: it is listed once. */
const isPartOf = ({ text }: TextLine, standing: readonly TextLine[]): boolean =>
  standing.some(one => one.text.includes(text));

/** True if an announcement is another one in other words: a status bar that changes in parts, and a notice that closes, are told once. */
const isUpdated = ({ element, text }: TextLine, standing: readonly TextLine[]): boolean => {
  const words = new Set(text.split(' '));
  return standing.some(
    one =>
      (composedContains(one.element, element) || composedContains(element, one.element)) &&
      one.text.split(' ').filter(word => words.has(word)).length * 2 > words.size,
  );
};

const inReadingOrder = (one: TextLine, other: TextLine): number => {
  const position = comparePosition(one.element, other.element);
  if (position & Node.DOCUMENT_POSITION_DISCONNECTED) return 0;
  return position & Node.DOCUMENT_POSITION_FOLLOWING
    ? -1
    : position & Node.DOCUMENT_POSITION_PRECEDING
      ? 1
      : 0;
};

/** Cuts the messages to the budget. Announcements and invalid fields come first when there is not enough for all. */
function withinBudget(placed: readonly PlacedMessage[]): ObservedMessage[] {
  const isChange = ({ kind }: PlacedMessage): boolean => kind === 'appeared' || kind === 'disappeared';
  const chosen = new Set<PlacedMessage>();
  const texts = new Set<string>();
  let left = MAX_TOTAL_LENGTH;
  for (const one of [...placed.filter(one => !isChange(one)), ...placed.filter(isChange)]) {
    const owner = one.kind === 'validation' ? keyOfElement(one.element) : '';
    const key = `${one.kind === 'disappeared' ? one.kind : owner} ${one.text}`;
    if (texts.has(key) || chosen.size >= MAX_MESSAGES) continue;
    left -= Math.min(one.text.length, MAX_LENGTH);
    if (left < 0) break;
    texts.add(key);
    chosen.add(one);
  }
  return placed
    .filter(one => chosen.has(one))
    .map(({ kind, element, text, isNew }) => ({
      kind,
      text: truncate(text, MAX_LENGTH),
      key: kind === 'validation' ? keyOfElement(element) : null,
      isNew,
    }));
}
