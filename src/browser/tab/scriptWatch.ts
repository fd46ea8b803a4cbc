/**
 * Ends scripts of a page that run without end while an operation waits for the page. A script counts as endless when it has
 * used a certain processor time without letting the page answer: other programs that use the processors do not count.
 */

/** A connection of a page that waits for a server, instead of running, is closed after this silence. Milliseconds. */
const CONNECTION_SILENCE_MS = 1_000;
/** Number of times that silent connections are closed, before all new requests of the page fail and its busy connections are closed too. */
const MAX_CLOSED = 1;
/** Number of times that connections are closed in vain, before the page counts as waiting for the process that draws. */
const DRAWS_AFTER_CLOSED = 3;

/** Ends the wait of a page: closes its connections, fails its requests, at last ends the process that draws, which WebGL can keep busy. */
class ServerWait {
  readonly #setOffline: (isOffline: boolean) => void;
  readonly #mark: () => (all?: boolean) => void;
  readonly #restartDrawing: () => void;
  #marked: { readonly since: number; readonly close: (all?: boolean) => void } | null = null;
  #closedCount = 0;

  /**
   * @param setOffline while true, every new request of the page fails at once
   * @param mark returns a function that closes the connections over which nothing has passed since the call, or all of them
   * @param restartDrawing ends the process that draws, of which Chromium starts another one
   */
  constructor(
    setOffline: (isOffline: boolean) => void,
    mark: () => (all?: boolean) => void,
    restartDrawing: () => void,
  ) {
    this.#restartDrawing = restartDrawing;
    this.#setOffline = setOffline;
    this.#mark = mark;
  }

  get hasClosed(): boolean {
    return this.#closedCount > 0;
  }

