import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const opening = (count: string) =>
  `<title>Opens</title><script>for (let i = 0; ${count}; i++) open('about:blank')</script>`;
const { pages, agent } = pageHarness(
  {
    '/24': opening('i < 24'),
    '/endless': opening(''),
    '/left': '<title>Left</title><button>Buy</button>',
  },
  // A busy machine opens one window in two seconds. Twenty tabs of another test would make each window cost several times as much.
  { operationTimeoutMs: 110_000, agent: 'for each test' },
);

it('A page that opens many windows at once gets no more tabs than a session may have', async () => {
  await agent.observe(`${pages.url}/24`);
  await expect.poll(async () => (await agent.observe()).metadata.tabs.length).toBe(20);
});

it('A page that opens windows without end is ended, with that reason, and the session can be left for another page', async () => {
  await expect(agent.observe(`${pages.url}/endless`)).rejects.toMatchObject({
    code: 'BROWSER_CRASHED',
    message: expect.stringMatching(/^The page opened 40 windows at once/),
  });
  const { metadata, space } = await agent.observe(`${pages.url}/left`);
  expect([metadata.title, space?.actions.some(({ name }) => name === 'Buy')]).toEqual(['Left', true]);
});
