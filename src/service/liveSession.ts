/** A session that this process holds a browser for: its state, its turn order, its running operation. */
import { randomUUID } from 'node:crypto';
import type { SessionEvent } from '../domain/events.ts';
import { Failure, isFailure, OUR_FAULTS } from '../domain/failures.ts';
import type { Charge, ChargeKind } from '../domain/ledger.ts';
import type { BrowserLease, KeptObservation, SessionChange } from '../domain/ports.ts';
import {
  type EndedSession,
  endedFailure,
  isActive,
  type Session,
  type SessionTrigger,
  transition,
  wasIdle,
} from '../domain/session.ts';
import { endingBy, type OperationDeadline, operationDeadline } from './deadline.ts';
import type { AskedOperation, MeteredOperation, SessionMeter } from './sessionMeter.ts';
import { SessionPen, type SessionPenSurroundings } from './sessionPen.ts';
import { Sightings } from './sightings.ts';
import { Turns } from './turns.ts';

/** What a live session needs of the service. */
export interface LiveSurroundings extends SessionPenSurroundings {
  readonly now: () => number;
  /** Told when the end of a session could not be written. */
  readonly endOwed: (change: SessionChange) => void;
  /** Told once, when the session has ended and its browser is given back. */
  readonly ended: (session: EndedSession) => void;
  /** Told when the time of the next time-out may have moved. */
  readonly rescheduled: (live: LiveSession) => void;
}

/** What an operation leaves to be written. */
export interface OperationRecord {
  readonly events: readonly SessionEvent[];
  readonly observation?: KeptObservation;
  /** Where the session's page is now. */
  readonly page?: { readonly url: string; readonly title: string };
  /** The session ends with this operation. */
  readonly ends: boolean;
}

/** The triggers that end a session. */
export type EndTrigger = Extract<
  SessionTrigger,
  { type: 'close' | 'clock' | 'browser_lost' | 'bound_passed' }
>;

export class LiveSession {
  readonly #around: LiveSurroundings;
  /** What it costs. */
  readonly meter: SessionMeter;
  readonly #pen: SessionPen;
  readonly #turns = new Turns();
  /** What was observed in it lately. */
  readonly sightings = new Sightings();
  #session: Session;
  #lease: BrowserLease | null = null;
  #running: OperationDeadline | null = null;
  /** When the running operation began. */
  #began: number | null = null;
  #ending: Promise<void> | null = null;

  constructor(session: Session, meter: SessionMeter, around: LiveSurroundings) {
    this.#session = session;
    this.meter = meter;
    this.#around = around;
    this.#pen = new SessionPen(meter, around);
  }

  get session(): Session {
    return this.#session;
  }

  get id(): string {
    return this.#session.id;
  }

