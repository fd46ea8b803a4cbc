/** A running session: its state, its queue, its running operation and its browser context. It belongs to one process. */

import { randomUUID } from 'node:crypto';
import type { Release } from '../../async/fairTurns.ts';
import type { Charge, ChargeKind } from '../../domain/account/ledger.ts';
import { FAILURES, Failure, isFailure } from '../../domain/failure/failures.ts';
import { type Audit, auditLostTakeOver } from '../../domain/ports/auditLog.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionRecordStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionChange } from '../../domain/ports/sessionStore.ts';
import type { Caller } from '../../domain/session/performedOperation.ts';
import { type EndedSession, isActive, type Session } from '../../domain/session/session.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import {
  endReason,
  type SessionTrigger,
  sessionEndedFailure,
  transition,
} from '../../domain/session/sessionTransition.ts';
import type { TakeOver } from '../../domain/session/takeOver.ts';
import type { Dialog } from '../../domain/space/space.ts';
import type { RequestedOperation, SessionCharges } from '../billing/sessionCharges.ts';
import { type OpenProfile, ProfileWriter } from '../secrets/profiles.ts';
import { ApprovalControl } from './approvalControl.ts';
import { ObservationHistory } from './observationHistory.ts';
import {
  type OperationDeadline,
  OperationQueue,
  OperationTrace,
  operationDeadline,
  settleByDeadline,
} from './operationDeadline.ts';
import { SessionEventWriter, type SessionEventWriterDeps } from './sessionEventWriter.ts';
import { PageLog, SessionRecorder, VIDEO } from './sessionRecorder.ts';
import { type Admission, TakeOverControl } from './takeOverControl.ts';

/** The triggers that can end a session. `clock` ends it only if it has expired. */
type EndTrigger = Extract<SessionTrigger, { type: 'close' | 'clock' | 'browser_lost' | 'limit_exceeded' }>;

interface RunOptions extends Admission {
  readonly kind: Exclude<ChargeKind, 'idle'>;
  readonly actionId?: string;
  readonly timeoutMs: number;
  /** New idle timeout of the session, in minutes; null to keep the current one. */
  readonly timeoutMinutes: number | null;
  readonly endsOnFailure: boolean;
  /** Called when the operation leaves the queue; earlier operations are charged by then. @throws Failure if it must not start */
  readonly assertMayStart?: () => Promise<void>;
}

export interface LiveSessionDeps extends SessionEventWriterDeps {
  readonly now: () => number;
  /** Called with the change that ends the session, if it could not be written to the store, and the writing of the row of its take-over, which comes first. */
  readonly onEndUnwritten: (change: SessionChange, writeRow: () => Promise<void>) => void;
  readonly onEnded: (session: EndedSession) => void;
  /** Called when the time at which the session expires may have changed. */
  readonly onExpiryChanged: (live: LiveSession) => void;
  readonly clock: Clock;
  readonly records: SessionRecordStore;
  readonly audit: Audit;
}

export interface OperationRecord {
  readonly events: readonly SessionEvent[];
  readonly observation?: SessionChange['observation'];
  /** URL and title of the page in the active tab after the operation; absent to keep the stored ones. */
  readonly page?: { readonly url: string; readonly title: string };
  readonly ends: boolean;
}

export class LiveSession {
  readonly #deps: LiveSessionDeps;
  readonly charges: SessionCharges;
  readonly #writer: SessionEventWriter;
  readonly #queue = new OperationQueue();
  readonly observations = new ObservationHistory();
  readonly recorder: SessionRecorder;
  readonly takeOver: TakeOverControl;
  readonly approval: ApprovalControl;
  /** The console and the requests of its pages; empty for a session that does not record them. */
  readonly pageLog = new PageLog(isUrgent => this.recorder.pageLogGrew(isUrgent));
  #session: Session;
  #lease: BrowserLease | null = null;
  #profile: ProfileWriter | null = null;
  #runningDeadline: OperationDeadline | null = null;
  #ending: Promise<void> | null = null;
  #isAbandoned = false;

