import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Deeper than Chromium lays out. */
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

it('a page that crashes each time it is loaded is left by opening another', async () => {
  await expect(agent.observe(`${pages.url}/crashes`)).rejects.toMatchObject(crashed);
  await expect(agent.observe()).rejects.toMatchObject(crashed);
  expect((await agent.step('S1', `${pages.url}/`)).metadata.title).toBe('Page');
});

it('a tab whose page crashes each time it is loaded is closed, and the other is shown', async () => {
  await agent.observe(`${pages.url}/opens`);
  expect((await agent.step(/Open/)).metadata.title).toBe('Page');
  await expect(agent.observe(`${pages.url}/crashes`)).rejects.toMatchObject(crashed);
  expect((await agent.step('S13')).metadata.title).toBe('Opens');
});
