/** The reports of a page about the effects of a step, and the work that its recorder knows. */

/** A sign in the document that work goes on, beside what is recorded of it. */
export interface Sign {
  /**
   * `busy`: an indicator that the step has brought; `blank`: a new document that shows nothing; `unfilled`: one that offers nothing to do: both are waited for while they do something;
   * `held`: the press of the step has disabled its control and shown nothing else; `unseen`: nothing has changed, and a server may send news.
   */
  readonly kind: 'busy' | 'blank' | 'unfilled' | 'held' | 'unseen';
  /** Maximum wait for its end, if the caller has set none. */
  readonly maxMs: number;
}

/** The result of `settle`: what the step has shown, and what the page says of its work. */
export interface SettleReport {
  /** True if the step has shown its effect, or the document is new, as far as nothing says that the work goes on. */
  readonly showsEffect: boolean;
  readonly sign: Sign | null;
  /** True if the document has no scripts and no listeners, so that the step has begun nothing in it. */
  readonly isStatic: boolean;
  /** True if the step has clicked a link that the browser downloads. */
  readonly startsDownload: boolean;
  /** Time until the last animation of the step ends that may bring its effect; 0 if none is running. Milliseconds. */
  readonly animationMs: number;
}

/** The recorded work for which `TaskRecorder.next` waits. */
export interface TaskWait {
  readonly showsEffect: boolean;
  readonly maxMs: number;
  /** True if the caller has set `maxMs`: then everything is waited for that ends within it. */
  readonly isPromised: boolean;
  /** True to wait also for timers of unknown origin: the step was performed in a frame, which may have told the document above it. */
  readonly includesOthers: boolean;
}

/** Work that began with one input of a step, or with one timer of the page's own. */
export interface Chain {
  /** Number of the step; 0 for the page's own work. */
  readonly step: number;
  /** Time of the beginning, as `performance.now()`, later by the time that servers took. */
  readonly startedAt: number;
}
