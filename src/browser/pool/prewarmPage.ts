/** Runs the injected scripts in a warm page, so that its process has compiled them before an operation needs them. */
import { PAGE_PARTS } from '../../domain/contentParts.ts';
import { emptyLocator } from '../act/elementLocator.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import type { Tab } from '../tab/tab.ts';

const ALL_PARTS = { ...Object.fromEntries(PAGE_PARTS.map(part => [part, true])), onlyMainContent: true };

/**
 * Runs the injected scripts in the isolated world of the tab's blank page, so that its process has compiled them, and
 * leaves the page empty. Takes one round trip, and one more by Playwright.
 */
export async function prewarmPage(tab: Tab): Promise<void> {
  const world = tab.target.worlds.find(tab.mainFrameId);
  if (world === null) return;
  const scripts = (['agent', 'scrape', 'prewarm'] as const).map(injectedScript);
  const expression = [...scripts, `__pagespacePrewarm(${JSON.stringify(ALL_PARTS)})`].join(';');
  await tab.target.channel.session.send('Runtime.evaluate', {
    expression,
    contextId: world.contextId,
    awaitPromise: true,
  });
  await emptyLocator(tab).count();
}
