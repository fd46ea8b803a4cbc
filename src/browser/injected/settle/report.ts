/** The reports of a page about the effects of a step, and the work that its recorder knows. */

/** The result of `settle`: what the step has shown, and what the page says of its work. */
export interface SettleReport {
  /** True if the step has changed text, content or the state of an element, or the document is new. */
  readonly hasChanged: boolean;
  /** Descriptions of the busy indicators that the step has brought and that a person sees now. */
  readonly busy: readonly string[];
  /** True if the document has no scripts and no listeners, so that the step has begun nothing in it. */
  readonly isStatic: boolean;
  /** Maximum wait for the effect of an element that reacts to the step, if nothing has changed; otherwise 0. Milliseconds. */
  readonly expectedEffectMs: number;
  /** True if the control that the step has pressed has got another icon or lasting class. */
  readonly hasNewLook: boolean;
  /** True if the step has clicked a link that the browser downloads. */
  readonly startsDownload: boolean;
  /** True if the press of the step has disabled its control, and has shown nothing else yet. */
  readonly holdsControl: boolean;
  /** True if something has scrolled. */
  readonly hasScrolled: boolean;
  /** True for a new document whose scripts are expected to fill it, or to leave it. */
  readonly isUnfilled: boolean;
  /** Time until the last animation of the step ends that may bring its effect; 0 if none is running. Milliseconds. */
  readonly animationMs: number;
}

/** The report about the control that the step has used. */
export type ControlReport = Pick<SettleReport, 'expectedEffectMs' | 'hasNewLook' | 'startsDownload'>;

/** The report for a step without a control. */
export const NO_CONTROL: ControlReport = { expectedEffectMs: 0, hasNewLook: false, startsDownload: false };

/** The recorded work for which `TaskRecorder.next` waits. */
export interface TaskWait {
  /** True if the step has shown something. */
  readonly showsEffect: boolean;
  /** Maximum wait. Milliseconds. */
  readonly maxMs: number;
  /** True if the caller has set `maxMs`: then everything is waited for that ends within it. */
  readonly isPromised: boolean;
  /** True to wait also for timers of unknown origin, which observers of the page set: those of positions, sizes and other documents. */
  readonly includesOthers: boolean;
}

/** Work that began with one input of a step, or with one timer of the page's own. */
export interface Chain {
  /** Number of the step; 0 for the page's own work. */
  readonly step: number;
  /** Time of the beginning, as `performance.now()`, later by the time that servers took. */
  readonly startedAt: number;
  /** The timer of the page's own that runs now, and how often in a row it has set itself again. */
  readonly own?: { readonly site: string; readonly rounds: number };
}
