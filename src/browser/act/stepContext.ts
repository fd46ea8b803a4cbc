import type { StepRequest } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { WaitCondition } from '../../domain/specialActions/specialActionDefinition.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';

/** Argument that the lease passes to a step: the request, the tabs, and functions of the lease that the step calls. */
export interface StepContext {
  readonly tabs: TabSet;
  readonly command: StepRequest;
  readonly deadline: Deadline;
  readonly navigationTimeoutMs: number;
  /** True if the session has an observation, of whatever tab. */
  readonly hasObserved: boolean;
  /** Returns what the observations of this tab share, such as the ids of its elements. */
  stateOf(tab: Tab): ObservationState;
  /** Observes the active tab again, so that an element that replaced a listed element gets its id. The next observation tells what this one would. */
  reobserve(): Promise<void>;
  goto(url: string): Promise<void>;
  /** Waits until the condition is met. @throws Failure WAIT_TIMEOUT */
  waitFor(condition: WaitCondition): Promise<void>;
  /** Returns the path of an uploaded file; null if the session has no upload with this id. */
  uploadPath(id: string): Promise<string | null>;
  /** True if the step has started a download. Playwright reports that of a new window at its opener. */
  hasDownloaded(): boolean;
  /**
   * Waits until all running downloads are stored or refused, for a few seconds at most.
   * @param isAnnounced true when the step has started a download that Playwright may not have reported yet
   */
  waitForDownloads(isAnnounced: boolean): Promise<void>;
}
