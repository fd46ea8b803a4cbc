/** Reports the messages that a page shows just before a step leaves it: the next document does not show them any more. */
import { documentURL } from '../dom/domGetters.ts';
import { truncate } from '../perceive/element/plainText.ts';
import { orNull } from '../perceive/orNull.ts';
import { isStepRunning, noteChanges } from '../settle/quiet.ts';
import { textsOfStep } from './passingTexts.ts';
import { isKnownText } from './textChanges.ts';
import { UNLOAD_MESSAGES_BINDING } from './unloadMessagesBinding.ts';

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
  const texts = (orNull(textsOfStep) ?? []).filter(({ text }) => !isKnownText(text));
  const announced = texts.filter(({ kind }) => kind !== 'appeared');
  const reported = (announced.length > 0 ? announced : texts).slice(0, MAX_TEXTS);
  if (reported.length === 0) return;
  const messages = reported.map(({ kind, text }) => ({ kind, text: truncate(text, MAX_LENGTH) }));
  send(JSON.stringify({ url: documentURL(document), messages }));
}