  /** @throws Failure when the session has ended meanwhile */
  get lease(): BrowserLease {
    if (this.#lease === null) throw new Error(`Session ${this.id} has no browser`);
    return this.#lease;
  }

  /**
   * Gives the session its browser and writes it down.
   * @param started the operation that is done with this; null when the session is made for another
   */
  async begin(lease: BrowserLease, started: AskedOperation | null): Promise<void> {
    this.#lease = lease;
    const at = this.#around.now();
    this.meter.begin(at);
    const charges = started === null ? [] : [this.#charge(started, at, 'done')];
    await this.#write([{ type: 'created', at: this.#session.createdAt }], charges);
    this.#around.rescheduled(this);
  }

  /** The wall clock was set: what time is left stays. */
  clockSet(byMs: number): void {
    this.#move({ type: 'clock_set', byMs });
    this.meter.clockSet(byMs);
    if (this.#began !== null) this.#began += byMs;
  }

  /** Something happened in the page, unasked. */
  happened(event: SessionEvent): void {
    if (!isActive(this.#session)) return;
    this.#pen.note(event);
    if (this.#running === null && this.#lease !== null)
      this.#write([]).catch(error => this.#around.warn('An event could not be written', error));
  }

  /**
   * Runs one operation in its turn: the idle timer stands still, one deadline holds, what it did is written
   * before the answer.
   * @throws Failure of the operation, with the session as it stands then
   */
  async run<T>(
    options: {
      name: Exclude<ChargeKind, 'idle'>;
      keyId: string;
      timeoutMs: number;
      caller: AbortSignal;
      timeoutMinutes: number | null;
      endsOnFailure: boolean;
      /** Judged when its turn has come: what ran before it has been charged by then. @throws Failure when it may not begin */
      mayBegin?: () => Promise<void>;
    },
    work: (
      lease: BrowserLease,
      deadline: OperationDeadline,
    ) => Promise<{ answer: T; record: OperationRecord }>,
  ): Promise<{ answer: T; session: Session }> {
    using deadline = operationDeadline(options.timeoutMs, options.caller);
    if (!isActive(this.#session)) throw endedFailure(this.#session);
    const done = await this.#turns.take(deadline.signal);
    const { name: kind, keyId } = options;
    const metered = { id: randomUUID(), kind, keyId };
    try {
      const { timeoutMinutes } = options;
      await options.mayBegin?.();
      this.#began = this.#around.now();
      this.#move({
        type: 'operation_began',
        at: this.#began,
        ...(timeoutMinutes !== null && { timeoutMinutes }),
      });
      this.#running = deadline;
      try {
        const { answer, record } = await endingBy(deadline, work(this.lease, deadline));
        if (deadline.signal.aborted && !isActive(this.#session)) throw deadline.signal.reason;
        await this.#operationEnded(record, metered);
        return { answer, session: this.#session };
      } catch (error) {
        // What the session's end made of the operation is no failure of its own.
        const hasEnded = deadline.signal.aborted && !isActive(this.#session);
        throw await this.#failed(options, metered, hasEnded ? deadline.signal.reason : error);
      }
    } finally {
      this.#running = null;
      this.#began = null;
      done();
      // However it went: a session that nobody watches would never time out.
      if (isActive(this.#session)) this.#around.rescheduled(this);
    }
  }

  /**
   * Ends the session now: what runs is broken off, who waits is sent away, the browser is given back.
   * Idempotent; resolves when all of it is done.
   */
  end(trigger: EndTrigger): Promise<void> {
    this.#ending ??= this.#end(trigger);
    return this.#ending;
  }

  async #end(trigger: EndTrigger): Promise<void> {
    this.#move(trigger);
    const session = this.#session;
    if (isActive(session)) {
      this.#ending = null;
      return;
    }
    const failure =
      trigger.type === 'browser_lost'
        ? new Failure('BROWSER_CRASHED', `${trigger.reason} The session has ended with it.`, { session })
        : endedFailure(session);
    this.#turns.refuseAll(failure);
    this.#running?.abort(failure);
    const events: SessionEvent[] = [
      ...this.#pen.takeNotes(),
      { type: 'ended', at: session.endedAt, status: session.status, reason: reasonOf(trigger, session) },
    ];
    const idle = this.meter.idle(session.endedAt);
    const ledger = idle === null ? [] : [idle];
    try {
      await this.#write(events, ledger);
    } catch (error) {
      this.#around.endOwed({ session, events, ledger });
      throw error;
    } finally {
      this.meter.end();
      await this.#lease?.close();
      this.#around.ended(session);
    }
  }

  async #operationEnded(record: OperationRecord, metered: AskedOperation): Promise<void> {
    const at = this.#around.now();
    if (record.page !== undefined)
      this.#move({ type: 'page_changed', at, url: record.page.url, pageTitle: record.page.title });
    this.#move({ type: 'operation_ended', at });
    const charge = this.#charge(metered, at, 'done');
    await this.#write(record.events, [charge], record.observation);
    if (record.ends) await this.end({ type: 'close', at });
  }

  async #failed(
    options: { name: string; endsOnFailure: boolean },
    metered: AskedOperation,
    error: unknown,
  ): Promise<unknown> {
    const at = this.#around.now();
    const failure = isFailure(error) ? error : null;
    if (isActive(this.#session)) {
      this.#move({ type: 'operation_ended', at });
      const { code, message } = failure ?? { code: 'INTERNAL' as const, message: 'The service failed.' };
      const outcome = OUR_FAULTS.has(code) ? 'fault' : 'failed';
      const charge = this.#charge(metered, at, outcome);
      const event: SessionEvent = { type: 'failed', at, operation: options.name, code, detail: message };
      const unwritten = await this.#write([event], [charge]).then(
        () => null,
        (unwritten: unknown) => unwritten,
      );
      // Nobody knows the session's id who could close it; an end that cannot be written is owed.
      if (options.endsOnFailure) await this.end({ type: 'close', at }).catch(() => undefined);
      if (unwritten !== null)
        return isFailure(unwritten) ? unwritten.with({ session: this.#session }) : unwritten;
    }
    return failure === null ? error : failure.with({ session: this.#session });
  }

  #move(trigger: SessionTrigger): void {
    this.#session = transition(this.#session, trigger);
  }

  #charge(asked: AskedOperation, endedAt: number, outcome: MeteredOperation['outcome']): Charge {
    return this.meter.operation({ ...asked, beganAt: this.#began ?? endedAt, endedAt, outcome });
  }

  async #write(
    events: readonly SessionEvent[],
    ledger: readonly Charge[] = [],
    observation?: KeptObservation,
  ): Promise<void> {
    const session = this.#session;
    await this.#pen.write({ session, events, ledger, ...(observation !== undefined && { observation }) });
  }
}

/** Why it ended, for the log; null where its status says all. */
function reasonOf(trigger: EndTrigger, session: EndedSession): string | null {
  if (trigger.type === 'browser_lost' || trigger.type === 'bound_passed') return trigger.reason;
  return session.status === 'timed_out' && !wasIdle(session)
    ? 'It had reached the longest life that this service allows.'
    : null;
}
