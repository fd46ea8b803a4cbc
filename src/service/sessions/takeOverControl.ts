import { randomUUID } from 'node:crypto';
import { onAbort, onCall, race, waitUntil } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Clock, Deadline } from '../../domain/ports/clock.ts';
import type { Caller } from '../../domain/session/performedOperation.ts';
import { isActive, type Session } from '../../domain/session/session.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import {
  type InputAnswer,
  type InputCounts,
  type InputEvent,
  inputCountsText,
  type TakeOver,
  withoutPassedMoves,
} from '../../domain/session/takeOver.ts';
import { cutText, quote } from '../../domain/space/pageText.ts';
import type { ObservedActions } from '../../domain/space/spaceDiff.ts';
import { operationDeadline } from './operationDeadline.ts';

/** Time for which a person keeps the session after the last sign of their connection, in milliseconds. */
export const HOLD_GRACE_MS = 30_000;
/** Time without any input after which a person loses the session, although they are connected: an agent waits. Milliseconds. */
const MAX_PAUSE_MS = 15 * 60_000;
/** Messages of input that a person may send in a second, and those that they may send at once after a pause. */
const MESSAGES_PER_SECOND = 60;
const MESSAGE_BURST = 180;
export const SESSION_ENDED = 'The session ended.';
const RETRY_AFTER_SECONDS = 5;
const METADATA_TIMEOUT_MS = 2_000;

/** The acts of a person that the agent has not been told of yet, and the list that it knew before. */
export interface HandedBack {
  /** The last observation before the person came; null if there was none. */
  readonly since: ObservedActions | null;
  readonly counts: InputCounts;
  readonly note: string;
}

export interface TakeOverControlDeps {
  readonly clock: Clock;
  readonly now: () => number;
  readonly warn: (message: string, error?: unknown) => void;
  readonly session: () => Session;
  readonly lease: () => BrowserLease;
  readonly lastObserved: () => ObservedActions | null;
  /** Runs work on the pages between two operations. A queue that is full of input refuses no release. */
  readonly alone: <T>(owner: 'input' | 'release', signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Writes to the audit log that a person has lost the session. */
  readonly audit: (details: { readonly name: string; readonly reason: string }) => Promise<void>;
  readonly changed: (takeOver: TakeOver | null, events: readonly SessionEvent[]) => Promise<void>;
  readonly pageChanged: (page: { readonly url: string; readonly title: string }) => void;
}

export interface Admission {
  readonly caller: Caller;
  readonly holdId?: string | null;
  /** True to wait until a person has handed the session back, instead of failing with TAKEN_OVER. */
  readonly waitsForHandBack?: boolean;
  readonly signal: AbortSignal;
}

interface Request {
  readonly instructions: string;
  readonly cancelTimer: () => void;
}

interface Hold {
  readonly id: string;
  readonly holder: string;
  readonly by: Caller;
  /** The counts of the session when the person came. */
  readonly before: InputCounts;
  readonly since: ObservedActions | null;
  cancelTimer: () => void;
  lastInputAt: number;
  /** Messages that may be sent now, and since when they are counted. */
  messages: number;
  countedAt: number;
  isEnding: boolean;
  /** The writing of the row of its end, which one of its possible ends does; null if none does. */
  audited: Promise<void> | null;
}

type WriteRow = () => Promise<void>;

export class TakeOverControl {
  readonly #deps: TakeOverControlDeps;
  #request: Request | null = null;
  #hold: Hold | null = null;
  #handedBack: HandedBack | null = null;
  readonly #onFree = new Set<() => void>();

  constructor(deps: TakeOverControlDeps) {
    this.#deps = deps;
  }

  /** The acts of persons that the agent has not been told of yet; null for none. */
  get handedBack(): HandedBack | null {
    return this.#handedBack;
  }

