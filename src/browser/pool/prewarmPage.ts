/** Runs the injected scripts in a warm page, so that its process has compiled them before an operation needs them. */
import { PAGE_PARTS } from '../../domain/content/contentParts.ts';
import { emptyLocator } from '../act/element/elementLocator.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import { PageTasks } from '../settle/pageTasks.ts';
import type { Tab } from '../tab/tab.ts';
import { noPause, type Pause } from './pause.ts';

const ALL_PARTS = { ...Object.fromEntries(PAGE_PARTS.map(part => [part, true])), onlyMainContent: true };

/**
 * Runs the injected scripts in the isolated world of the tab's blank page, so that its process has compiled them, and
 * leaves the page empty. Takes three round trips, and one more by Playwright.
 * @param pause awaited between parts of the work, each of which takes 10 to 40 ms of the page's processor time
 */
export async function prewarmPage(tab: Tab, pause: Pause = noPause): Promise<void> {
  const world = tab.target.worlds.find(tab.mainFrameId);
  if (world === null) return;
  PageTasks.prepare(tab.target, tab.mainFrameId);
  const run = `${injectedScript('prewarm')};__pagespacePrewarm(${JSON.stringify(ALL_PARTS)})`;
  // One by one, as operations evaluate them: V8 finds a script that it has compiled before by its whole source.
  for (const expression of [injectedScript('agent'), injectedScript('scrape'), run]) {
    await tab.target.channel.session.send('Runtime.evaluate', {
      expression,
      contextId: world.contextId,
      awaitPromise: true,
    });
    await pause();
  }
  await emptyLocator(tab).count();
}
