import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({
  '/': `<title>Opens</title><script>for (let i = 0; i < 24; i++) open('about:blank')</script>`,
});

it('A page that opens many windows at once gets no more tabs than a session may have', async () => {
  await agent.observe(`${pages.url}/`);
  await expect.poll(async () => (await agent.observe()).metadata.tabs.length).toBe(20);
});