  told(handedBack: HandedBack | null): void {
    if (this.#handedBack === handedBack) this.#handedBack = null;
  }

  /** Returns true if an operation may run now: it is that of the person who has the session, or nobody has it. */
  admits({ caller, holdId }: Pick<Admission, 'caller' | 'holdId'>): boolean {
    if (this.#hold !== null) return this.#hold.id === holdId && !this.#hold.isEnding;
    return this.#request === null || caller.kind === 'person';
  }

  /** Waits until an operation may run, if its caller asks for that. @throws Failure TAKEN_OVER */
  async admit(options: Admission, deadline: Deadline): Promise<void> {
    while (!this.admits(options) && isActive(this.#deps.session())) {
      if (options.waitsForHandBack !== true) throw this.#takenOverFailure();
      const endOfWait = () => (options.signal.aborted ? deadline.signal.reason : this.#takenOverFailure());
      await waitUntil(onCall(this.#onFree), onAbort(deadline.signal, endOfWait));
    }
  }

  /**
   * Asks for a person. A second request replaces the instructions and the timeout of the first.
   * @param timeoutMs time after which the request lapses if nobody has come
   * @throws Failure TAKEN_OVER if a person has the session
   */
  async request(instructions: string, timeoutMs: number, by: Caller): Promise<void> {
    if (this.#hold !== null) throw this.#takenOverFailure();
    this.#request?.cancelTimer();
    const lapse = () => this.#endRequest(`Nobody came within ${Math.round(timeoutMs / 1_000)} seconds.`);
    const request = { instructions, cancelTimer: this.#deps.clock.scheduleAfter(timeoutMs, lapse) };
    this.#request = request;
    const since = this.#deps.now();
    const until = since + timeoutMs;
    await this.#deps.changed({ status: 'waiting', instructions, holder: null, since, until }, [
      { type: 'take_over_requested', at: since, instructions, by },
    ]);
  }

  /** Name of the person who has the session; null for nobody. */
  get holder(): string | null {
    return this.#hold?.holder ?? null;
  }

  /** @param holdId id of the take-over of the person who asks; null for none @throws Failure TAKEN_OVER if another person has the session */
  assertFree(holdId: string | null): void {
    if (this.#hold !== null && (this.#hold.id !== holdId || this.#hold.isEnding))
      throw this.#takenOverFailure();
  }

  /**
   * Gives the session to a person; answers the agent's request, if there is one.
   * @param holdId id of the take-over that this person has, to go on with it; null for a new one
   * @returns the id of the take-over, which only this person knows
   * @throws Failure TAKEN_OVER if another person has the session
   */
  async begin(holder: string, by: Caller, holdId: string | null): Promise<string> {
    const { lease, lastObserved, now, clock, changed } = this.#deps;
    this.assertFree(holdId);
    if (this.#hold !== null) {
      this.#extend(this.#hold);
      return this.#hold.id;
    }
    const request = this.#request;
    const instructions = request?.instructions ?? null;
    const session = this.#deps.session();
    const before = isActive(session) ? (session.takeOver ?? null) : null;
    this.#request = null;
    const hold: Hold = {
      id: randomUUID(),
      holder,
      by,
      before: lease().person.counts,
      since: lastObserved(),
      cancelTimer: () => {},
      lastInputAt: clock.monotonicNow(),
      messages: MESSAGE_BURST,
      countedAt: clock.monotonicNow(),
      isEnding: false,
      audited: null,
    };
    this.#hold = hold;
    this.#extend(hold);
    const since = now();
    try {
      await changed({ status: 'held', instructions, holder, since, until: null }, [
        { type: 'taken_over', at: since, holder, by },
      ]);
    } catch (error) {
      if (this.#hold === hold) {
        hold.cancelTimer();
        this.#hold = null;
        this.#request = request;
        await changed(before, []).catch(error =>
          this.#deps.warn('A take-over that did not begin could not be undone', error),
        );
        this.#free();
      }
      throw error;
    }
    request?.cancelTimer();
    return hold.id;
  }

  /**
   * Says that the person is still connected, or that the connection has just ended: then all keys and buttons are released, and the
   * person can come back within `HOLD_GRACE_MS`.
   * @throws Failure TAKE_OVER_ENDED
   */
  async renew(holdId: string, isConnected: boolean): Promise<void> {
    const hold = this.#require(holdId);
    this.#extend(hold);
    if (!isConnected) await this.#alone(() => this.#deps.lease().person.release());
    else if (this.#deps.clock.monotonicNow() - hold.lastInputAt > MAX_PAUSE_MS)
      await this.#takeFrom(hold, 'The person made no input for 15 minutes.');
    else if (this.#isElsewhere()) await this.#alone(() => this.#followPage());
  }

  /** Waits for the operation that runs. @throws Failure TAKE_OVER_ENDED; RATE_LIMITED */
  async dispatch(holdId: string, events: readonly InputEvent[], signal: AbortSignal): Promise<InputAnswer> {
    const hold = this.#require(holdId);
    this.#extend(hold);
    this.#countMessage(hold);
    if (events.length > 0) hold.lastInputAt = this.#deps.clock.monotonicNow();
    return this.#deps.alone('input', signal, async () => {
      // The person can have lost the session while the operation before ran.
      this.#require(holdId);
      const mayGoOn = (): boolean => this.#hold === hold && !hold.isEnding;
      const result = await this.#deps.lease().person.dispatch(withoutPassedMoves(events), mayGoOn);
      if (this.#isElsewhere()) await this.#followPage();
      return result;
    });
  }

  /**
   * Gives the session back to the agent, or withdraws the request for a person. Does nothing if there is neither.
   * @param holdId id of the take-over, which may have ended; null to withdraw a request
   * @param writeRow writes to the audit log that the person hands the session back
   * @throws Failure TAKEN_OVER if somebody else has the session
   */
  async handBack(holdId: string | null, writeRow: WriteRow): Promise<void> {
    if (this.#hold === null)
      return holdId === null ? this.#endRequest('The request was withdrawn.') : undefined;
    if (this.#hold.id !== holdId) throw this.#takenOverFailure();
    await this.#endHold(this.#hold, null, writeRow);
  }

  /** Takes the session from a person whose permission has ended. @param isMeant returns true for the callers that lose it */
  async end(isMeant: (by: Caller) => boolean, reason: string): Promise<void> {
    if (this.#hold !== null && isMeant(this.#hold.by)) await this.#takeFrom(this.#hold, reason);
  }

  /** Ends the take-over with its session. @returns the events to write before the end of the session, and the writing of the row */
  endWithSession(): { readonly events: readonly SessionEvent[]; readonly writeRow: WriteRow } {
    const hold = this.#hold;
    const writeRow = async () => {
      if (hold !== null) await this.#writeRow(hold, () => this.#auditLoss(hold, SESSION_ENDED));
    };
    const hadRequest = this.#request !== null;
    hold?.cancelTimer();
    this.#request?.cancelTimer();
    this.#hold = this.#request = null;
    this.#free();
    const hasEnded = hold !== null || hadRequest;
    return { events: hasEnded ? [this.#handedBackEvent(hold, SESSION_ENDED)] : [], writeRow };
  }

  #auditLoss(hold: Hold, reason: string): Promise<void> {
    return this.#deps.audit({ name: hold.holder, reason });
  }

  /** Writes the row of the end of a take-over, if no other of its ends has. */
  async #writeRow(hold: Hold, write: WriteRow): Promise<void> {
    hold.audited ??= write().catch(error => {
      hold.audited = null;
      throw error;
    });
    await hold.audited;
  }

  #takeFrom(hold: Hold, reason: string): Promise<void> {
    return this.#endHold(hold, reason, () => this.#auditLoss(hold, reason));
  }

  async #endHold(hold: Hold, reason: string | null, writeRow: WriteRow): Promise<void> {
    if (this.#hold !== hold || hold.isEnding) return;
    hold.isEnding = true;
    hold.cancelTimer();
    try {
      await this.#alone(async () => {
        await this.#deps.lease().person.release();
        await this.#followPage();
      });
      // The session can have ended meanwhile, and writes the row.
      if (this.#hold !== hold || !isActive(this.#deps.session())) return;
      await this.#writeRow(hold, writeRow);
    } catch (error) {
      // Tried again when the time of grace is over.
      hold.isEnding = false;
      if (this.#hold === hold) this.#extend(hold);
      throw error;
    }
    if (this.#hold !== hold) return;
    const event = this.#handedBackEvent(hold, reason);
    const earlier = this.#handedBack;
    const counts = {
      inputs: event.inputs + (earlier?.counts.inputs ?? 0),
      navigations: event.navigations + (earlier?.counts.navigations ?? 0),
    };
    this.#handedBack = {
      since: earlier === null ? hold.since : earlier.since,
      counts,
      note: `Meanwhile ${inputCountsText(counts)}.`,
    };
    this.#hold = null;
    try {
      await this.#deps.changed(null, [event]);
    } finally {
      this.#free();
    }
  }

  async #endRequest(reason: string): Promise<void> {
    if (this.#request === null) return;
    this.#request.cancelTimer();
    this.#request = null;
    try {
      await this.#deps.changed(null, [this.#handedBackEvent(null, reason)]);
    } catch (error) {
      this.#deps.warn('The end of a request for a person could not be written', error);
    } finally {
      this.#free();
    }
  }

  #handedBackEvent(hold: Hold | null, reason: string | null): SessionEvent<'handed_back'> {
    const counts = hold === null ? NOTHING_DONE : this.#countsSince(hold);
    return { type: 'handed_back', at: this.#deps.now(), holder: hold?.holder ?? null, ...counts, reason };
  }

  #countsSince({ before }: Hold): InputCounts {
    const { inputs, navigations } = this.#deps.lease().person.counts;
    return { inputs: inputs - before.inputs, navigations: navigations - before.navigations };
  }

  #free(): void {
    for (const listener of [...this.#onFree]) listener();
  }

  #require(holdId: string): Hold {
    if (this.#hold !== null && this.#hold.id === holdId && !this.#hold.isEnding) return this.#hold;
    const who = this.#hold === null ? '' : ` ${this.#hold.holder} has it now.`;
    throw new Failure('TAKE_OVER_ENDED', `You do not have this session any more.${who}`);
  }

  #extend(hold: Hold): void {
    hold.cancelTimer();
    hold.cancelTimer = this.#deps.clock.scheduleAfter(HOLD_GRACE_MS, () => {
      this.#takeFrom(hold, 'The connection of the person was lost.').catch(error =>
        this.#deps.warn('The end of a take-over could not be written', error),
      );
    });
  }

  #countMessage(hold: Hold): void {
    const now = this.#deps.clock.monotonicNow();
    const refilled = ((now - hold.countedAt) * MESSAGES_PER_SECOND) / 1_000;
    hold.messages = Math.min(MESSAGE_BURST, hold.messages + refilled);
    hold.countedAt = now;
    if (hold.messages < 1)
      throw new Failure(
        'RATE_LIMITED',
        `A person may send ${MESSAGES_PER_SECOND} messages of input a second. Send several events in one message.`,
        { retryAfterSeconds: 1 },
      );
    hold.messages--;
  }

  /** Returns true if the active tab shows another address than the one that is known of the session. */
  #isElsewhere(): boolean {
    const active = this.#deps
      .lease()
      .tabs()
      .find(tab => tab.active);
    return active !== undefined && active.url !== (this.#deps.session().url ?? active.url);
  }

  async #followPage(): Promise<void> {
    const session = this.#deps.session();
    if (!isActive(session) || session.url === null) return;
    using deadline = operationDeadline(METADATA_TIMEOUT_MS, NEVER);
    const reading = this.#deps.lease().metadata(deadline);
    const page = await race(reading, onAbort(deadline.signal)).catch(() => null);
    if (page !== null && (page.url !== session.url || page.title !== session.pageTitle))
      this.#deps.pageChanged(page);
  }

  /** Runs work on the pages after the operation that runs now; not at all if the session ends first. */
  async #alone(work: () => Promise<void>): Promise<void> {
    await this.#deps.alone('release', NEVER, work).catch(error => {
      if (isActive(this.#deps.session())) throw error;
    });
  }

  #takenOverFailure(): Failure {
    const session = this.#deps.session();
    const detail =
      this.#hold === null
        ? `The session waits for a person: ${quote(cutText(this.#request?.instructions ?? '', 200))}. Nothing was done.`
        : `This session is held by ${this.#hold.holder}. Nothing was done.`;
    return new Failure('TAKEN_OVER', detail, { session, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

const NOTHING_DONE: InputCounts = { inputs: 0, navigations: 0 };
const NEVER = new AbortController().signal;
