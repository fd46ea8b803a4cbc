/** Times sessions out: one timer for all of them. */
import type { Clock } from '../domain/ports.ts';
import { expiresAt } from '../domain/session.ts';
import type { LiveSession } from './liveSession.ts';

export class Reaper {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<LiveSession>;
  #next: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param sessions those that can time out */
  constructor(clock: Clock, sessions: () => Iterable<LiveSession>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /** A session's time may have come nearer. Times that move away need no word: the timer looks again when it fires. */
  watch(live: LiveSession): void {
    const at = expiresAt(live.session);
    if (at !== null && (this.#next === null || at < this.#next.at)) this.#arm(at);
  }

  /** Looks at all of them anew. */
  look(): void {
    this.stop();
    this.#fire();
  }

  stop(): void {
    this.#next?.cancel();
    this.#next = null;
  }

  #arm(at: number): void {
    this.#next?.cancel();
    this.#next = { at, cancel: this.#clock.wakeAt(at, () => this.#fire()) };
  }

  #fire(): void {
    this.#next = null;
    const now = this.#clock.now();
    let nearest: number | null = null;
    for (const live of [...this.#sessions()]) {
      const at = expiresAt(live.session);
      if (at === null) continue;
      if (at <= now) void live.end({ type: 'clock', at: now }).catch(() => {});
      else nearest = Math.min(nearest ?? at, at);
    }
    if (nearest !== null) this.#arm(nearest);
  }
}
