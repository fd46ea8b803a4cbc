import type { StepRequest } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';

/** The inputs of one step, from the lease. */
export interface StepContext {
  readonly tabs: TabSet;
  readonly command: StepRequest;
  readonly deadline: Deadline;
  readonly navigationTimeoutMs: number;
  stateOf(tab: Tab): ObservationState;
  /** Observes the active tab again, so that elements that replaced listed ones get their ids. */
  reobserve(): Promise<void>;
  goto(url: string): Promise<void>;
  /** Returns the path of an uploaded file; null if the session has no upload with this id. */
  uploadPath(id: string): Promise<string | null>;
  /**
   * Resolves when the downloads that the step started are stored; at the latest after a few seconds.
   * @param isAnnounced true when Chromium has announced a download that Playwright may not have reported yet
   */
  waitForDownloads(isAnnounced: boolean): Promise<void>;
}