  constructor(session: Session, charges: SessionCharges, deps: LiveSessionDeps) {
    this.#session = session;
    this.charges = charges;
    this.#deps = deps;
    this.#writer = new SessionEventWriter(charges, deps);
    this.takeOver = new TakeOverControl({
      clock: deps.clock,
      now: deps.now,
      warn: deps.warn,
      session: () => this.#session,
      lease: () => this.lease,
      lastObserved: () => this.observations.last,
      alone: (owner, signal, work) => this.#alone(owner, signal, work),
      audit: details => auditLostTakeOver(deps.audit, session, details),
      changed: (takeOver, events) => this.#takeOverChanged(takeOver, events),
      pageChanged: page => {
        this.#apply({ type: 'page_changed', at: deps.now(), url: page.url, pageTitle: page.title });
        deps.publish({ session: this.#session, events: [] });
      },
    });
    this.approval = new ApprovalControl(deps.clock, approval => {
      if (!isActive(this.#session)) return;
      this.#apply({ type: 'approval_changed', approval });
      deps.publish({ session: this.#session, events: [] });
    });
    this.recorder = new SessionRecorder(
      { sessionId: session.id, accountId: session.accountId },
      {
        ...deps,
        pageLog: this.pageLog,
        mask: data => this.masked(data),
        onStopped: reason => this.recordEvent({ type: 'record_stopped', at: deps.now(), reason }),
      },
    );
  }

  get session(): Session {
    return this.#session;
  }

  /** A sentence about contents that the profile should keep and does not; null for none. */
  get profileProblem(): string | null {
    return this.#profile?.problem ?? null;
  }

  /** The session in its present state, for the result of an operation. */
  get sessionNow(): Session {
    return isActive(this.#session) ? { ...this.#session, asOf: this.#deps.now() } : this.#session;
  }

  get id(): string {
    return this.#session.id;
  }

  /** The browser context of the session. @throws Error if `start` was not called */
  get lease(): BrowserLease {
    if (this.#lease === null) throw new Error(`Session ${this.id} has no browser`);
    return this.#lease;
  }

  /**
   * Starts the session with its browser context, and writes it to the store.
   * @param operation the operation to charge for the start; null if the operation that created the session is charged
   * instead
   * @param maxActive maximum number of active sessions of the account on all nodes, this one included; null for none
   * @throws Failure STORAGE_FULL, CONCURRENCY_LIMIT
   */
  async start(
    lease: BrowserLease,
    operation: RequestedOperation | null,
    maxActive: number | null,
    profile: OpenProfile | null = null,
  ): Promise<void> {
    this.#lease = lease;
    this.charges.start();
    const charges =
      operation === null ? [] : [this.charges.chargeOperation({ ...operation, outcome: 'done' })];
    await this.#write([{ type: 'created', at: this.#session.createdAt }], charges, { maxActive });
    if (profile !== null) this.#profile = new ProfileWriter(profile, lease, this.#deps.warn);
    if (this.#session.record === 'video') void this.#recordVideo(lease);
    this.#deps.onExpiryChanged(this);
  }

  /** Never rejects. */
  async #recordVideo(lease: BrowserLease): Promise<void> {
    try {
      for await (const frame of lease.frames(VIDEO, new AbortController().signal))
        this.recorder.addFrame(frame);
    } catch (error) {
      this.recorder.reportFailure('frame', error);
    }
  }

  /** Shifts the times of the session by a jump of the wall clock, so that its remaining time and its duration stay the same. */
  adjustForClockJump(byMs: number): void {
    this.#apply({ type: 'clock_jumped', byMs });
  }

  /** Changes the session and writes it to the store. @throws Failure that of an ended session; STORAGE_FULL, DEPENDENCY_UNAVAILABLE */
  async change(
    trigger: Extract<SessionTrigger, { type: 'extended' | 'renamed' | 'options_changed' }>,
  ): Promise<void> {
    if (!isActive(this.#session)) throw sessionEndedFailure(this.#session);
    this.#apply(trigger);
    this.#deps.onExpiryChanged(this);
    await this.#write([], [], { labelsChanged: trigger.type === 'renamed' && trigger.labels !== undefined });
  }

  /** Shows the dialog of the page in the session; nothing of it is stored. */
  dialogChanged(dialog: Dialog | null): void {
    if (!isActive(this.#session)) return;
    this.#apply({ type: 'dialog_changed', dialog: dialog === null ? null : this.masked(dialog) });
    this.#deps.publish({ session: this.#session, events: [] });
  }

  /** Writes an event of a page, such as a download, to the event log: now, or together with the running operation. */
  recordEvent(event: SessionEvent): void {
    if (!isActive(this.#session)) return;
    this.#writer.buffer(this.masked(event));
    if (this.#runningDeadline === null && this.#lease !== null)
      this.#write([]).catch(error => this.#deps.warn('An event could not be written', error));
  }

  /**
   * Runs `work` as one operation of the session, after the operations that wait already. The idle timer stops while it
   * runs. The changes of the operation are written to the store before the promise resolves.
   * @returns the result of `work`, and the state of the session after it
   * @throws the error of `work`; Failure OPERATION_TIMEOUT at the deadline; SESSION_BUSY if too many operations wait; the
   * failure of an ended session. A failure of the running operation contains the state of the session.
   */
  async run<T>(
    options: RunOptions,
    work: (
      lease: BrowserLease,
      deadline: OperationDeadline,
      trace: OperationTrace,
    ) => Promise<{ result: T; record: OperationRecord }>,
  ): Promise<{ result: T; session: Session }> {
    using deadline = operationDeadline(options.timeoutMs, options.signal);
    if (!isActive(this.#session)) throw sessionEndedFailure(this.#session);
    const { kind, caller, timeoutMinutes } = options;
    const operation = { id: randomUUID(), kind, keyId: caller.keyId };
    const trace = new OperationTrace(operation, caller);
    const release = await trace.measure('queue', this.#enter(options, deadline));
    try {
      await options.assertMayStart?.();
      this.charges.beginOperation();
      this.#apply({
        type: 'operation_started',
        at: this.#deps.now(),
        ...(timeoutMinutes !== null && { timeoutMinutes }),
        operation: {
          kind,
          startedAt: this.#deps.now(),
          ...(options.actionId !== undefined && { actionId: options.actionId }),
        },
      });
      // Lists show what runs; nothing of it is stored.
      this.#deps.publish({ session: this.#session, events: [] });
      this.#runningDeadline = deadline;
      try {
        const { result, record } = await settleByDeadline(deadline, work(this.lease, deadline, trace));
        if (deadline.signal.aborted && !isActive(this.#session)) throw deadline.signal.reason;
        await this.#completeOperation(record, operation, trace, caller);
        return { result, session: this.sessionNow };
      } catch (error) {
        // If the session ended meanwhile, report that, not the error that its end caused.
        const hasEnded = deadline.signal.aborted && !isActive(this.#session);
        throw await this.#failOperation(options, operation, trace, hasEnded ? deadline.signal.reason : error);
      }
    } finally {
      this.#runningDeadline = null;
      this.#profile?.operationEnded();
      this.charges.endOperation();
      release();
      // Report the new expiry after a failed operation too: otherwise the session would never time out.
      if (isActive(this.#session)) this.#deps.onExpiryChanged(this);
    }
  }

  /** Waits for the turn of an operation. @throws Failure TAKEN_OVER, SESSION_BUSY, that of an ended session; the reason of the deadline */
  async #enter(options: RunOptions, deadline: OperationDeadline): Promise<Release> {
    for (;;) {
      await this.takeOver.admit(options, deadline);
      if (!isActive(this.#session)) throw sessionEndedFailure(this.#session);
      const release = await this.#queue.acquire(deadline.signal);
      // A person can have come while the operation waited.
      if (this.takeOver.admits(options)) return release;
      release();
    }
  }

  async #alone<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    // Owners of their own: operations that wait must not keep a person from letting go.
    const release = await this.#queue.acquire(signal, owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #takeOverChanged(takeOver: TakeOver | null, events: readonly SessionEvent[]): Promise<void> {
    if (!isActive(this.#session)) return;
    this.#apply({ type: 'take_over_changed', at: this.#deps.now(), takeOver });
    this.#deps.onExpiryChanged(this);
    await this.#write(events);
  }

  /**
   * Ends the session now: aborts the running operation, rejects the waiting ones, writes the end to the store and closes
   * the browser context. A `clock` trigger before the expiry does nothing. Idempotent. Calls `onEndUnwritten` if the end
   * could not be written.
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
        ? new Failure('BROWSER_CRASHED', `${trigger.reason} The session has ended.`, { session })
        : sessionEndedFailure(session);
    this.#queue.rejectAll(failure);
    this.#runningDeadline?.abort(failure);
    this.charges.stop();
    // A charge that cannot be written leaves its time to the charge of the end.
    if (this.#writer.isWriting) await this.#writer.settled();
    const takeOver = this.takeOver.endWithSession();
    const isAudited = await takeOver.writeRow().then(
      () => true,
      error => {
        this.#deps.warn('The end of a take-over could not be written in the audit log', error);
        return false;
      },
    );
    const events: SessionEvent[] = [
      ...this.#writer.takeBuffered(),
      ...takeOver.events,
      {
        type: 'ended',
        at: session.endedAt,
        status: session.status,
        reason: endReason(session),
        ...(session.status === 'closed' && session.endedBy !== undefined && { by: session.endedBy }),
      },
    ];
    const ledger = this.charges.chargeIdleTime();
    const meter = this.charges.meter();
    // The session has ended all the same: its browser closes, reads show the end, and it is written later.
    const keep = (): void => {
      if (!this.#isAbandoned)
        this.#deps.onEndUnwritten({ session, events, ledger, meter }, takeOver.writeRow);
    };
    try {
      if (isAudited) await this.#write(events, ledger).catch(keep);
      else keep();
    } finally {
      this.charges.end();
      await this.#profile?.close();
      await this.#lease?.close();
      this.pageLog.end();
      await this.recorder.flush();
      this.#deps.onEnded(session);
      // A reader that waits finds the rest in the record.
      this.pageLog.end();
    }
  }

  /** Ends the session in this process only, and writes nothing: its node has lost the authority over it, and another writes the end. */
  async abandon(reason: string): Promise<void> {
    this.#isAbandoned = true;
    this.#apply({ type: 'browser_lost', at: this.#deps.now(), reason });
    this.#ending ??= Promise.resolve();
    this.takeOver.endWithSession();
    this.#queue.rejectAll(new Failure('DEPENDENCY_UNAVAILABLE', reason, { retryAfterSeconds: 5 }));
    this.#runningDeadline?.abort(
      new Failure('OUTCOME_UNKNOWN', `${reason} The operation may have been performed.`),
    );
    this.charges.end();
    await this.#profile?.release();
    await this.#lease?.close();
    this.pageLog.end();
    if (!isActive(this.#session)) this.#deps.onEnded(this.#session);
  }

  async #completeOperation(
    record: OperationRecord,
    operation: RequestedOperation,
    trace: OperationTrace,
    caller: Caller,
  ): Promise<void> {
    const at = this.#deps.now();
    if (record.page !== undefined)
      this.#apply({ type: 'page_changed', at, url: record.page.url, pageTitle: record.page.title });
    this.#apply({ type: 'operation_ended', at });
    const charge = this.charges.chargeOperation({ ...operation, outcome: 'done' });
    const { observation } = record;
    const performed = trace.toPerformed(this.#lease?.secrets ?? null);
    const events = record.events.map(event => ({ ...event, performed }));
    await this.#write(events, [charge], observation === undefined ? {} : { observation }).catch(error => {
      throw isFailure(error, 'DEPENDENCY_UNAVAILABLE') ? resultNotStoredFailure(error) : error;
    });
    if (record.ends) await this.end({ type: 'close', at, by: caller });
  }

  async #failOperation(
    { kind, caller, endsOnFailure }: RunOptions,
    operation: RequestedOperation,
    trace: OperationTrace,
    cause: unknown,
  ): Promise<unknown> {
    const at = this.#deps.now();
    const error = this.lease.secrets.maskError(cause);
    const failure = isFailure(error) ? error : null;
    if (isActive(this.#session)) {
      this.#apply({ type: 'operation_ended', at });
      const page = this.lease.tabs().find(({ active }) => active);
      if (page !== undefined) trace.outcome = { url: page.url, title: page.title, ...trace.outcome };
      const { code, message } = failure ?? { code: 'INTERNAL' as const, message: 'The service failed.' };
      const outcome = FAILURES[code].serviceFault ? 'fault' : 'failed';
      const charge = this.charges.chargeOperation({ ...operation, outcome });
      const event: SessionEvent = {
        type: 'failed',
        at,
        operation: kind,
        code,
        detail: message,
        performed: trace.toPerformed(this.#lease?.secrets ?? null),
      };
      const writeError = await this.#write([event], [charge]).then(
        () => null,
        (cause: unknown) => cause,
      );
      // The caller does not know the id of the session, so it cannot close it.
      if (endsOnFailure) await this.end({ type: 'close', at, by: caller });
      // Without the database the failure itself is all that the caller can hear.
      if (failure !== null && isFailure(writeError, 'DEPENDENCY_UNAVAILABLE'))
        return failure.withContext({ session: this.sessionNow });
      if (writeError !== null)
        return isFailure(writeError) ? writeError.withContext({ session: this.sessionNow }) : writeError;
    }
    return failure === null ? error : failure.withContext({ session: this.sessionNow });
  }

  /** Returns the data without the secrets of the session that are known by now. */
  masked<T>(data: T): T {
    return this.#lease === null ? data : this.#lease.secrets.maskAll(data);
  }

  #apply(trigger: SessionTrigger): void {
    this.#session = transition(this.#session, trigger);
  }

  async #write(
    events: readonly SessionEvent[],
    ledger: readonly Charge[] = [],
    more: Pick<SessionChange, 'observation' | 'maxActive' | 'labelsChanged'> = {},
  ): Promise<void> {
    const session = this.#session;
    const meter = this.charges.meter();
    await this.#writer.write({
      session,
      events: this.masked(events),
      ledger,
      meter,
      ...this.masked(more),
    });
  }
}

const resultNotStoredFailure = (cause: Failure): Failure =>
  new Failure(
    'OUTCOME_UNKNOWN',
    'The operation was performed in the page, but its result may not be stored: the database could not be reached.',
    { cause },
  );
