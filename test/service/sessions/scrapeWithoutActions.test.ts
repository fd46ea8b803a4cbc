import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';
import { ALL_PARTS } from '../../support/scrapeHarness.ts';

describe('scrape without the list of actions', () => {
  const { started, pages, agent } = pageHarness(
    {
      '/': '<title> A  page </title><main><p>Some words</p><button>Press</button></main>',
      '/shadowed': '<title>Own title</title><img name="title"><img name="URL"><p>Some words</p>',
    },
    { agent: 'for each test' },
  );
  const scrape = (url: string | null) =>
    agent.scrape(url, { data: { ...ALL_PARTS, onlyMainContent: false }, space: false });

  it('makes no observation, and returns the metadata that an observation returns', async () => {
    const { metadata, observationId, space, data } = await scrape(`${pages.url}/`);
    expect({ observationId, space, text: data?.text }).toEqual({
      observationId: null,
      space: null,
      text: 'Some words\nPress',
    });
    const observed = await agent.observe();
    expect(observed.observationId).toBe('O1');
    expect({ ...observed.metadata, timestamp: 0 }).toEqual({ ...metadata, timestamp: 0 });
    expect(metadata).toMatchObject({ title: 'A page', httpStatus: 200, tabs: [{ title: 'A page' }] });
  });

  it('reads the title and URL of a page whose images hide them', async () => {
    const { metadata } = await scrape(`${pages.url}/shadowed`);
    expect(metadata).toMatchObject({ title: 'Own title', url: `${pages.url}/shadowed` });
  });

  it('leaves no list of another page in the session', async () => {
    const storedUrl = async () =>
      (await started.store.sessions.observations([agent.sessionId]))[0]?.url ?? null;
    await agent.observe(`${pages.url}/`);
    await scrape(null);
    expect(await storedUrl()).toBe(`${pages.url}/`);
    await scrape(`${pages.url}/shadowed`);
    expect(await storedUrl()).toBeNull();
  });

  it('keeps the ids of an earlier observation valid', async () => {
    await agent.observe(`${pages.url}/`);
    await scrape(null);
    expect((await agent.step('B1')).metadata.title).toBe('A page');
  });
});
