import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import { expiresAt, type Session } from '../../domain/session/session.ts';

const RETRY_INTERVAL_MS = 5_000;

interface PendingSessionEndsDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly bus: EventBus;
}

/** Retries ends that could not be written: a session whose browser has closed would appear active while the disk is full. */
export class PendingSessionEnds {
  readonly #deps: PendingSessionEndsDeps;
  readonly #changes = new Map<
    string,
    { readonly change: SessionChange; readonly writeRow: () => Promise<void> }
  >();
  #cancel: (() => void) | null = null;

  constructor(deps: PendingSessionEndsDeps) {
    this.#deps = deps;
  }

  /** Keeps a change that ends a session, and writes it later, after a row of the audit log. */
  add(change: SessionChange, writeRow: () => Promise<void>): void {
    this.#changes.set(change.session.id, { change, writeRow });
    this.#schedule();
  }

  /** Null for every session but one whose end is not written yet. */
  get(sessionId: string): Session | null {
    return this.#changes.get(sessionId)?.change.session ?? null;
  }

  /** Tries to write all pending session ends, and notifies the subscribers of each written one. The others are retried later. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    for (const [id, { change, writeRow }] of [...this.#changes])
      try {
        await writeRow();
        const events = await this.#deps.store.commit(change);
        this.#changes.delete(id);
        this.#deps.bus.publish({ session: change.session, events });
        if ((change.ledger ?? []).length > 0) this.#deps.bus.publishLedgerUpdate(change.session.accountId);
      } catch {
        // The session logged the first failed write; the next flush tries again.
      }
    if (this.#changes.size > 0) this.#schedule();
  }

  clear(): void {
    this.stop();
    this.#changes.clear();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    const { clock } = this.#deps;
    this.#cancel ??= clock.scheduleAfter(RETRY_INTERVAL_MS, () => void this.flush());
  }
}

export interface Expirable {
  readonly session: Session;
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
