import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Nests elements deeper than Chromium can lay out. */
const CRASH = `let at = document.body; for (let left = 20_000; left > 0; left--) at = at.appendChild(document.createElement('div'))`;

let loads = 0;

const { started, pages, agent } = pageHarness(
  {
    '/': '<title>Page</title><p>words</p>',
    '/crashes': `<title>Crashes</title><body><script>${CRASH}</script>`,
    '/crashes-once': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(++loads === 1 ? `<body><script>${CRASH}</script>` : '<title>Saved</title>');
    },
    '/opens': `<title>Opens</title><button onclick="window.open('/', '', 'noopener')">Open</button>`,
  },
  { agent: 'for each test' },
);
const crashed = { code: 'BROWSER_CRASHED' };

it('is loaded again once for a list with a screenshot', async () => {
  await expect(agent.observe(`${pages.url}/crashes-once`)).rejects.toMatchObject(crashed);
  const { sessionId } = agent;
  const limits = { max: 10, min: null };
  const signal = new AbortController().signal;
  const asked = {
    sessionId,
    url: null,
    limits,
    data: null,
    space: true,
    keepAlive: null,
    timeoutMinutes: null,
  };
  const result = await started.service.observe(started.viewer, { ...asked, screenshot: true, signal });
  expect([result.metadata.title, result.screenshot, loads]).toEqual(['Saved', expect.anything(), 2]);
});

it('S1 leaves a page that crashes at each load', async () => {
  await expect(agent.observe(`${pages.url}/crashes`)).rejects.toMatchObject(crashed);
  await expect(agent.observe()).rejects.toMatchObject(crashed);
  expect((await agent.step('S1', `${pages.url}/`)).metadata.title).toBe('Page');
});

it('S13 closes a tab whose page crashes at each load, and the other tab becomes active', async () => {
  await agent.observe(`${pages.url}/opens`);
  expect((await agent.step(/Open/)).metadata.title).toBe('Page');
  await expect(agent.observe(`${pages.url}/crashes`)).rejects.toMatchObject(crashed);
  expect((await agent.step('S13')).metadata.title).toBe('Opens');
});
