/** Ends sessions at their timeout, with one timer for all. */
import type { Clock } from '../../domain/ports/clock.ts';
import { expiresAt, type Session } from '../../domain/session.ts';

/** A session that can time out. */
export interface Expirable {
  readonly session: Session;
  end(trigger: { readonly type: 'clock'; readonly at: number }): Promise<void>;
}

/** Ends each session at its expiry. The timer is set to the earliest expiry. */
export class SessionReaper<One extends Expirable> {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<One>;
  #timer: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param sessions returns the sessions that can time out; each handles errors of its own `end` */
  constructor(clock: Clock, sessions: () => Iterable<One>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /** Call when a session may expire earlier than before. A later expiry needs no call, because the timer reads it when it fires. */
  schedule({ session }: One): void {
    const at = expiresAt(session);
    if (at !== null && (this.#timer === null || at < this.#timer.at)) this.#setTimer(at);
  }

  /** Ends the expired sessions now and sets the timer again. */
  checkNow(): void {
    this.stop();
    this.#expireDueSessions();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #setTimer(at: number): void {
    this.#timer?.cancel();
    this.#timer = { at, cancel: this.#clock.scheduleAt(at, () => this.#expireDueSessions()) };
  }

  #expireDueSessions(): void {
    this.#timer = null;
    const now = this.#clock.now();
    let next: number | null = null;
    for (const each of [...this.#sessions()]) {
      const at = expiresAt(each.session);
      if (at === null) continue;
      if (at <= now) void each.end({ type: 'clock', at: now }).catch(() => {});
      else next = Math.min(next ?? at, at);
    }
    if (next !== null) this.#setTimer(next);
  }
}
