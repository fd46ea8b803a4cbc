/** How much the pages of each session say to the service: what is more than anybody can listen to keeps the others from being heard. */

/** A session may say so much at once, and goes on being allowed so much a second. */
interface BurstRate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Bytes of everything, read or left out; events that are read. A page that loads five hundred things says some 10 MB in
 * 10,000 events, a remote desktop over a WebSocket 15 MB a second. Of log lines Chromium manages some 50 MB a second.
 */
export interface ProtocolRateLimits {
  readonly bytes: BurstRate;
  readonly events: BurstRate;
}

export const PROTOCOL_RATE_LIMITS: ProtocolRateLimits = {
  bytes: { burst: 300_000_000, perSecond: 30_000_000 },
  events: { burst: 300_000, perSecond: 10_000 },
};

interface ContextUsage {
  bytes: number;
  events: number;
  /** When these were last brought down. Milliseconds. */
  updatedAt: number;
}

export class ProtocolRateLimiter {
  readonly #limits: ProtocolRateLimits;
  readonly #now: () => number;
  /** Browser contexts by the CDP sessions of their pages, frames and workers. */
  readonly #contexts = new Map<string, string>();
  readonly #usage = new Map<string, ContextUsage>();
  readonly #listeners = new Map<string, () => void>();

  constructor(limits = PROTOCOL_RATE_LIMITS, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Tells once when the pages of a browser context have said too much. @returns takes it back, and forgets the context */
  watch(context: string, onExceeded: () => void): () => void {
    this.#listeners.set(context, onExceeded);
    return () => {
      this.#listeners.delete(context);
      this.#usage.delete(context);
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

  /** An event of a CDP session. @param isDelivered whether it goes on to whoever listens */
  record(session: string, bytes: number, isDelivered: boolean): void {
    const context = this.#contexts.get(session);
    const onExceeded = context === undefined ? undefined : this.#listeners.get(context);
    if (context === undefined || onExceeded === undefined) return;
    const now = this.#now();
    const usage = this.#usage.get(context) ?? { bytes: 0, events: 0, updatedAt: now };
    this.#usage.set(context, usage);
    const seconds = (now - usage.updatedAt) / 1_000;
    usage.updatedAt = now;
    usage.bytes = Math.max(0, usage.bytes - seconds * this.#limits.bytes.perSecond) + bytes;
    usage.events =
      Math.max(0, usage.events - seconds * this.#limits.events.perSecond) + (isDelivered ? 1 : 0);
    if (usage.bytes <= this.#limits.bytes.burst && usage.events <= this.#limits.events.burst) return;
    this.#listeners.delete(context);
    onExceeded();
  }
}
