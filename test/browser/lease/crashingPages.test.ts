import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Nests elements deeper than Chromium can lay out. */
const CRASH = `let at = document.body; for (let left = 100_000; left > 0; left--) at = at.appendChild(document.createElement('div'))`;

const { pages, agent } = pageHarness(
  {
    '/': '<title>Page</title><p>words</p>',
    '/crashes': `<title>Crashes</title><body><script>${CRASH}</script>`,
    '/opens': `<title>Opens</title><button onclick="window.open('/', '', 'noopener')">Open</button>`,
  },
  { agent: 'for each test' },
);
const crashed = { code: 'BROWSER_CRASHED' };

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
