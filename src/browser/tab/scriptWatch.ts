/**
 * Ends scripts of a page that run without end while an operation waits for the page. A script counts as endless when it has
 * used a certain processor time without letting the page answer: other programs that use the processors do not count.
 */
import { ServerWait } from './serverWait.ts';

/** Processor time after which a script counts as endless, unless the operator sets another one. Milliseconds. */
export const SCRIPT_TIMEOUT_MS = 5_000;
/** Maximum silence of a page, also if it runs no script, or gets no processor time. Milliseconds. */
const MAX_SILENCE_MS = 8_000;
/** Time until the first question whether the page answers, and between its answer and the next question. Milliseconds. */
const PING_INTERVAL_MS = 500;
/** Time between two looks at the processor time of a page that has not answered. Milliseconds. */
const CHECK_INTERVAL_MS = 100;
/** Time between two terminations of a page whose handlers loop one after another. Milliseconds. */
export const TERMINATION_INTERVAL_MS = 150;
/** Maximum silence of a document that has waited for a server before, while it has a request open. Milliseconds. */
const REPEATED_WAIT_MS = 2_000;
/**
 * A page whose process has used this processor time since its script was ended first, and has not answered, cannot be saved: V8 itself
 * runs without end, or messages arrive faster than the page takes them. At most four times `timeoutMs`. Milliseconds.
 */
const LOST_AFTER_MS = 4_000;
/** The same for the first end of a script while the page does not tell its processor time: it may be in a long layout. */
const UNKNOWN_SCRIPT_MS = 5_000;
/** A page that does not answer although its scripts were ended this often, in 30 s, cannot be saved. */
const MAX_TERMINATIONS = 200;
/** A page that has used less processor time in its silence waits. Milliseconds. */
const WAITING_USAGE_MS = 50;

export interface ScriptWatchDeps {
  /** Resolves when the page answers. May reject, or never settle. */
  readonly ping: () => Promise<unknown>;
  /** Returns false while the page cannot answer for another reason: a dialog is open, or a server has not answered. */
  readonly canAnswer: () => boolean;
  /** Returns the processor time of the page's main thread in milliseconds. Answers in the middle of a script, but not of a layout or a wait. */
  readonly threadMs: () => Promise<number>;
  /** Processor time of all threads of the page's processes in milliseconds; 0 when unknown. */
  readonly processMs: () => number;
  /** Ends the script that the page runs now. */
  readonly terminateScript: () => void;
  /** Called when the page does not answer although its scripts were ended again and again. */
  readonly giveUp: () => void;
  /** Id of the document of the page. */
  readonly documentId: () => string | undefined;
  /** Returns true while a request of the page has no complete response. */
  readonly hasOpenRequest: () => boolean;
  /** Called again and again while the page cannot answer: stops a load that takes too long. */
  readonly stopSlowLoad: () => void;
  /** While true, every new request of the page fails at once. */
  readonly setOffline: (isOffline: boolean) => void;
}

/** Watches the scripts of one page while operations wait for it. */
export class ScriptWatch {
  /** Processor time after which a script is ended, in milliseconds. */
  timeoutMs = SCRIPT_TIMEOUT_MS;
  /** Returns a function that closes the connections of the page over which nothing has passed since this call, or all of them. */
  markConnections: () => (all?: boolean) => void = () => () => {};
  readonly #deps: ScriptWatchDeps;
  #endedCount = 0;
  /** Operations that wait for the page. */
  #waiting = 0;
  /** Operations in which a script of the service itself may keep the page busy. */
  #reading = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Id of the last document that waited for a server until its connections were closed. */
  #waitingDocument: string | undefined;
  #isOffline = false;

  constructor(deps: ScriptWatchDeps) {
    this.#deps = deps;
  }

  /** Settles as `work` does. While it has not, ends scripts of the page that run without end. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    if (this.#waiting++ === 0 && this.#reading === 0) this.#askLater();
    try {
      return await work;
    } finally {
      this.#waiting--;
      this.#stopIfUnused();
    }
  }

  /**
   * Settles as `read` does. Ends a script of the page that runs without end before `read` gets its turn.
   * @param read begins calls to the page that take any time, such as an observation
   */
  async whileReading<Result>(read: () => Promise<Result>): Promise<Result> {
    const hasAnswered = performance.now() - this.#answeredAt < PING_INTERVAL_MS;
    // Asked before the calls of `read`: the page answers in the same order.
    if (this.#reading++ === 0)
      if (hasAnswered) this.#askLater();
      else this.#ask();
    try {
      return await read();
    } finally {
      this.#reading--;
      this.#stopIfUnused();
    }
  }

  /** Tells that the page has answered another call. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Lets the page send requests again. Call it at the end of an operation, and before the page is left. */
  goOnline(): void {
    if (!this.#isOffline) return;
    this.#isOffline = false;
    this.#deps.setOffline(false);
  }

  /** Returns how many scripts were ended since the last call. */
  takeEndedCount(): number {
    const count = this.#endedCount;
    this.#endedCount = 0;
    return count;
  }

  #stopIfUnused(): void {
    if (this.#waiting + this.#reading === 0) clearTimeout(this.#timer);
  }

  #wait(ms: number, next: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(next, ms);
  }

  #askLater(): void {
    this.#wait(PING_INTERVAL_MS, () => this.#ask(this.#reading === 0));
  }

