/** A session that this process holds a browser for: its state, its turn order, its running operation. */
import { randomUUID } from 'node:crypto';
import { FAILURES, Failure, isFailure } from '../../domain/failures.ts';
import type { Charge, ChargeKind } from '../../domain/ledger.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { SessionChange, StoredObservation } from '../../domain/ports/sessionStore.ts';
import { type EndedSession, isActive, type Session, timedOutByIdleness } from '../../domain/session.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import { type SessionTrigger, sessionEndedFailure, transition } from '../../domain/sessionTransition.ts';
import type { FinishedOperation, RequestedOperation, SessionMeter } from '../billing/sessionMeter.ts';
import { ObservationHistory } from './observationHistory.ts';
import { type OperationDeadline, operationDeadline, settleByDeadline } from './operationDeadline.ts';
import { OperationQueue } from './operationQueue.ts';
import { SessionEventWriter, type SessionEventWriterDeps } from './sessionEventWriter.ts';

/** What a live session needs of the service. */
export interface LiveSessionDeps extends SessionEventWriterDeps {
  readonly now: () => number;
  /** Told when the end of a session could not be written. */
  readonly onEndUnwritten: (change: SessionChange) => void;
  /** Told once, when the session has ended and its browser is given back. */
  readonly onEnded: (session: EndedSession) => void;
  /** Told when the time of the next time-out may have moved. */
  readonly onExpiryChanged: (live: LiveSession) => void;
}

/** What an operation leaves to be written. */
export interface OperationRecord {
  readonly events: readonly SessionEvent[];
  readonly observation?: StoredObservation;
  /** Where the session's page is now. */
  readonly page?: { readonly url: string; readonly title: string };
  /** The session ends with this operation. */
  readonly ends: boolean;
}

/** The triggers that end a session. */
export type EndTrigger = Extract<
  SessionTrigger,
  { type: 'close' | 'clock' | 'browser_lost' | 'limit_exceeded' }
>;

export class LiveSession {
  readonly #deps: LiveSessionDeps;
  /** What it costs. */
  readonly meter: SessionMeter;
  readonly #writer: SessionEventWriter;
  readonly #queue = new OperationQueue();
  /** What was observed in it lately. */
  readonly observations = new ObservationHistory();
  #session: Session;
  #lease: BrowserLease | null = null;
  #runningDeadline: OperationDeadline | null = null;
  /** When the running operation began. */
  #operationStartedAt: number | null = null;
  #ending: Promise<void> | null = null;

