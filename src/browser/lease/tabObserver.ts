import type { Deadline } from '../../domain/ports/deadline.ts';
import type { PageMetadata, PageObservation } from '../../domain/space/page.ts';
import type { ListingLimits } from '../../domain/space/space.ts';
import { PLAYWRIGHT_CONTROLS } from '../act/element/elementLocator.ts';
import { ElementRegistry } from '../perceive/elementRegistry.ts';
import type { EnteredValues } from '../perceive/enteredValues.ts';
import { observeTab } from '../perceive/observeTab.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import { readPageMetadata } from '../perceive/readPageMetadata.ts';
import { PageTasks } from '../settle/pageTasks.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';
import { type RunOperation, StepPreparation } from './stepPreparation.ts';

/** Observes the tabs of a session and keeps the ids of their elements from one observation to the next. */
export class TabObserver {
  readonly preparation: StepPreparation;
  readonly entered: EnteredValues;
  readonly #tabs: TabSet;
  readonly #now: () => number;
  readonly #states = new WeakMap<Tab, ObservationState>();
  #hasObserved = false;

  constructor(tabs: TabSet, entered: EnteredValues, now: () => number, whileOperating: RunOperation) {
    this.preparation = new StepPreparation(whileOperating, () => tabs.active);
    this.#tabs = tabs;
    this.entered = entered;
    this.#now = now;
  }

  /** True after the first observation of the session. */
  get hasObserved(): boolean {
    return this.#hasObserved;
  }

  /** Returns what the observations of this tab share, such as the ids of its elements. */
  stateOf(tab: Tab): ObservationState {
    const known = this.#states.get(tab);
    if (known !== undefined) return known;
    const state: ObservationState = {
      registry: new ElementRegistry(),
      entered: this.entered,
      installed: new Set(),
      documents: new Map(),
      textHashes: '',
      lastRead: null,
    };
    this.#states.set(tab, state);
    return state;
  }

  /** Reads the page of a tab and its actions, at most as many as `limits` allow. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  async observe(tab: Tab, limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    const observation = await observeTab(
      tab,
      this.stateOf(tab),
      () => this.#tabs.rows(),
      limits,
      this.#now,
      deadline,
    );
    this.#hasObserved = true;
    return observation;
  }

  /** Reads the metadata of a tab's page, without its actions. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  async metadata(tab: Tab, deadline: Deadline): Promise<PageMetadata> {
    return readPageMetadata(tab, () => this.#tabs.rows(), this.#now, deadline);
  }

  /** Prepares the next step in the page, so that it does not have to wait for that. */
  prepareForStep(tab: Tab): void {
    PageTasks.prepare(tab.target, tab.mainFrameId);
    // Controls of other kinds are pressed and filled without Playwright's script.
    if (this.stateOf(tab).registry.hasControlOf(PLAYWRIGHT_CONTROLS)) this.preparation.schedule(tab);
  }
}
