import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import { servePageOverTls } from '../../support/servePageOverTls.ts';

const PAGES = {
  '/': '<title>Home</title><button>Press</button>',
  '/loop': (_request: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location: '/loop' }).end(),
  '/closed': (_request: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/vanishing': `<title>Vanishing</title><div style="height:3000px">Top</div><button>Below</button><div style="position:fixed;inset:0"></div>
    <script>addEventListener('scroll', () => document.querySelector('button')?.remove())</script>`,
  '/reframed': `<title>Reframed</title><button onclick="const f = document.querySelector('iframe'); f.remove(); document.body.append(f)">Again</button><iframe src="/framed"></iframe>`,
  '/framed': '<button onclick="top.document.title=\'pressed\'">Inside</button>',
  '/poll': `<title>Poll</title><button onclick="document.title='done'">Go</button><script>setInterval(() => fetch('/ping?' + Date.now()), 100)</script>`,
  '/ping': (_request: unknown, response: ServerResponse) => response.end('1'),
  '/fields':
    '<input readonly value="old" aria-label="Fixed"><div role="combobox" tabindex="0" aria-label="Fruit">Kiwi</div>',
  '/asks': `<title>Asks</title><button>Stay</button><a href="/">Home</a><script>onbeforeunload = event => event.preventDefault()</script>`,
  '/dialogs': `<title>Dialogs</title><button onclick="document.title=prompt('name?','Bob')">Ask</button><button onclick="setTimeout(() => alert('late'), 1)">Later</button>`,
};

describe('A session', () => {
  const { pages, agent, started } = pageHarness(PAGES);

  it.each(['/loop', '/closed', 'http://nope.invalid/'])(
    'opens a page at once after %s failed, twice in a row',
    async failing => {
      const address = failing.startsWith('/') ? pages.url + failing : failing;
      for (let round = 0; round < 2; round++) {
        await expect(agent.observe(address)).rejects.toMatchObject({
          code: expect.stringMatching(/NAVIGATION_FAILED|URL_BLOCKED/),
        });
        expect((await agent.observe(`${pages.url}/`)).metadata.title).toBe('Home');
      }
    },
  );

  it('S4 goes back after an address that could not be opened', async () => {
    await agent.observe(`${pages.url}/`);
    await expect(agent.step('S1', 'http://nope.invalid/')).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
    });
    expect((await agent.step('S4')).metadata.title).toBe('Home');
  });

  it('S4 goes back to no blank page before the first one', async () => {
    const fresh = await startAgentDriver(started);
    await fresh.observe(`${pages.url}/`);
    await expect(fresh.step('S4')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect((await fresh.observe()).metadata.title).toBe('Home');
  });

  it('answers NAVIGATION_FAILED with the reason if a certificate is not valid, and goes on', async () => {
    await using secure = await servePageOverTls('<title>Secret</title>');
    await expect(agent.observe(secure.url)).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: expect.stringContaining('its certificate is not valid'),
    });
    expect((await agent.observe(`${pages.url}/`)).metadata.title).toBe('Home');
  });

  it('observes an address that could not be opened as that address with an empty list', async () => {
    await expect(agent.observe('http://nope.invalid/')).rejects.toMatchObject({ code: 'NAVIGATION_FAILED' });
    const { metadata, space } = await agent.observe();
    expect(metadata).toMatchObject({ url: 'http://nope.invalid/', title: '', httpStatus: null });
    expect(space?.description).toMatch(/could not open "http:\/\/nope\.invalid\//);
    expect(space?.actions).toEqual([]);
  });

  it('answers ACTION_STALE if the element is removed while the step waits for it', async () => {
    await agent.observe(`${pages.url}/vanishing`);
    await expect(agent.step(/Below/)).rejects.toMatchObject({
      code: 'ACTION_STALE',
      message: expect.stringContaining('went away while the step waited'),
    });
  });

  it('observes a frame that was removed and inserted again', async () => {
    // A busy machine may load a frame later than an operation waits for it.
    const inside = () => agent.lastObservation.space?.actions.find(({ name }) => name === 'Inside');
    const isListed = async () => {
      while (inside() === undefined) await agent.observe();
    };
    await agent.observe(`${pages.url}/reframed`);
    await isListed();
    expect(inside()?.frame).toBe(`${pages.url}/framed`);
    await agent.step(/Again/);
    await isListed();
    await agent.step(/Inside/);
    expect(agent.lastObservation.metadata.title).toBe('pressed');
  });

  it('does not wait for the responses to polling', async () => {
    await agent.observe(`${pages.url}/poll`);
    expect((await agent.step(/Go/)).metadata.title).toBe('done');
  });

  it('answers ACTION_BLOCKED for a read-only field, and lists the value of a combobox', async () => {
    await agent.observe(`${pages.url}/fields`);
    await expect(agent.step(/Fixed/, 'new')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect(agent.find(/Fruit/).value).toBe('Kiwi');
  });

  it('S14 without a value accepts a prompt with its default value', async () => {
    await agent.observe(`${pages.url}/dialogs`);
    await agent.step(/Ask/);
    expect((await agent.step('S14')).metadata.title).toBe('Bob');
  });

  it.each([
    ['observe', (url: string) => agent.observe(url)],
    ['S1', (url: string) => agent.step('S1', url)],
    ['scrape', (url: string) => agent.scrape(url)],
  ])('accepts the beforeunload dialog of a page when %s opens another address', async (_name, open) => {
    await agent.observe(`${pages.url}/asks`);
    // Chromium shows the dialog only after a user gesture.
    await agent.step(/Stay/);
    expect((await open(`${pages.url}/`)).metadata.title).toBe('Home');
  });

  it('shows the beforeunload dialog when a click leaves the page', async () => {
    await agent.observe(`${pages.url}/asks`);
    await agent.step(/Stay/);
    const { space } = await agent.step(/Home/);
    expect(space?.dialog?.kind).toBe('beforeunload');
    expect((await agent.step('S14')).metadata.title).toBe('Home');
  });

  it('is not taken for one that loads after S15 has kept the page', async () => {
    await agent.observe(`${pages.url}/asks`);
    await agent.step(/Stay/);
    await agent.step(/Home/);
    expect((await agent.step('S15')).metadata.title).toBe('Asks');
    // While a page loads, its text is not looked for.
    expect((await agent.step('S24', 'text "Stay"', { waitMs: 5_000 })).metadata.title).toBe('Asks');
  });

  it('reports a dialog that opens just after the click', async () => {
    await agent.observe(`${pages.url}/dialogs`);
    expect((await agent.step(/Later/)).space?.dialog?.message).toBe('late');
  });
});