  constructor(session: Session, meter: SessionMeter, deps: LiveSessionDeps) {
    this.#session = session;
    this.meter = meter;
    this.#deps = deps;
    this.#writer = new SessionEventWriter(meter, deps);
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
  async start(lease: BrowserLease, started: RequestedOperation | null): Promise<void> {
    this.#lease = lease;
    const at = this.#deps.now();
    this.meter.start(at);
    const charges = started === null ? [] : [this.#charge(started, at, 'done')];
    await this.#write([{ type: 'created', at: this.#session.createdAt }], charges);
    this.#deps.onExpiryChanged(this);
  }

  /** The wall clock was set: what time is left stays. */
  adjustForClockJump(byMs: number): void {
    this.#apply({ type: 'clock_jumped', byMs });
    this.meter.adjustForClockJump(byMs);
    if (this.#operationStartedAt !== null) this.#operationStartedAt += byMs;
  }

  /** Something happened in the page, unasked. */
  recordEvent(event: SessionEvent): void {
    if (!isActive(this.#session)) return;
    this.#writer.buffer(event);
    if (this.#runningDeadline === null && this.#lease !== null)
      this.#write([]).catch(error => this.#deps.warn('An event could not be written', error));
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
    if (!isActive(this.#session)) throw sessionEndedFailure(this.#session);
    const done = await this.#queue.acquire(deadline.signal);
    const { name: kind, keyId } = options;
    const metered = { id: randomUUID(), kind, keyId };
    try {
      const { timeoutMinutes } = options;
      await options.mayBegin?.();
      this.#operationStartedAt = this.#deps.now();
      this.#apply({
        type: 'operation_started',
        at: this.#operationStartedAt,
        ...(timeoutMinutes !== null && { timeoutMinutes }),
      });
      this.#runningDeadline = deadline;
      try {
        const { answer, record } = await settleByDeadline(deadline, work(this.lease, deadline));
        if (deadline.signal.aborted && !isActive(this.#session)) throw deadline.signal.reason;
        await this.#completeOperation(record, metered);
        return { answer, session: this.#session };
      } catch (error) {
        // What the session's end made of the operation is no failure of its own.
        const hasEnded = deadline.signal.aborted && !isActive(this.#session);
        throw await this.#failOperation(options, metered, hasEnded ? deadline.signal.reason : error);
      }
    } finally {
      this.#runningDeadline = null;
      this.#operationStartedAt = null;
      done();
      // However it went: a session that nobody watches would never time out.
      if (isActive(this.#session)) this.#deps.onExpiryChanged(this);
    }
  }

  /**
   * Ends the session now: what runs is broken off, who waits is sent away, the browser is given back.
   * Idempotent; resolves when all of it is done.
   */
  end(trigger: EndTrigger): Promise<void> {
    this.#ending ??= this.#endOnce(trigger);
    return this.#ending;
  }

  async #endOnce(trigger: EndTrigger): Promise<void> {
    this.#apply(trigger);
    const session = this.#session;
    if (isActive(session)) {
      this.#ending = null;
      return;
    }
    const failure =
      trigger.type === 'browser_lost'
        ? new Failure('BROWSER_CRASHED', `${trigger.reason} The session has ended with it.`, { session })
        : sessionEndedFailure(session);
    this.#queue.rejectAll(failure);
    this.#runningDeadline?.abort(failure);
    const events: SessionEvent[] = [
      ...this.#writer.takeBuffered(),
      { type: 'ended', at: session.endedAt, status: session.status, reason: endReason(trigger, session) },
    ];
    const idle = this.meter.chargeIdleTime(session.endedAt);
    const ledger = idle === null ? [] : [idle];
    try {
      await this.#write(events, ledger);
    } catch (error) {
      this.#deps.onEndUnwritten({ session, events, ledger });
      throw error;
    } finally {
      this.meter.end();
      await this.#lease?.close();
      this.#deps.onEnded(session);
    }
  }

  async #completeOperation(record: OperationRecord, metered: RequestedOperation): Promise<void> {
    const at = this.#deps.now();
    if (record.page !== undefined)
      this.#apply({ type: 'page_changed', at, url: record.page.url, pageTitle: record.page.title });
    this.#apply({ type: 'operation_ended', at });
    const charge = this.#charge(metered, at, 'done');
    await this.#write(record.events, [charge], record.observation);
    if (record.ends) await this.end({ type: 'close', at });
  }

  async #failOperation(
    options: { name: string; endsOnFailure: boolean },
    metered: RequestedOperation,
    error: unknown,
  ): Promise<unknown> {
    const at = this.#deps.now();
    const failure = isFailure(error) ? error : null;
    if (isActive(this.#session)) {
      this.#apply({ type: 'operation_ended', at });
      const { code, message } = failure ?? { code: 'INTERNAL' as const, message: 'The service failed.' };
      const outcome = FAILURES[code].serviceFault ? 'fault' : 'failed';
      const charge = this.#charge(metered, at, outcome);
      const event: SessionEvent = { type: 'failed', at, operation: options.name, code, detail: message };
      const unwritten = await this.#write([event], [charge]).then(
        () => null,
        (unwritten: unknown) => unwritten,
      );
      // Nobody knows the session's id who could close it; an end that cannot be written is owed.
      if (options.endsOnFailure) await this.end({ type: 'close', at }).catch(() => undefined);
      if (unwritten !== null)
        return isFailure(unwritten) ? unwritten.withContext({ session: this.#session }) : unwritten;
    }
    return failure === null ? error : failure.withContext({ session: this.#session });
  }

  #apply(trigger: SessionTrigger): void {
    this.#session = transition(this.#session, trigger);
  }

  #charge(asked: RequestedOperation, endedAt: number, outcome: FinishedOperation['outcome']): Charge {
    return this.meter.chargeOperation({
      ...asked,
      startedAt: this.#operationStartedAt ?? endedAt,
      endedAt,
      outcome,
    });
  }

  async #write(
    events: readonly SessionEvent[],
    ledger: readonly Charge[] = [],
    observation?: StoredObservation,
  ): Promise<void> {
    const session = this.#session;
    await this.#writer.write({ session, events, ledger, ...(observation !== undefined && { observation }) });
  }
}

/** Why it ended, for the log; null where its status says all. */
function endReason(trigger: EndTrigger, session: EndedSession): string | null {
  if (trigger.type === 'browser_lost' || trigger.type === 'limit_exceeded') return trigger.reason;
  return session.status === 'timed_out' && !timedOutByIdleness(session)
    ? 'It reached the maximum lifetime of this service.'
    : null;
}
