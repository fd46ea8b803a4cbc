import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const LOOPS: Readonly<Record<string, string>> = {
  'while it is parsed': '<script>location.reload()</script>',
  'after its load': '<script>onload = () => location.reload()</script>',
  'every 30 ms': '<script>setInterval(() => location.reload(), 30)</script>',
  'by another address': '<script>location.replace("?" + Math.random())</script>',
  'by a form': '<form></form><script>document.forms[0].submit()</script>',
};
const KINDS = Object.keys(LOOPS);
/** Number of times that a page is left, by its kind; default 1. A reload that has begun takes the place of the next page only at some moments. */
const LEAVES: Readonly<Record<string, number>> = { 'every 30 ms': 2 };

describe('A page that loads itself again without end', () => {
  const { pages, agent } = pageHarness({
    '/': '<title>Home</title><p>Home</p>',
    '/login': '<title>Log in</title>',
    '/admin': '<title>Admin</title><script>location.replace("/login")</script>',
    ...Object.fromEntries(KINDS.map((kind, at) => [`/loop/${at}`, `<title>Loop</title>${LOOPS[kind]}`])),
  });

  it.each(KINDS.map((kind, at) => [kind, at] as const))(
    'is shown, or a failure, and can always be left for another address: %s',
    async (kind, at) => {
      const url = `${pages.url}/loop/${at}`;
      for (let left = 0; left < (LEAVES[kind] ?? 1); left++) {
        const outcome = await agent.observe(url).then(
          ({ metadata }) => metadata.url?.split('?')[0],
          ({ code }) => code,
        );
        expect([url, 'NAVIGATION_FAILED']).toContain(outcome);
        expect((await agent.observe(`${pages.url}/`)).metadata.title).toBe('Home');
        expect((await agent.observe()).metadata.title).toBe('Home');
      }
    },
  );

  it('is scraped, or fails before the deadline', async () => {
    const outcome = await agent.scrape(`${pages.url}/loop/1`).then(
      () => 'read',
      ({ code }) => code,
    );
    expect(['read', 'NAVIGATION_FAILED']).toContain(outcome);
  });

  it('is none if it is where the opened page leads', async () => {
    await agent.observe(`${pages.url}/login`);
    expect((await agent.observe(`${pages.url}/admin`)).metadata.title).toBe('Log in');
  });
});
