/** Finds what a page announces: alerts, status texts, toasts, and errors that only their class or id marks. */

import { around, NEAR_LEVELS, WIDGET_LEVELS } from '../dom/around.ts';
import {
  bodyOf,
  checkVisibility,
  closest,
  contains,
  getAttribute,
  hasAttributes,
  inDocumentOrder,
  isConnected,
  lastElementChild,
  localName,
  matches,
  parentElement,
  previousElementSibling,
  queryAllIn,
  queryIn,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { styleOf } from '../dom/styleOf.ts';
import { EDITABLE, SHOWN_FIELDS } from '../dom/vocabulary.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { textBesideControls, visibleText, wordsBesideButtons } from '../perceive/element/renderedText.ts';
import { foundShadowRoots } from '../perceive/element/shadowRootOf.ts';
import { isRed, isSeen } from '../perceive/element/visibility.ts';
import { hasOwnText } from '../perceive/find/eventDelegation.ts';
import { VISIBLE } from './textOwners.ts';

/** An announcement on the page, in document order; `appeared` for a text that nothing marks as one. */
export interface LiveText {
  readonly kind: 'alert' | 'status' | 'appeared';
  readonly element: Element;
  readonly text: string;
  /** True for a text above the last ones of its region: it stands, and is not told. */
  readonly isOlder?: boolean;
}

const LIVE =
  '[role=alert], [role=status], [role=log], [role=alertdialog], [aria-live], output, dialog, [aria-modal=true]';
/** Matches what asks a question: a dialog that covers the page. */
const QUESTIONS = '[role=alertdialog], dialog:modal, [aria-modal=true]';
const DIALOG_FIELDS = `${SHOWN_FIELDS}, [role=grid], [role=listbox], ${EDITABLE}`;
/** A dialog with more fields than this is a form, whose list says what it is for. */
const MAX_FIELDS = 1;
/** Words in classes and ids by which pages and libraries mark errors and notices. */
const ALERT_WORDS =
  /(?:^|[\s_-])(?:err|error|danger|invalid|warning|alert)(?:s|list|note|msg|message|text|box|feedback)?(?:$|[\s_-])|[a-z]Error(?:$|[\s_A-Z-])|error(?:note|list|msg|message|text)/;
const STATUS_WORDS =
  /(?:^|[\s_-])(?:toast|snackbar|notification|notif|flash|notice|success|messagelist|messages?-(?:success|info|error))(?:s|es|text|message|body|content)?(?:$|[\s_-])/i;
/** A class or id that marks a notice where one or two elements have it; elements of a conversation have it too. */
const MESSAGE_WORDS =
  /(?:^|\s)(?:(?:system-|flash-|form-|server-)?(?:messages?|msg)(?:-?box)?|messages?--?status)(?:$|\s)/i;
/** Maximum number of elements with such a class: more are the entries of a conversation. */
const MAX_NOTICES = 2;
/** A box with more text, or with a field, is a part of the page with such a class, and no announcement. Characters. */
const MAX_NAMED_LENGTH = 400;
const MAX_ELEMENTS = 400;
const MAX_LENGTH = 500;

/** Elements with such a class or id that the observations before have found. They are told as long as they stand. */
const named = documentState.value(() => ({ elements: [] as readonly WeakRef<Element>[] }));

/** Returns the visible announcements. @param changed elements with new text: comparing the classes of all would take longer than the rest */
export function readLiveTexts(changed: Iterable<Element>): LiveText[] {
  const owners = [...changed];
  const body = bodyOf(document);
  const found = new Set<Element>();
  if (body !== null) for (const element of whileTreeStands('live', () => liveIn(body))) found.add(element);
  for (const root of foundShadowRoots())
    for (const element of root.querySelectorAll(LIVE)) found.add(element);
  for (const element of namedElements(owners)) found.add(element);
  const changedChildren = childrenAround(owners);
  const inOrder = [...found].slice(0, MAX_ELEMENTS).sort(inDocumentOrder);
  const live: LiveText[] = [];
  let outer: LiveText | null = null;
  let isSplit = false;
  for (const element of inOrder) {
    const isInside = outer !== null && contains(outer.element, element) && !isQuestion(outer.element);
    if (isInside && (isSplit || !(outer?.kind === 'status' && announcedKind(element) === 'alert'))) continue;
    const text = liveText(element);
    const parts = text === null || isInside ? [] : partsOf(text, changedChildren);
    isSplit = parts.length > 0;
    if (isSplit) {
      live.push(...parts);
      outer = text;
      continue;
    }
    // The region in which a page puts its alerts says nothing of its own.
    if (isInside && text !== null && text.text === outer?.text) live.pop();
    if (text === null || (isInside && text.text !== outer?.text)) continue;
    live.push(text);
    outer = text;
  }
  return withoutStatesOfEntries(withoutConversations(live));
}

/** Maximum number of texts of one region that are told: of more, such as a log, the last ones and those with new text. */
const MAX_PARTS = 5;
/** Maximum number of its last texts that are read: those before the told ones are known when one of these goes. */
const MAX_READ_PARTS = 2 * MAX_PARTS;
const MAX_CHILDREN = 100;

/** Returns the texts of a region that is not atomic (WAI-ARIA 1.2, `aria-atomic`), such as several toasts; empty if it is one text. */
function partsOf({ element, kind }: LiveText, changed: ReadonlyMap<Element, Element[]>): readonly LiveText[] {
  if (isAtomic(element) || hasOwnText(element)) return [];
  const renewed = new Set(changed.get(element)?.slice(-MAX_READ_PARTS));
  const last = visibleChildren(element);
  const told = new Set([...last.slice(-MAX_PARTS), ...renewed]);
  const parts: LiveText[] = [];
  for (const part of new Set([...last, ...renewed])) {
    const text = checkVisibility(part, VISIBLE) ? wordsBesideButtons(part, MAX_LENGTH) : '';
    if (text === '') continue;
    if (INLINE.test(styleOf(part).display) || !/\p{L}/u.test(text)) return [];
    const own = announcedKind(part) ?? namedKind(part) ?? kind;
    parts.push({
      kind: queryIn(part, ALERTS) === null ? own : 'alert',
      element: part,
      text,
      isOlder: !told.has(part),
    });
  }
  return parts.length < 2 ? [] : parts;
}

function visibleChildren(region: Element): readonly Element[] {
  const found: Element[] = [];
  let child = lastElementChild(region);
  for (let read = 0; child !== null && read < MAX_CHILDREN && found.length < MAX_READ_PARTS; read++) {
    if (checkVisibility(child, VISIBLE)) found.unshift(child);
    child = previousElementSibling(child);
  }
  return found;
}

function childrenAround(elements: readonly Element[]): ReadonlyMap<Element, Element[]> {
  const children = new Map<Element, Element[]>();
  const visited = new Set<Element>();
  for (const element of elements)
    for (let at: Element | null = element; at !== null && !visited.has(at); ) {
      visited.add(at);
      const parent: Element | null = parentElement(at);
      if (parent !== null && children.get(parent)?.push(at) === undefined) children.set(parent, [at]);
      at = parent;
    }
  return children;
}

const ALERTS = '[role=alert], [aria-live=assertive]';
const INLINE = /^(?:inline|contents|ruby)/;

/** Returns true for a region whose nodes are one text: alerts and states are, unless they say otherwise. */
function isAtomic(element: Element): boolean {
  const stated = getAttribute(element, 'aria-atomic');
  if (stated !== null) return stated !== 'false';
  return !matches(element, '[role=log], [aria-live]:not([role=alert], [role=status])');
}

function withoutConversations(live: readonly LiveText[]): readonly LiveText[] {
  const entries = live.filter(({ element }) => isMarkedAsMessage(element));
  return entries.length <= MAX_NOTICES ? live : live.filter(one => !entries.includes(one));
}

const wordsOf = (element: Element): string =>
  `${getAttribute(element, 'class') ?? ''} ${getAttribute(element, 'id') ?? ''}`;

/** Returns true if nothing but a word such as `message` marks the element. */
const isMarkedAsMessage = (element: Element): boolean =>
  announcedKind(element) === null &&
  markedKind(wordsOf(element)) === null &&
  MESSAGE_WORDS.test(wordsOf(element));

/** Minimum number of equal status elements that are the states of the entries of a list. */
const MIN_ENTRIES = 3;

/** Leaves out the states that several entries of a list show, each beside its own text: nothing announces them. */
function withoutStatesOfEntries(live: readonly LiveText[]): LiveText[] {
  const kinds = Map.groupBy(live, ({ element, kind }) =>
    kind === 'status' ? `${localName(element)} ${getAttribute(element, 'class') ?? ''}` : null,
  );
  const states = new Set<LiveText>();
  for (const [kind, group] of kinds)
    if (
      kind !== null &&
      group.length >= MIN_ENTRIES &&
      new Set(group.map(one => parentElement(one.element))).size === group.length
    )
      for (const one of group) if (isBesideText(one)) states.add(one);
  return states.size < MIN_ENTRIES ? [...live] : live.filter(one => !states.has(one));
}

/** Returns true if the box around a status shows other text too. */
function isBesideText({ element, text }: LiveText): boolean {
  const parent = parentElement(element);
  return parent !== null && /\p{L}{2}/u.test(visibleText(parent, null, MAX_LENGTH).replace(text, ''));
}

/** Returns what matches `LIVE`: few elements have a role, and comparing each element with all parts of `LIVE` takes longer. */
const liveIn = (body: Element): Element[] =>
  Array.from(queryAllIn(body, '[role], [aria-live], [aria-modal], output, dialog')).filter(element =>
    matches(element, LIVE),
  );

/** Elements whose new text stood in red beside fields: an error that nothing else marks. */
const inRed = new WeakSet<Element>();
const MAX_RED_LENGTH = 150;

/** Notes which of the elements with new text are errors by their color alone. @param changed those whose text is new since the last observation */
export function noteRedTexts(changed: readonly Element[]): void {
  for (const element of changed.slice(0, MAX_NOTED)) {
    if (namedKind(element) !== null || NO_NOTICES.test(localName(element))) continue;
    const text = visibleText(element, null, MAX_LENGTH);
    if (text.length > MAX_RED_LENGTH || !/\p{L}{2,}\s+\p{L}/u.test(text) || !isRed(element)) continue;
    for (const box of around(element, WIDGET_LEVELS))
      if (queryIn(box, SHOWN_FIELDS) !== null) inRed.add(element);
  }
}

/** Maximum number of elements whose color is read: a step that changes more shows another page. */
const MAX_NOTED = 60;

function namedElements(changed: Iterable<Element>): Element[] {
  const found = new Set(
    named()
      .elements.map(one => one.deref())
      .filter(element => element !== undefined),
  );
  const visited = new Set<Element>();
  for (const owner of changed) {
    let at: Element | null = owner;
    for (
      let climbed = 0;
      at !== null && climbed < NEAR_LEVELS && !visited.has(at);
      climbed++, at = parentElement(at)
    ) {
      visited.add(at);
      if (namedKind(at) !== null) found.add(at);
    }
  }
  const elements = [...found].filter(element => isConnected(element));
  named().elements = elements.slice(0, MAX_ELEMENTS).map(element => new WeakRef(element));
  return elements;
}

/** Returns true if the element announces its text: by its role, or by its class or id. */
export const isAnnouncement = (element: Element): boolean =>
  (announcedKind(element) ?? namedKind(element)) !== null;

export function liveText(element: Element): LiveText | null {
  const announced = announcedKind(element);
  const kind = announced ?? namedKind(element);
  if (kind === null || !checkVisibility(element, VISIBLE)) return null;
  const text = isQuestion(element) ? questionOf(element) : wordsBesideButtons(element, MAX_LENGTH);
  // A number alone, such as that of new messages, announces nothing by itself: as a new text it is told like any other.
  if (!/\p{L}/u.test(text) || !isSeen(element)) return null;
  if (announced === null && (text.length > MAX_NAMED_LENGTH || queryIn(element, SHOWN_FIELDS) !== null))
    return null;
  if (announced === null && kind === 'alert' && isLabel(element, text)) return null;
  return { kind, element, text };
}

/** Returns true for a word that a class of colors marks: `Delete` in red is no error; nor is a part of a sentence, such as `to`. */
const isLabel = (element: Element, text: string): boolean =>
  !text.includes(' ') &&
  (text.length < MIN_WORD || !NAMES_MESSAGE.test(wordsOf(element)) || isInControl(element));

/** Minimum length of one word that is a message: `Saved`. Characters. */
const MIN_WORD = 4;
/** Words that name a message, and no color of a library. */
const NAMES_MESSAGE = /err|invalid|toast|snackbar|notif|flash|notice|message|msg|feedback/i;

const isInControl = (element: Element): boolean =>
  closest(element, 'a[href], button, [role=button], [role=menuitem], [onclick]') !== null;

const isQuestion = (element: Element): boolean => matches(element, QUESTIONS);

/** Returns the text of a dialog beside its controls and its title, which the list has; empty for a form. */
function questionOf(dialog: Element): string {
  if (queryAllIn(dialog, DIALOG_FIELDS).length > MAX_FIELDS) return '';
  const text = textBesideControls(dialog, false);
  const title = queryIn(dialog, 'h1, h2, h3, h4, h5, h6, [role=heading]');
  const heading = title === null ? '' : visibleText(title);
  return getAttribute(dialog, 'role') !== 'alertdialog' && heading !== '' && text.startsWith(heading)
    ? text.slice(heading.length).trim()
    : text;
}

const LISTS = /^(?:listbox|menu|tree|grid)$/;

function announcedKind(element: Element): LiveText['kind'] | null {
  const role = getAttribute(element, 'role');
  // The list has the entries of a list of choices.
  if (role !== null && LISTS.test(role)) return null;
  const live = getAttribute(element, 'aria-live');
  if (role === 'alert' || role === 'alertdialog' || live === 'assertive') return 'alert';
  if (role === 'status' || role === 'log' || live === 'polite' || localName(element) === 'output')
    return 'status';
  return isQuestion(element) ? 'status' : null;
}

/** Fields and buttons of forms have such classes too (`is-invalid`, `btn-danger`): they are actions and no announcements. */
const NO_NOTICES =
  /^(?:a|button|input|select|textarea|form|fieldset|label|body|html|svg|i|img|nav|table|tr|tbody|thead)$/;

function namedKind(element: Element): LiveText['kind'] | null {
  if (inRed.has(element)) return 'alert';
  if (!hasAttributes(element)) return null;
  const words = wordsOf(element);
  const kind = words === ' ' ? null : kindOfWords(words);
  if (kind === null) return null;
  return NO_NOTICES.test(localName(element)) || getAttribute(element, 'role') === 'button' ? null : kind;
}

const kindOfWords = (words: string): LiveText['kind'] | null =>
  markedKind(words) ?? (MESSAGE_WORDS.test(words) ? 'status' : null);

/** Returns what words mark as an error or a notice. `info` alone marks many other things: it says which kind of alert one is. */
function markedKind(words: string): LiveText['kind'] | null {
  if (/(?:^|[\s_-])success(?:$|[\s_-])/i.test(words)) return 'status';
  if (ALERT_WORDS.test(words)) return /(?:^|[\s_-])info(?:$|[\s_-])/i.test(words) ? 'status' : 'alert';
  return STATUS_WORDS.test(words) ? 'status' : null;
}
