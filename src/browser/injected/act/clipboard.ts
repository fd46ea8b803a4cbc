/**
 * The page's side of the session's own clipboard. Chromium has one clipboard for all pages of a browser, so the service
 * never lets a page paste from it: this script reports what the document copies, and performs the paste.
 */

import { cutText } from '../../../domain/space/pageText.ts';
import { COPY_BINDING } from '../dom/bindings.ts';
import { focusedElement } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { isSecretField } from '../dom/secretFields.ts';

export interface ClipboardContent {
  readonly text: string;
  /** Null if the page copied text only. */
  readonly html: string | null;
}

/** State of the focus in a document: the frame in `frame` has it, another document has it, or this one. */
export type PasteFocus = 'here' | 'frame' | 'elsewhere';

/** Maximum length of each copied text, in characters; the rest is cut. */
const MAX_LENGTH = 500_000;
/** Minimum mean time between reports: a page can copy in a loop. Milliseconds. */
const REPORT_INTERVAL_MS = 250;
/** Number of reports that are sent at once after a rest, so that a step which follows a copy at once pastes it. */
const REPORT_BURST = 4;

const copying = documentState.value(() => ({
  /** Time at which as many reports are due as were sent: the later it is, the longer the next one waits. By `performance.now()`. */
  nextDueAt: Number.NEGATIVE_INFINITY,
  pending: null as ClipboardContent | null,
}));
const pasting = documentState.value(() => ({
  /** The keydown event of the current paste; its `defaultPrevented` tells whether the page wants the paste. */
  key: null as KeyboardEvent | null,
}));

/** Starts to report everything that the document copies or cuts to the service. */
export function watchClipboard(): void {
  addEventListener('copy', onCopy, true);
  addEventListener('cut', onCopy, true);
}

/** Returns where the focus is; if it is in this document, starts to watch for the key of a paste. Call it before the key. */
export function preparePaste(): PasteFocus {
  pasting().key = null;
  if (!document.hasFocus()) return 'elsewhere';
  if (focusedElement() instanceof HTMLIFrameElement) return 'frame';
  addEventListener('keydown', keepPasteKey, true);
  return 'here';
}

/** Dispatches `paste` unless the page prevented the key, and inserts what the page does not take. */
export function paste({ text, html }: ClipboardContent): void {
  removeEventListener('keydown', keepPasteKey, true);
  if (pasting().key?.defaultPrevented === true) return;
  if (isPasteTaken({ text, html })) return;
  const target = focusedElement();
  const isRich = html !== null && target instanceof HTMLElement && target.isContentEditable;
  document.execCommand(isRich ? 'insertHTML' : 'insertText', false, isRich ? html : text);
}

/** Dispatches a `paste` event with a text where the focus is. Returns true if the page handles it. */
export const pasteText = (text: string): boolean => isPasteTaken({ text, html: null });

function isPasteTaken({ text, html }: ClipboardContent): boolean {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  if (html !== null) clipboardData.setData('text/html', html);
  const event = new ClipboardEvent('paste', {
    clipboardData,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  return !(focusedElement() ?? document).dispatchEvent(event);
}

function keepPasteKey(event: KeyboardEvent): void {
  if (event.isTrusted && /^(?:v|insert)$/i.test(event.key)) pasting().key = event;
}

/** Reads what the page or the selection copies. Any listener can stop the event, so that each of its targets gets one of ours. */
function onCopy(event: ClipboardEvent): void {
  if (!event.isTrusted) return;
  const selected = selectedText();
  let content: ClipboardContent = { text: selected, html: null };
  let hasReadPageData = false;
  const read = ({ clipboardData: data }: ClipboardEvent): void => {
    hasReadPageData = event.defaultPrevented;
    content = event.defaultPrevented
      ? { text: data?.getData('text/plain') ?? '', html: data?.getData('text/html') || null }
      : { text: selected, html: null };
  };
  const targets = event.composedPath();
  for (const target of targets) target.addEventListener(event.type, read as EventListener);
  setTimeout(() => {
    for (const target of targets) target.removeEventListener(event.type, read as EventListener);
    // A page that stops the event at once after it has set its data hides the data; the selection is not what it copied.
    if (event.defaultPrevented && !hasReadPageData) return;
    if (content.text !== '' || content.html !== null) report(content);
  });
}

function selectedText(): string {
  const element = focusedElement();
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) {
    if (isSecretField(element)) return '';
    const { selectionStart, selectionEnd } = element;
    if (selectionStart !== null && selectionEnd !== null && selectionEnd > selectionStart)
      return element.value.slice(selectionStart, selectionEnd);
  }
  return String(getSelection() ?? '');
}

function report({ text, html }: ClipboardContent): void {
  const state = copying();
  const isWaiting = state.pending !== null;
  state.pending = { text: cutText(text, MAX_LENGTH), html: html === null ? null : cutText(html, MAX_LENGTH) };
  if (isWaiting) return;
  const waitMs = state.nextDueAt - (REPORT_BURST - 1) * REPORT_INTERVAL_MS - performance.now();
  if (waitMs <= 0) sendReport();
  else setTimeout(sendReport, waitMs);
}

function sendReport(): void {
  const state = copying();
  state.nextDueAt = Math.max(state.nextDueAt, performance.now()) + REPORT_INTERVAL_MS;
  const send: unknown = Reflect.get(globalThis, COPY_BINDING);
  if (typeof send === 'function') send(JSON.stringify(state.pending));
  state.pending = null;
}
