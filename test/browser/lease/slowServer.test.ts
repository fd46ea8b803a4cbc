import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Longer than the time after which a page that does not answer counts as stuck. */
const SLOW_MS = 3_500;

const { pages, agent } = pageHarness(
  {
    '/': '<title>Page</title><p>words</p>',
    '/slow': (_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<title>Slow</title><button>Go</button>');
      }, SLOW_MS);
    },
  },
  { agent: 'for each test' },
);

it('a server that answers after seconds is waited for, in a new session and after another site', async () => {
  expect((await agent.observe(`${pages.url}/slow`)).metadata.title).toBe('Slow');
  await agent.observe(`${pages.otherOrigin}/`);
  expect((await agent.observe(`${pages.url}/slow`)).metadata.title).toBe('Slow');
});
