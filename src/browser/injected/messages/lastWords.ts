/** Tells the service what a page says just before a step leaves it: the next document does not show it any more. */
import { documentURL } from '../dom/domGetters.ts';
import { truncate } from '../perceive/element/plainText.ts';
import { orNull } from '../perceive/orNull.ts';
import { isStepRunning, noteChanges } from '../tab/documentSettle.ts';
import { LAST_WORDS_BINDING } from '../tab/lastWordsBinding.ts';
import { textsOfStep } from './passingTexts.ts';
import { isKnownText } from './textChanges.ts';

/** Maximum number of texts that are reported, and the maximum length of one. Characters. */
const MAX_TEXTS = 3;
const MAX_LENGTH = 300;

/** Starts to report the last words. Call it once for each top document. */
export function watchLastWords(): void {
  // A document of another site is left only after the next one has begun, when the service receives no events of it any more.
  Reflect.get(globalThis, 'navigation')?.addEventListener?.('navigate', (event: NavigateEvent) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) reportLastWords();
  });
  addEventListener('pagehide', reportLastWords, { capture: true });
}

function reportLastWords(): void {
  const send: unknown = Reflect.get(globalThis, LAST_WORDS_BINDING);
  if (typeof send !== 'function' || !isStepRunning()) return;
  noteChanges();
  const texts = (orNull(textsOfStep) ?? []).filter(({ text }) => !isKnownText(text));
  const announced = texts.filter(({ kind }) => kind !== 'appeared');
  const reported = (announced.length > 0 ? announced : texts).slice(0, MAX_TEXTS);
  if (reported.length === 0) return;
  const words = reported.map(({ kind, text }) => ({ kind, text: truncate(text, MAX_LENGTH) }));
  send(JSON.stringify({ url: documentURL(document), words }));
}
