/** How much the pages of each session say to the service: what is more than anybody can listen to keeps the others from being heard. */

/** A session may say so much at once, and goes on being allowed so much a second. */
interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/**
 * Bytes of everything, read or left out; events that are read. A page that loads five hundred things says some 10 MB in
 * 10,000 events, a remote desktop over a WebSocket 15 MB a second. Of log lines Chromium manages some 50 MB a second.
 */
export interface SpeechLimits {
  readonly bytes: Allowance;
  readonly events: Allowance;
}

export const SPEECH_LIMITS: SpeechLimits = {
  bytes: { atOnce: 300_000_000, perSecond: 30_000_000 },
  events: { atOnce: 300_000, perSecond: 10_000 },
};

interface Said {
  bytes: number;
  events: number;
  /** When these were last brought down. Milliseconds. */
  at: number;
}

export class Speech {
  readonly #limits: SpeechLimits;
  readonly #now: () => number;
  /** Browser contexts by the CDP sessions of their pages, frames and workers. */
  readonly #contexts = new Map<string, string>();
  readonly #said = new Map<string, Said>();
  readonly #listeners = new Map<string, () => void>();

  constructor(limits = SPEECH_LIMITS, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Tells once when the pages of a browser context have said too much. @returns takes it back, and forgets the context */
  watch(context: string, tooMuch: () => void): () => void {
    this.#listeners.set(context, tooMuch);
    return () => {
      this.#listeners.delete(context);
      this.#said.delete(context);
    };
  }

  /** A CDP session begins in a context. */
  attached(session: string, context: string): void {
    this.#contexts.set(session, context);
  }

  detached(session: string): void {
    this.#contexts.delete(session);
  }

  contextOf(session: string): string | null {
    return this.#contexts.get(session) ?? null;
  }

  /** An event of a CDP session. @param isRead whether it goes on to whoever listens */
  heard(session: string, bytes: number, isRead: boolean): void {
    const context = this.#contexts.get(session);
    const tooMuch = context === undefined ? undefined : this.#listeners.get(context);
    if (context === undefined || tooMuch === undefined) return;
    const now = this.#now();
    const said = this.#said.get(context) ?? { bytes: 0, events: 0, at: now };
    this.#said.set(context, said);
    const seconds = (now - said.at) / 1_000;
    said.at = now;
    said.bytes = Math.max(0, said.bytes - seconds * this.#limits.bytes.perSecond) + bytes;
    said.events = Math.max(0, said.events - seconds * this.#limits.events.perSecond) + (isRead ? 1 : 0);
    if (said.bytes <= this.#limits.bytes.atOnce && said.events <= this.#limits.events.atOnce) return;
    this.#listeners.delete(context);
    tooMuch();
  }
}