  /**
   * Asks the page for an answer, and ends its script if none comes.
   * @param mayEnd false if the script may be one of the service: then only a wait for a server is ended
   */
  #ask(mayEnd = true): void {
    const { canAnswer, ping, terminateScript } = this.#deps;
    if (!canAnswer()) {
      this.#deps.stopSlowLoad();
      this.#askLater();
      return;
    }
    const usage = new ScriptUsage(this.#deps);
    const wait = new ServerWait(this.#deps.setOffline, () => this.markConnections());
    let isSilent = true;
    let hasEnded = false;
    let terminations = 0;
    let firstEndMs = 0;
    const answered = (): void => {
      isSilent = false;
      this.answered();
    };
    ping().then(answered, answered);
    const end = (): void => {
      if (!hasEnded) {
        this.#endedCount++;
        firstEndMs = usage.processMs;
      }
      hasEnded = true;
      if (mayEnd) {
        const isLost = usage.processMs - firstEndMs >= Math.min(LOST_AFTER_MS, 4 * this.timeoutMs);
        if (isLost || ++terminations > MAX_TERMINATIONS) {
          this.#deps.giveUp();
          return;
        }
        terminateScript();
      }
      // A script in a synchronous request notices its end only when the request has an answer.
      if (usage.usedMs < this.timeoutMs && wait.end(this.#knowsWait)) this.#isOffline = true;
      if (wait.hasClosed) this.#waitingDocument = this.#deps.documentId();
      this.#wait(TERMINATION_INTERVAL_MS, check);
    };
    const check = (): void => {
      const isTooLong = mayEnd ? usage.isAbove(this.timeoutMs) : usage.waits(MAX_SILENCE_MS);
      if (!isSilent || !canAnswer()) this.#askLater();
      else if (hasEnded || isTooLong || this.#waitsAgain(usage)) end();
      else this.#wait(CHECK_INTERVAL_MS, check);
    };
    this.#wait(CHECK_INTERVAL_MS, check);
  }

  /** True if the document has waited for a server before, until the connection was closed. */
  get #knowsWait(): boolean {
    return this.#waitingDocument !== undefined && this.#waitingDocument === this.#deps.documentId();
  }

  /** Returns true if the document waits for a server once more. */
  #waitsAgain(usage: ScriptUsage): boolean {
    return this.#knowsWait && this.#deps.hasOpenRequest() && usage.waits(REPEATED_WAIT_MS);
  }
}

/** The resources that a page has used since it was asked for an answer. */
class ScriptUsage {
  readonly #deps: Pick<ScriptWatchDeps, 'threadMs' | 'processMs'>;
  readonly #since = performance.now();
  #firstProcessMs: number | null = null;
  #firstMs: number | null = null;
  usedMs = 0;
  #isReading = false;

  constructor(deps: Pick<ScriptWatchDeps, 'threadMs' | 'processMs'>) {
    this.#deps = deps;
  }

  /** Processor time of all threads of the page's processes. Also known while V8 or a layout keeps the main thread from answering. */
  get processMs(): number {
    const ms = this.#deps.processMs();
    this.#firstProcessMs ??= ms;
    return ms - this.#firstProcessMs;
  }

  /** Returns true if the script has used more processor time, as read last, or has been silent for too long. Reads again. */
  isAbove(maxMs: number): boolean {
    if (!this.#isReading) this.#read();
    const isUsed =
      this.#firstMs === null
        ? this.processMs >= Math.min(UNKNOWN_SCRIPT_MS, 4 * maxMs)
        : this.usedMs >= maxMs;
    return isUsed || performance.now() - this.#since >= MAX_SILENCE_MS;
  }

  /** Returns true if the page has been silent for so long and has hardly run. Reads again. */
  waits(ms: number): boolean {
    if (!this.#isReading) this.#read();
    return this.usedMs < WAITING_USAGE_MS && performance.now() - this.#since >= ms;
  }

  #read(): void {
    this.#isReading = true;
    const done = (): void => {
      this.#isReading = false;
    };
    this.#deps
      .threadMs()
      .then(ms => {
        this.#firstMs ??= ms;
        this.usedMs = ms - this.#firstMs;
      })
      .then(done, done);
  }
}
