/** Notices texts that come and go during a step: a toast that is gone before the step is answered. */

import { around, WIDGET_LEVELS } from '../dom/around.ts';
import { UNLOAD_MESSAGES_BINDING } from '../dom/bindings.ts';
import {
  checkVisibility,
  closest,
  documentURL,
  isConnected,
  isElement,
  localName,
  parentElement,
  textContent,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { orSkipped } from '../dom/skipped.ts';
import { truncate } from '../perceive/element/plainText.ts';
import { visibleText } from '../perceive/element/renderedText.ts';
import { isSeen } from '../perceive/element/visibility.ts';
import { isIndicator } from '../settle/busy.ts';
import { isBackgroundNode, isStepRunning, noteChanges } from '../settle/quiet.ts';
import { isAnnouncement, type LiveText, liveText } from './liveTexts.ts';
import { isKnownText } from './textChanges.ts';
import { VISIBLE } from './textOwners.ts';

/** Time from the change to the reading: until then toasts fade in. A text that goes sooner is not read. Milliseconds. */
const READING_DELAY_MS = 100;
/** Maximum number of elements that are read between two observations, and of passing texts that are told of one: of a counter the first and the last. */
const MAX_WATCHED = 20;
const MAX_TEXTS_OF_ONE = 3;
/** A text that nothing marks as an announcement is at most this long, in an element with at most this many children. */
const MAX_PLAIN_LENGTH = 120;
const MAX_PLAIN_CHILDREN = 6;
const MAX_PLAIN_REPORTED = 3;

interface ReadText extends LiveText {
  readonly parent: Element | null;
}

/** The elements that steps have changed since the last observation, those that are to be read, and the texts that were read of them. */
const changes = documentState.value(() => ({
  watched: new Set<Element>(),
  unread: new Set<Element>(),
  read: [] as ReadText[],
}));

/** Notices texts that pass: receives each node that a step adds or changes, and its parent or itself. */
export function watchTexts(changed: Node, parent: Node): void {
  const element = isElement(changed) ? changed : isElement(parent) ? parent : null;
  if (element === null) return;
  const announcement = announcementAround(element);
  if (announcement !== null) readLater(announcement, liveText);
  else if (isShort(element) && !isBackgroundNode(element) && closest(element, ENTRIES) === null)
    readLater(element, plainText);
}

const ENTRIES = '[role=listbox], [role=option], [role=menu]';

function announcementAround(element: Element): Element | null {
  for (const at of around(element, WIDGET_LEVELS)) if (isAnnouncement(at)) return at;
  return null;
}

function isShort(element: Element): boolean {
  if (element.childElementCount > MAX_PLAIN_CHILDREN) return false;
  const { length } = (textContent(element) ?? '').trim();
  return length > 0 && length <= MAX_PLAIN_LENGTH;
}

function readLater(element: Element, readText: (element: Element) => LiveText | null): void {
  const { watched, unread } = changes();
  if (unread.has(element) || (watched.size >= MAX_WATCHED && !watched.has(element))) return;
  watched.add(element);
  unread.add(element);
  setTimeout(() => {
    const { unread, read } = changes();
    const text = unread.delete(element) && isConnected(element) ? readText(element) : null;
    const own = read.filter(one => one.element === text?.element);
    if (text === null || own.some(one => one.text === text.text) || isIndicator(element)) return;
    const last = own[MAX_TEXTS_OF_ONE - 1];
    if (last !== undefined) read.splice(read.indexOf(last), 1);
    read.push({ ...text, parent: parentElement(element) });
  }, READING_DELAY_MS);
}

function plainText(element: Element): LiveText | null {
  if (!checkVisibility(element, VISIBLE)) return null;
  const text = visibleText(element, null, MAX_PLAIN_LENGTH + 1);
  const isTold = /\p{L}/u.test(text) && text.length <= MAX_PLAIN_LENGTH && isSeen(element);
  return !isTold ? null : { kind: 'appeared', element, text };
}

/** Returns the texts that people saw since the last call and that are gone, and forgets them; `textBefore` gives those of elements before the step. */
export function takePassingTexts(textBefore: (element: Element) => string | undefined): readonly LiveText[] {
  const isGone = ({ kind, element, text }: LiveText): boolean =>
    !isConnected(element) || (kind === 'appeared' ? plainText : liveText)(element)?.text !== text;
  const gone = changes().read.filter(isGone);
  const plain = gone.filter(one => one.kind === 'appeared' && !isReplaced(one, textBefore));
  const reported = [...gone.filter(({ kind }) => kind !== 'appeared'), ...plain.slice(0, MAX_PLAIN_REPORTED)];
  Object.assign(changes(), { watched: new Set(), unread: new Set(), read: [] });
  return reported;
}

/** Returns the texts of the step that people see now, or that were read and are gone: what a page says before it is left. */
export function textsOfStep(): readonly LiveText[] {
  const { watched, read } = changes();
  const texts = new Map(read.map(one => [one.text, one as LiveText]));
  for (const element of watched) {
    if (!isConnected(element) || isIndicator(element)) continue;
    const text = (isAnnouncement(element) ? liveText : plainText)(element);
    if (text !== null) texts.set(text.text, text);
  }
  return [...texts.values()];
}

/** Returns true if other new text stands in the place of the text: then the page has gone on, as suggestions do with each key. */
function isReplaced(
  { element, parent }: ReadText,
  textBefore: (element: Element) => string | undefined,
): boolean {
  if (isConnected(element)) {
    const now = plainText(element)?.text ?? '';
    return now !== '' && now !== textBefore(element)?.trim();
  }
  for (const other of changes().watched)
    if (
      isConnected(other) &&
      parentElement(other) === parent &&
      localName(other) === localName(element) &&
      other.className === element.className
    )
      return true;
  return false;
}

/** Maximum number of texts that are reported, and the maximum length of one. Characters. */
const MAX_TEXTS = 3;
const MAX_LENGTH = 300;

/** Starts to report the messages. Call it once for each top document. */
export function watchUnloadMessages(): void {
  // A document of another site is left only after the next one has begun, when the service receives no events of it any more.
  Reflect.get(globalThis, 'navigation')?.addEventListener?.('navigate', (event: NavigateEvent) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) reportMessages();
  });
  addEventListener('pagehide', reportMessages, { capture: true });
}

function reportMessages(): void {
  const send: unknown = Reflect.get(globalThis, UNLOAD_MESSAGES_BINDING);
  if (typeof send !== 'function' || !isStepRunning()) return;
  noteChanges();
  const texts = (orSkipped(textsOfStep) ?? []).filter(({ text }) => !isKnownText(text));
  const announced = texts.filter(({ kind }) => kind !== 'appeared');
  const reported = (announced.length > 0 ? announced : texts).slice(0, MAX_TEXTS);
  if (reported.length === 0) return;
  const messages = reported.map(({ kind, text }) => ({ kind, text: truncate(text, MAX_LENGTH) }));
  send(JSON.stringify({ url: documentURL(document), messages }));
}
