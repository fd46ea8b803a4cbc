/** Ends sessions at their timeout, with one timer for all. */
import type { Clock } from '../../domain/ports/clock.ts';
import { expiresAt, type Session } from '../../domain/session/session.ts';

/** A session that can expire, as `SessionReaper` needs it. */
export interface Expirable {
  readonly session: Session;
  /** Ends the session if it has expired at the time `at`. */
  end(trigger: { readonly type: 'clock'; readonly at: number }): Promise<void>;
}

/** Ends each session when it expires. Uses one timer for all sessions, set to the earliest expiry. */
export class SessionReaper<One extends Expirable> {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<One>;
  #timer: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param sessions returns the sessions that can expire. Errors of their `end` are ignored here. */
  constructor(clock: Clock, sessions: () => Iterable<One>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /**
   * Sets the timer earlier if this session expires before the timer fires. Call it for a new session, and when a session
   * may expire earlier than before. A later expiry needs no call: the timer reads it when it fires.
   */
  schedule({ session }: One): void {
    const at = expiresAt(session);
    if (at !== null && (this.#timer === null || at < this.#timer.at)) this.#setTimer(at);
  }

  /** Ends the expired sessions now, and sets the timer to the next expiry. Call it after a jump of the clock. */
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
    this.#timer = {
      at,
      cancel: this.#clock.scheduleAfter(Math.max(0, at - this.#clock.now()), () => this.#expireDueSessions()),
    };
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
