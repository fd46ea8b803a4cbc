import { afterAll, expect, it } from 'vitest';
import { registerSelectorEngine } from '../../../src/browser/act/element/elementContext.ts';
import { fromCompact } from '../../../src/browser/injected/perceive/wireFormat.ts';
import { prewarmPage } from '../../../src/browser/pool/warmContextPool.ts';
import { markBeforeStep, settleTab } from '../../../src/browser/settle/settle.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';

await registerSelectorEngine();
const context = await (await sharedChromium()).newContext();
afterAll(() => context.close());

it('prewarmPage runs the injected scripts in the blank page and leaves it empty', async () => {
  const tab = await Tab.open('T1', await context.newPage());
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
  const observed = await tab.target.channel.session.send('Runtime.evaluate', {
    expression: '__pagespace.observe({ listenerTypes: [], top: true })',
    contextId: tab.target.worlds.find(tab.mainFrameId)?.contextId ?? 0,
  });
  const { messages, busy } = fromCompact(JSON.parse(String(observed.result.value)));
  expect([...messages, ...busy]).toEqual([]);
});

it('prewarmPage compiles what the first list and the first content of a page run, with the models of main content', async () => {
  const tab = await Tab.open('T1', await context.newPage());
  const { session } = tab.target.channel;
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** The places in the script of the functions that have run since the last call. */
  const takePlaces = async (): Promise<ReadonlySet<string>> => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    const scripts = result.filter(({ functions }) => functions.length > 100);
    const run = scripts.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.slice(0, 1)));
    return new Set(
      run.filter(({ count }) => count > 0).map(range => `${range.startOffset}-${range.endOffset}`),
    );
  };
  await prewarmPage(tab);
  const compiled = await takePlaces();
  const news =
    '<div class="news"><h2><a href="https://a.test/b">News</a></h2><p>One of the lines of this page.</p></div>';
  await tab.page.goto(`data:text/html,<title>News</title><main><h1>News</h1>${news.repeat(50)}</main>`);
  const contextId = tab.target.worlds.find(tab.mainFrameId)?.contextId ?? 0;
  for (const expression of [
    '__pagespaceScripts.agent(), __pagespaceScripts.scrape()',
    '__pagespace.observe({ listenerTypes: [], top: true })',
    '__pagespaceScrape.start({ mainContent: true, markdown: true, links: true, onlyMainContent: true })',
  ])
    await session.send('Runtime.evaluate', { expression, contextId });
  const run = await takePlaces();
  expect(run.size).toBeGreaterThan(500);
  expect(run.difference(compiled).size).toBeLessThan(run.size / 20);
});

it('a new document keeps the scripts of its first steps ready, so that none is sent for it', async () => {
  const tab = await Tab.open('T1', await context.newPage());
  const sources: string[] = [];
  const { session } = tab.target.channel;
  const send = session.send.bind(session);
  Object.assign(session, {
    send: (method: string, params?: { expression?: string; functionDeclaration?: string }) => {
      sources.push(params?.expression ?? params?.functionDeclaration ?? '');
      return send(method as 'Runtime.evaluate', params as never);
    },
  });
  await tab.page.goto(
    'data:text/html,<form id=__pagespace></form><form id=__pagespaceScripts></form><button onclick="0">Press</button>',
  );
  const signal = new AbortController().signal;
  const deadline = { signal, remainingMs: () => 60_000 };
  const mark = await markBeforeStep(tab, deadline);
  await settleTab(tab, mark, deadline);
  await settleTab(tab, await markBeforeStep(tab, deadline), deadline);
  const contextId = tab.target.worlds.find(tab.mainFrameId)?.contextId ?? 0;
  const expression = 'typeof __pagespace.observe';
  const { result } = await send('Runtime.evaluate', { expression, contextId });
  expect(result.value).toBe('function');
  expect(sources.filter(({ length }) => length > 1_000)).toEqual([]);
});
