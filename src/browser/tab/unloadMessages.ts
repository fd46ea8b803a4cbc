/** Keeps the messages that a page of a tab showed just before a step left it. */
import type { CDPSession } from 'playwright';
import { z } from 'zod';
import { normalizeText } from '../../domain/space/pageText.ts';
import type { PageMessage } from '../../domain/space/space.ts';
import { redactUrl } from '../../domain/webAddress.ts';
import type { FrameWorlds } from '../cdp/isolatedWorld.ts';
import { UNLOAD_MESSAGES_BINDING } from '../injected/dom/bindings.ts';

/** Maximum number of messages that are kept for one step. */
const MAX_TEXTS = 5;

const reportSchema = z
  .string()
  .transform(text => JSON.parse(text) as unknown)
  .pipe(
    z.object({
      url: z.string(),
      messages: z.array(z.object({ kind: z.enum(['alert', 'status', 'appeared']), text: z.string() })),
    }),
  );

/** Keeps the last messages of the documents that the present step has left. */
export class UnloadMessages {
  readonly #documentId: () => string | undefined;
  readonly #texts = new Map<
    string,
    { readonly message: PageMessage; readonly document: string | undefined }
  >();

  /** @param documentId returns the id of the present document */
  constructor(documentId: () => string | undefined) {
    this.#documentId = documentId;
  }

  /** Receives the messages of one CDP target. `Runtime.enable` must have been answered. Takes no round trip. */
  watch(session: CDPSession, { worldName }: FrameWorlds): void {
    if (worldName === null) return;
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === UNLOAD_MESSAGES_BINDING) this.#received(payload);
    });
    const params = { name: UNLOAD_MESSAGES_BINDING, executionContextName: worldName };
    session.send('Runtime.addBinding', params).catch(() => {});
  }

  #received(payload: string): void {
    const { url, messages } = reportSchema.parse(payload);
    const document = this.#documentId();
    for (const { kind, text } of messages) {
      if (this.#texts.size >= MAX_TEXTS) return;
      const message = { kind, text: normalizeText(text), action: null, isNew: true, page: redactUrl(url) };
      this.#texts.set(text, { message, document });
    }
  }

  /** Forgets all. Call it before a step. */
  clear(): void {
    this.#texts.clear();
  }

  /** Returns the messages of the documents that have been left, and forgets them. @param shown the messages of the present document, which may repeat them */
  take(shown: readonly PageMessage[]): readonly PageMessage[] {
    const texts = [...this.#texts.values()];
    this.clear();
    return texts
      .filter(
        ({ document, message }) =>
          document !== this.#documentId() && !shown.some(one => one.text === message.text),
      )
      .map(({ message }) => message);
  }
}
