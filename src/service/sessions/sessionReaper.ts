/** Times sessions out: one timer for all of them. */
import type { Clock } from '../../domain/ports/clock.ts';
import { expiresAt, type Session } from '../../domain/session.ts';

/** A session that can time out. */
export interface Expirable {
  readonly session: Session;
  end(trigger: { readonly type: 'clock'; readonly at: number }): Promise<void>;
}

export class SessionReaper<One extends Expirable> {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<One>;
  #timer: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param sessions those that can time out; one whose end cannot be written tells of it itself */
  constructor(clock: Clock, sessions: () => Iterable<One>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /** A session's time may have come nearer. Times that move away need no word: the timer looks again when it fires. */
  schedule(session: One): void {
    const at = expiresAt(session.session);
    if (at !== null && (this.#timer === null || at < this.#timer.at)) this.#arm(at);
  }

  /** Looks at all of them anew. */
  checkNow(): void {
    this.stop();
    this.#expireDueSessions();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(at: number): void {
    this.#timer?.cancel();
    this.#timer = { at, cancel: this.#clock.scheduleAt(at, () => this.#expireDueSessions()) };
  }

  #expireDueSessions(): void {
    this.#timer = null;
    const now = this.#clock.now();
    let nearest: number | null = null;
    for (const one of [...this.#sessions()]) {
      const at = expiresAt(one.session);
      if (at === null) continue;
      if (at <= now) void one.end({ type: 'clock', at: now }).catch(() => {});
      else nearest = Math.min(nearest ?? at, at);
    }
    if (nearest !== null) this.#arm(nearest);
  }
}
