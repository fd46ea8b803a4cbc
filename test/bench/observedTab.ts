/** A page observed by the service's own code, from the tab to the list, to measure it. */
import type { Browser, Page } from 'playwright';
import { ElementRegistry } from '../../src/browser/perceive/elementRegistry.ts';
import { EnteredValues } from '../../src/browser/perceive/enteredValues.ts';
import { observeTab } from '../../src/browser/perceive/observeTab.ts';
import type { ObservationState } from '../../src/browser/perceive/readAllFrames.ts';
import { prewarmPage } from '../../src/browser/pool/warmContextPool.ts';
import { Tab } from '../../src/browser/tab/tab.ts';
import type { Deadline } from '../../src/domain/ports/clock.ts';
import { SecretMask } from '../../src/domain/secretMask.ts';
import { spaceMarkdown } from '../../src/domain/space/spaceMarkdown.ts';

const noDeadline: Deadline = {
  signal: new AbortController().signal,
  remainingMs: () => 600_000,
};
const noLimits = { max: 10_000, min: null };

export interface ObservedTab {
  readonly page: Page;
  /** The whole list as Markdown, as agents read it. */
  observe(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a tab. @param isPrewarmed true for a tab as a session gets it from the pool; false for one in a process that has run nothing */
export async function openObservedTab(browser: Browser, isPrewarmed: boolean): Promise<ObservedTab> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const tab = await Tab.open('T1', page);
  if (isPrewarmed) await prewarmPage(tab);
  const state: ObservationState = {
    registry: new ElementRegistry(),
    entered: new EnteredValues(new SecretMask()),
    documents: new Map(),
    onSkipped({ first }) {
      throw new Error(first);
    },
    textHashes: '',
    lastRead: null,
  };
  return {
    page,
    async observe() {
      const observation = await observeTab(tab, state, () => [], noLimits, Date.now, noDeadline);
      return spaceMarkdown(observation.space);
    },
    close: () => page.close(),
  };
}
