import { expect, test } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { agent, pages } = pageHarness({
  '/': `<title>Errors</title><script>console.error('while it loads')</script><h1>Errors</h1>
<button onclick="console.log('fine'); console.warn('careful'); title = 'x'">Quiet</button>
<button onclick="console.error('The cart', 'is &quot;full&quot;', { items: 3 }); nowhere()">Two</button>
<button onclick="fetch('/missing?secret=1').then(answer => title = answer.status)">Fetch</button>
<button onclick="Promise.reject(new Error('not awaited'))">Promise</button>
<button onclick="for (let i = 0; i < 50; i++) console.error('again', i)">Many</button>
<a href="/next">Next</a>`,
  '/next': '<title>Next</title><script>throw new TypeError("broken page")</script>',
  '/missing': (_request, response) => {
    response.writeHead(500).end();
  },
});

test.each([
  [/Two/, 2, 'The cart is "full" Object', `console: 2 errors, first "The cart is 'full' Object"`],
  [/Promise/, 1, 'Uncaught (in promise) Error: not awaited', undefined],
  [/Many/, 50, 'again 0', 'console: 50 errors, first "again 0"'],
  [/"Next"/, 1, 'Uncaught TypeError: broken page', 'console: 1 error "Uncaught TypeError: broken page"'],
])(
  'a step tells the errors of the console that it has caused, and the first of them: %s',
  async (action, errors, first, line) => {
    await agent.observe(pages.url);
    expect(agent.lastObservation.space?.console).toBeUndefined();
    const { space, diff } = await agent.step(action);
    expect(space?.console).toEqual({ errors, first });
    if (line !== undefined && space !== null) expect(spaceMarkdown(space).split('\n')).toContain(line);
    if (line !== undefined && diff !== null) expect(diffMarkdown(diff).split('\n')).toContain(line);
    expect((await agent.observe()).space?.console).toBeUndefined();
  },
);

test('a request that failed is told with its path and without its query', async () => {
  await agent.observe(pages.url);
  const { space } = await agent.step(/Fetch/);
  expect(space?.console).toEqual({
    errors: 1,
    first: `Failed to load resource: the server responded with a status of 500 (Internal Server Error) ${new URL(pages.url).host}/missing`,
  });
});

test('a step that causes no error tells none, whatever it logs', async () => {
  await agent.observe(pages.url);
  expect((await agent.step(/Quiet/)).space?.console).toBeUndefined();
});
