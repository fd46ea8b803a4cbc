/**
 * The clipboard of one session. Chromium has one clipboard for all pages of a browser process, so pages of the service
 * never paste from it: the isolated world of each document reports what it copies, and a paste inserts that.
 */
import type { BrowserContext, CDPSession } from 'playwright';
import { z } from 'zod';
import type { FrameWorlds } from '../cdp/isolatedWorld.ts';
import type { ClipboardContent } from '../injected/act/clipboard.ts';
import { COPY_BINDING } from '../injected/dom/bindings.ts';

const reportSchema = z
  .string()
  .transform(text => JSON.parse(text) as unknown)
  .pipe(z.object({ text: z.string(), html: z.string().nullable() }));

export class SessionClipboard {
  #content: ClipboardContent | null = null;
  /** Returns true for a text that the clipboard must not keep: pasted elsewhere, a value of the vault would leave its origin. */
  withholds: (text: string) => boolean = () => false;

  get content(): ClipboardContent | null {
    return this.#content;
  }

  /** Receives the copies of one CDP target. `Runtime.enable` must have been answered. Takes no round trip. */
  watch(session: CDPSession, { worldName }: FrameWorlds): void {
    if (worldName === null) return;
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== COPY_BINDING) return;
      const content = reportSchema.parse(payload);
      if (!this.withholds(content.text) && !this.withholds(content.html ?? '')) this.#content = content;
    });
    const params = { name: COPY_BINDING, executionContextName: worldName };
    session.send('Runtime.addBinding', params).catch(() => {});
  }
}

const CLIPBOARDS = new WeakMap<BrowserContext, SessionClipboard>();

export function clipboardOf(context: BrowserContext): SessionClipboard {
  const known = CLIPBOARDS.get(context) ?? new SessionClipboard();
  CLIPBOARDS.set(context, known);
  return known;
}
