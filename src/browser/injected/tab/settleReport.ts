/** The result of `settle`: whether the step has shown an effect, and whether the page says that it is busy. */
export interface SettleReport {
  /** True if the step has changed text, content or the state of an element. */
  readonly hasChanged: boolean;
  /** Descriptions of the signs of business that the step has brought and that a person sees now. */
  readonly busy: readonly string[];
  /** True if the document has no scripts and no listeners, so that the step has begun nothing in it. */
  readonly isStatic: boolean;
  /** True if the step has changed something outside of the control that it used: a control that says "Copied" takes that back. */
  readonly showsElsewhere: boolean;
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
export const NO_CONTROL: ControlReport = {
  expectedEffectMs: 0,
  hasNewLook: false,
  startsDownload: false,
};
