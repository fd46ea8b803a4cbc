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
  /** True if the step has used an element that reacts to it, and nothing has changed. */
  readonly expectsEffect: boolean;
}
