import type { PageTasks } from './pageTasks.ts';

/** The moment before a step: `settleTab` waits for what starts after it. */
export interface SettleMark {
  /** Number of the tab's latest request before the step. */
  readonly requestNumber: number;
  /** Number of requests before the step that the page has not sent by itself; default: that at the start of the wait. */
  readonly causedCount?: number;
  /** Number of such requests that had ended before the step; default: that at the start of the wait. */
  readonly endedCount?: number;
  /** Number of the tab's latest image before the step; undefined if no images are waited for. */
  readonly imageNumber?: number;
  /** Number of the tab's navigations before the step whose response was a file to download. */
  readonly downloadNavigationCount?: number;
  /** The recorders of the timers that the step sets, one for each document that it concerns. */
  readonly tasks?: readonly PageTasks[];
}
