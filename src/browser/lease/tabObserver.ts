import type { PageObservation } from '../../domain/page.ts';
import { normalizeText } from '../../domain/pageText.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ListingLimits } from '../../domain/space.ts';
import { emptyLocator } from '../act/elementLocator.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { ElementRegistry } from '../perceive/elementRegistry.ts';
import { observeTab } from '../perceive/observeTab.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';

/** Maximum wait for the page to tell what it is busy with; a page that takes longer is read without it. Milliseconds. */
const BUSY_TIMEOUT_MS = 8_000;

/** Observes the tabs of a session and keeps the ids of their elements from one observation to the next. */
export class TabObserver {
  readonly #tabs: TabSet;
  readonly #now: () => number;
  readonly #states = new WeakMap<Tab, ObservationState>();
  /** The latest document of each tab that `prepareForStep` has prepared, by Chromium's unique id. */
  readonly #preparedDocuments = new WeakMap<Tab, string>();

  constructor(tabs: TabSet, now: () => number) {
    this.#tabs = tabs;
    this.#now = now;
  }

  /** Returns what the observations of this tab share, such as the ids of its elements. */
  stateOf(tab: Tab): ObservationState {
    const known = this.#states.get(tab);
    if (known !== undefined) return known;
    const state: ObservationState = {
      registry: new ElementRegistry(),
      installed: new Set(),
      documents: new Map(),
      textHashes: [],
    };
    this.#states.set(tab, state);
    return state;
  }

  /** Reads the page of a tab and its actions, at most as many as `limits` allow. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  async observe(tab: Tab, limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    const state = this.stateOf(tab);
    const [observation, busy] = await Promise.all([
      observeTab(tab, state, () => this.#tabs.rows(), limits, this.#now, deadline),
      busySigns(tab, state, deadline),
    ]);
    const pending = { requests: tab.network.requests.labels().map(normalizeText), busy };
    return { ...observation, space: { ...observation.space, pending } };
  }

  /** Makes Playwright inject its own script into the page now, so that the next step does not have to wait for that. */
  prepareForStep(tab: Tab): void {
    const document = tab.target.worlds.find(tab.mainFrameId)?.uniqueId;
    if (document === undefined || tab.isUnresponsive || this.#preparedDocuments.get(tab) === document) return;
    this.#preparedDocuments.set(tab, document);
    emptyLocator(tab)
      .count()
      .catch(() => {});
  }
}

/** Returns what the page shows to say that it is busy; nothing while it cannot respond. */
async function busySigns(
  tab: Tab,
  { installed }: ObservationState,
  deadline: Deadline,
): Promise<readonly string[]> {
  const context = tab.target.worlds.find(tab.mainFrameId);
  if (tab.isUnresponsive || context === null || !installed.has(context.uniqueId)) return [];
  const limit = shortenDeadline(deadline, BUSY_TIMEOUT_MS);
  try {
    const world = await tab.world(limit);
    return (await tab.interruptible(world.callAgent('busyNow'))).map(normalizeText);
  } catch {
    return [];
  }
}
