/** Maximum silence of a page that runs no script, or gets no processor time. Milliseconds. */
export const MAX_SILENCE_MS = 8_000;
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

/** The resources that a page has used since it was asked for an answer. */
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

  /** Time since the page was asked, in milliseconds. */
  get silentMs(): number {
    return performance.now() - this.#since;
  }

  /** Processor time of the main threads of the page's processes. Also known while V8 or a layout keeps the page from answering. */
  get processMs(): number {
    const ms = this.#deps.processMs();
    this.#firstProcessMs ??= ms;
    return ms - this.#firstProcessMs;
  }

  /**
   * Returns true if V8 itself keeps the page that the service reads busy, for several times `timeoutMs`: a script lets the page tell its
   * processor time. Reads again.
   */
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