  /** Call it until the page answers; with `knowsWait` all requests fail as soon as connections are closed. Returns true if all fail now. */
  end(knowsWait: boolean): boolean {
    const now = performance.now();
    if (this.#marked !== null && now - this.#marked.since < CONNECTION_SILENCE_MS) return false;
    // A script can send the next request as soon as the last one has failed, without an end that Chromium could notice.
    const isStubborn = this.#marked !== null && (knowsWait || this.#closedCount >= MAX_CLOSED);
    if (isStubborn) this.#setOffline(true);
    if (this.#marked !== null) {
      this.#marked.close(isStubborn && this.#closedCount > MAX_CLOSED);
      this.#closedCount++;
      if (this.#closedCount === DRAWS_AFTER_CLOSED) this.#restartDrawing();
    }
    this.#marked = { since: now, close: this.#mark() };
    return isStubborn;
  }
}

/** Maximum silence of a page that runs no script, or gets no processor time. Milliseconds. */
const MAX_SILENCE_MS = 8_000;
/** Maximum silence of a page that runs a script, as a multiple of its processor time: an application of some MB starts slowly on a busy machine. */
const SLOWEST_SCRIPT = 5;
/** Processor time of the process after which a script is ended first while the page does not tell its processor time: it may be in a long layout. */
const UNKNOWN_SCRIPT_MS = 5_000;
/** A page that has used less processor time in its silence waits. Milliseconds. */
const WAITING_USAGE_MS = 50;
/** Maximum part of one processor that a page uses which waits: a long layout uses more, also on a busy machine. */
const MAX_WAITING_SHARE = 0.02;
/** Multiple of the time of an endless script after which a page that is read is stuck: the layout of a very large page takes long too. */
const STUCK_READING = 3;

export interface ScriptUsageDeps {
  /** Returns the processor time of the page's main thread in milliseconds. Answers in the middle of a script, but not of a layout or a wait. */
  readonly threadMs: () => Promise<number>;
  /** Processor time of the main threads of the page's processes in milliseconds, layouts included; 0 when unknown. */
  readonly processMs: () => number;
}

export class ScriptUsage {
  readonly #deps: ScriptUsageDeps;
  readonly #since = performance.now();
  #firstProcessMs: number | null = null;
  #firstMs: number | null = null;
  /** `processMs` when the page told the processor time of its main thread last; 0 before that. */
  #answeredMs = 0;
  usedMs = 0;
  #isReading = false;

  constructor(deps: ScriptUsageDeps) {
    this.#deps = deps;
  }

  get silentMs(): number {
    return performance.now() - this.#since;
  }

  /** Processor time of the main threads of the page's processes. Also known while V8 or a layout keeps the page from answering. */
  get processMs(): number {
    const ms = this.#deps.processMs();
    this.#firstProcessMs ??= ms;
    return ms - this.#firstProcessMs;
  }

  /** Returns true if V8 itself keeps the page that the service reads busy, for several times `timeoutMs`. Reads again. */
  isStuck(timeoutMs: number): boolean {
    if (!this.#isReading) this.#read();
    return this.processMs - this.#answeredMs >= STUCK_READING * timeoutMs;
  }

  /** Returns true if the script has used more processor time, as read last, or has been silent for too long. Reads again. */
  isAbove(maxMs: number, maxSilenceMs: number): boolean {
    if (!this.#isReading) this.#read();
    const isUsed =
      this.#firstMs === null
        ? this.processMs >= Math.min(UNKNOWN_SCRIPT_MS, 4 * maxMs)
        : this.usedMs >= maxMs;
    return isUsed || performance.now() - this.#since >= maxSilenceMs;
  }

  /** Returns true if the script has used more processor time, or its page has been silent for too long. Reads again. */
  isEndless(maxMs: number): boolean {
    return this.isAbove(
      maxMs,
      this.#hasRun || !this.isIdle ? Math.max(MAX_SILENCE_MS, SLOWEST_SCRIPT * maxMs) : MAX_SILENCE_MS,
    );
  }

  /** Returns true if the page has been silent for so long and has hardly run. Reads again. */
  waits(ms: number): boolean {
    if (!this.#isReading) this.#read();
    return !this.#hasRun && performance.now() - this.#since >= ms && this.isIdle;
  }

  /** True if the page uses little processor time in the silence, for a script or a layout. */
  get isIdle(): boolean {
    return this.processMs < MAX_WAITING_SHARE * (performance.now() - this.#since);
  }

  /** True if a script has run in the silence, as read last: the page does not wait. */
  get #hasRun(): boolean {
    return this.usedMs >= WAITING_USAGE_MS;
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
        this.#answeredMs = this.processMs;
      })
      .then(done, done);
  }
}

/** Reads in a Content-Security-Policy whether a document can run scripts (https://www.w3.org/TR/CSP3/). */

/** True if the policies (the header's are separated by commas, or by line breaks in CDP) forbid scripts in elements and in attributes. */
export const forbidsScripts = (header: string | undefined): boolean =>
  (header ?? '').split(/[,\n]/).some(policy => {
    const sources = sourcesByDirective(policy);
    if (sources.has('sandbox') && !allows(sources.get('sandbox'), 'allow-scripts')) return true;
    const scripts = sources.get('script-src') ?? sources.get('default-src');
    return [sources.get('script-src-elem') ?? scripts, sources.get('script-src-attr') ?? scripts].every(
      allowsNothing,
    );
  });

/** The sources of each directive of a policy, in lower case. The first directive of a name counts. */
function sourcesByDirective(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = policy.split(';').map(text => text.trim().toLowerCase().split(/\s+/));
  return new Map(directives.reverse().map(([name = '', ...sources]) => [name, sources]));
}

const allows = (sources: readonly string[] | undefined, source: string): boolean =>
  sources?.includes(source) === true;

/** True for `'none'` and for an empty list; false for a directive that the policy does not have. */
const allowsNothing = (sources: readonly string[] | undefined): boolean =>
  sources?.every(source => source === "'none'") === true;

interface PageSilence {
  readonly documentId: string | undefined;
  readonly usage: ScriptUsage;
  readonly wait: ServerWait;
  /** Processor times of the page when a script was ended first; null before that. Milliseconds. */
  firstEnd: { readonly usedMs: number; readonly processMs: number } | null;
  terminations: number;
  isOver: boolean;
}

/** Processor time after which a script counts as endless, unless the operator sets another one. Milliseconds. */
export const SCRIPT_TIMEOUT_MS = 5_000;
/** Time until the first question whether the page answers, and between its answer and the next question. Milliseconds. */
const PING_INTERVAL_MS = 500;
/** Time between two readings of the processor time of a page that has not answered. Milliseconds. */
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
/** A page that does not run, and does not answer although its scripts were ended this often, in 30 s, cannot be saved. */
const MAX_TERMINATIONS = 200;
/** Processor time of the next endless script of the document in the same operation: its scripts are paused then. Milliseconds. */
const NEXT_SCRIPT_MS = 500;
/** Silence after which the next script is ended in a page that gets little processor time, in this operation and in later ones. Milliseconds. */
const NEXT_SILENCE_MS = 1_000;
const LATER_SILENCE_MS = 2_000;
/** Processor time of a page that runs on, instead of waiting for a server, after a script was ended. Milliseconds. */
const RUNS_ON_MS = 200;

export interface ScriptWatchDeps extends ScriptUsageDeps {
  /** Resolves when the page answers. May reject, or never settle. */
  readonly ping: () => Promise<unknown>;
  /** Returns false while the page cannot answer for another reason: a dialog is open, or a server has not answered. */
  readonly canAnswer: () => boolean;
  readonly terminateScript: () => void;
  /** Called when the page does not answer although its scripts were ended again and again. */
  readonly giveUp: () => void;
  readonly documentId: () => string | undefined;
  readonly hasOpenRequest: () => boolean;
  /** Called again and again while the page cannot answer: stops a load that takes too long. */
  readonly stopSlowLoad: () => void;
  /** While true, every new request of the page fails at once. */
  readonly setOffline: (isOffline: boolean) => void;
  /** While true, the scripts of the page do not begin: scripts, handlers and timers. Takes effect also in the middle of a script, which goes on. */
  readonly setScriptsPaused: (isPaused: boolean) => void;
}

export class ScriptWatch {
  /** Processor time after which a script is ended, in milliseconds. */
  timeoutMs = SCRIPT_TIMEOUT_MS;
  markConnections: () => (all?: boolean) => void = () => () => {};
  restartGpu: () => Promise<void> = async () => {};
  readonly #deps: ScriptWatchDeps;
  #endedCount = 0;
  #waiting = 0;
  /** Operations in which a script of the service itself may keep the page busy. */
  #reading = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Id of the last document that waited for a server until its connections were closed. */
  #waitingDocument: string | undefined;
  #isOffline = false;
  /** Id of the document in which a script was ended during this operation. */
  #endedDocument: string | undefined;
  #pausedDocument: string | undefined;
  #pausedAt: number | null = null;
  #isNewPause = false;
  #stoppedAt = Number.NEGATIVE_INFINITY;
  #silence: PageSilence | null = null;

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

  /** Settles as `read` does, which begins calls to the page. Before it, ends a script of the page that runs without end. */
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

  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Lets the page send requests and run scripts again. Call it at the end of an operation, and before the page is left. */
  release(): void {
    this.#endedDocument = undefined;
    this.resume();
    if (!this.#isOffline) return;
    this.#isOffline = false;
    this.#deps.setOffline(false);
  }

  /** Lets the page run scripts again. Call it when the next document is on its way: the pause would apply to it. */
  resume(): void {
    if (this.#pausedAt === null) return;
    this.#pausedAt = null;
    this.#deps.setScriptsPaused(false);
  }

  readonly paused = new Set<() => void>();

  /** Time for which the scripts of the page have been paused, in milliseconds; null if they are not. */
  get pausedMs(): number | null {
    return this.#pausedAt === null ? null : performance.now() - this.#pausedAt;
  }

  /** True if the scripts of this document were paused before. */
  get hasPaused(): boolean {
    return this.#pausedDocument !== undefined && this.#pausedDocument === this.#deps.documentId();
  }

  /** Time for which the page has not answered while operations waited for it, in milliseconds; 0 if it has answered. */
  get silentMs(): number {
    const silence = this.#silence;
    return silence === null || silence.isOver ? 0 : silence.usage.silentMs;
  }

  /** Tells that a script of the page did not let it be read and was ended. */
  endedWhileReading(): void {
    this.#endedDocument = this.#deps.documentId();
  }

  takePaused(): boolean {
    const isNew = this.#isNewPause;
    this.#isNewPause = false;
    return isNew;
  }

  takeEndedCount(): number {
    const count = this.#endedCount;
    this.#endedCount = 0;
    return count;
  }

  #stopIfUnused(): void {
    if (this.#waiting + this.#reading > 0) return;
    clearTimeout(this.#timer);
    this.#stoppedAt = performance.now();
  }

  /** Returns the silence of the page that a part of the operation before this one has noticed, or asks the page for an answer. */
  #currentSilence(): PageSilence {
    const documentId = this.#deps.documentId();
    const last = this.#silence;
    const goesOn = performance.now() - this.#stoppedAt < PING_INTERVAL_MS;
    if (last !== null && !last.isOver && goesOn && last.documentId === documentId) return last;
    const usage = new ScriptUsage(this.#deps);
    const restart = (): void => void (usage.isIdle && this.restartGpu().catch(() => {}));
    const silence: PageSilence = {
      documentId,
      usage,
      wait: new ServerWait(this.#deps.setOffline, () => this.markConnections(), restart),
      firstEnd: null,
      terminations: 0,
      isOver: false,
    };
    this.#silence = silence;
    const answered = (): void => {
      silence.isOver = true;
      this.answered();
    };
    this.#deps.ping().then(answered, answered);
    return silence;
  }

  #wait(ms: number, next: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(next, ms);
  }

  #askLater(): void {
    this.#wait(PING_INTERVAL_MS, () => this.#ask(this.#reading === 0));
  }

  /** @param mayEnd false if the script may be one of the service: then only a wait for a server, and a loop inside V8, are ended */
  #ask(mayEnd = true): void {
    const { canAnswer, terminateScript } = this.#deps;
    if (!canAnswer()) {
      this.#deps.stopSlowLoad();
      this.#askLater();
      return;
    }
    const silence = this.#currentSilence();
    const { usage, wait } = silence;
    const loops = this.#loops;
    const isStuck = (): boolean => !mayEnd && usage.isStuck(this.timeoutMs);
    const end = (): void => {
      const ends = mayEnd || isStuck();
      if (silence.firstEnd === null) this.#endedCount++;
      silence.firstEnd ??= { usedMs: usage.usedMs, processMs: usage.processMs };
      const processMs = usage.processMs - silence.firstEnd.processMs;
      const runsOn = Math.max(usage.usedMs - silence.firstEnd.usedMs, processMs) >= RUNS_ON_MS;
      const pauses = this.#pausedAt === null && (loops || (ends && runsOn));
      if (pauses) this.#pause();
      this.#endedDocument = this.#deps.documentId();
      if (ends || pauses) {
        const isLost = processMs >= Math.min(LOST_AFTER_MS, 4 * this.timeoutMs);
        if (isLost || (++silence.terminations > MAX_TERMINATIONS && usage.isIdle)) {
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
      const isTooLong =
        loops && this.#pausedAt === null
          ? usage.isAbove(this.#nextScriptMs, this.hasPaused ? LATER_SILENCE_MS : NEXT_SILENCE_MS)
          : mayEnd
            ? usage.isEndless(this.timeoutMs)
            : usage.waits(MAX_SILENCE_MS) || isStuck();
      if (!canAnswer()) silence.isOver = true;
      if (silence.isOver) this.#askLater();
      else if (silence.firstEnd !== null || isTooLong || this.#waitsAgain(usage)) end();
      else this.#wait(CHECK_INTERVAL_MS, check);
    };
    this.#wait(CHECK_INTERVAL_MS, check);
  }

  /** True if a script of the document was ended in this operation already, or its scripts were paused before. */
  get #loops(): boolean {
    const id = this.#deps.documentId();
    return this.hasPaused || (id !== undefined && id === this.#endedDocument);
  }

  get #nextScriptMs(): number {
    return Math.min(NEXT_SCRIPT_MS, this.timeoutMs);
  }

  #pause(): void {
    this.#pausedDocument = this.#deps.documentId();
    this.#pausedAt = performance.now();
    this.#isNewPause = true;
    this.#deps.setScriptsPaused(true);
    for (const listener of [...this.paused]) listener();
  }

  get #knowsWait(): boolean {
    return this.#waitingDocument !== undefined && this.#waitingDocument === this.#deps.documentId();
  }

  #waitsAgain(usage: ScriptUsage): boolean {
    return this.#knowsWait && this.#deps.hasOpenRequest() && usage.waits(REPEATED_WAIT_MS);
  }
}
