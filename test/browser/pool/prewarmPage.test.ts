import { expect, it } from 'vitest';
import { registerSelectorEngine } from '../../../src/browser/act/elementLocator.ts';
import { prewarmPage } from '../../../src/browser/pool/prewarmPage.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

it('prewarmPage runs the injected scripts in the blank page and leaves it empty', async () => {
  await registerSelectorEngine();
  await using stack = new AsyncDisposableStack();
  const browser = stack.adopt(await launchTestChromium(), one => one.close());
  const tab = await Tab.open('T1', await browser.newPage());
  await prewarmPage(tab);
  const { result } = await tab.target.channel.session.send('Runtime.evaluate', {
    expression: `[typeof __pagespace.observe, typeof __pagespaceScrape.start, document.body.childNodes.length].join()`,
    contextId: tab.target.worlds.find(tab.mainFrameId)?.contextId ?? 0,
  });
  expect(result.value).toBe('function,function,0');
  const again = await tab.target.channel.session.send('Runtime.evaluate', {
    expression: '__pagespacePrewarm({ onlyMainContent: true, mainContent: true })',
    contextId: tab.target.worlds.find(tab.mainFrameId)?.contextId ?? 0,
    awaitPromise: true,
  });
  expect(again.exceptionDetails).toBeUndefined();
});
