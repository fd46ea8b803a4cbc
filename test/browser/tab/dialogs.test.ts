import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** Makes the page at /closes close the window that it has opened. */
let closeWindow = (): unknown => null;

const PAGES = {
  '/two': '<title>Two</title><button onclick="opener?.begin?.()">Other</button>',
  // The opened page begins the dialogs: it is the active one by then.
  '/behind': `<title>One</title><button onclick="window.open('/two')">Open</button>
    <script>function begin() { setTimeout(() => { alert('Behind'); document.title = 'Went on' }, 1) }</script>`,
  '/at-once': `<title>One</title><button onclick="window.open('/two'); alert('At once')">Open</button>`,
  '/long': `<title>Long</title><button onclick="document.title = prompt('Name?', 'x'.repeat(2e7)).length">Ask</button>`,
  '/spins': `<title>One</title><button onclick="window.open('/two'); for (;;);">Open</button>`,
  '/framed': `<title>Framed</title><button onclick="setTimeout(() => frames[0].ask(), 1)">Ask</button><iframe src="/asks"></iframe>`,
  '/asks': `<script>function ask() { parent.document.title = prompt('In a frame?') }</script>`,
  '/opens': `<title>Opens</title><button onclick="window.open('/framed')">Open</button>`,
  '/closes': `<title>Closes</title><button onclick="w = window.open(location.origin.replace('127.0.0.1', 'localhost') + '/framed')">Open</button>
    <script>let w; new EventSource('/closing').onmessage = () => w.close()</script>`,
  '/closing': (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    closeWindow = () => response.write('data: now\n\n');
  },
  '/asks-twice': `<title>One</title><button>Other</button><button onclick="if (confirm('Really?')) this.remove()">Delete</button>`,
  '/again': `<title>One</title><button onclick="window.open('/two')">Open</button>
    <script>function begin() { setInterval(() => confirm('Again'), 50) }</script>`,
};

const { pages, started, agent } = pageHarness(PAGES, { agent: 'for each test', scriptTimeoutMs: 300 });

const dialogs = async () => {
  const events = await started.service.events(started.viewer, agent.sessionId, 0, 100);
  return events.flatMap(({ event }) => (event.type === 'dialog' ? [event.message] : []));
};

describe('A dialog that a step opens', () => {
  it('is what the difference tells, and the actions of the page are neither gone nor new after it', async () => {
    await agent.observe(`${pages.url}/asks-twice`);
    const difference = async (action: string | RegExp): Promise<string> => {
      const { diff } = await agent.step(action, null, { diffSince: 'last' });
      return diff === null ? '' : diffMarkdown(diff);
    };
    expect(await difference(/Delete/)).toBe('Open confirm: "Really?"');
    expect(await difference('S14')).toMatch(/^- B2$/m);
    expect(agent.lastObservation.diff?.added).toEqual([]);
  });

  it('stays open for the answer if the step asks for the content too, and S2 dismisses it', async () => {
    await agent.observe(`${pages.url}/asks-twice`);
    const asked = await agent.step(/Delete/, null, { readsContent: true });
    expect(asked).toMatchObject({ space: { dialog: { message: 'Really?' } }, data: null });
    await agent.step('S2');
    expect(agent.lastObservation).toMatchObject({ space: { dialog: null }, data: { text: 'Other Delete' } });
    await agent.step(/Delete/, null, { readsContent: true });
    const accepted = await agent.step('S14', null, { readsContent: true });
    expect(accepted.data?.text).toBe('Other');
  });
});

describe('A dialog of a page that opened another page', () => {
  it('is dismissed and reported as an event if the other page is the active one', async () => {
    await agent.observe(`${pages.url}/behind`);
    await agent.step(/Open/);
    await agent.step(/Other/);
    await expect.poll(dialogs).toEqual(['Behind']);
    const { metadata } = await agent.observe();
    expect(metadata.title).toBe('Two');
    expect((await agent.step('S12', 'T1')).metadata.title).toBe('Went on');
  });

  it('is shown if its own page is the active one', async () => {
    await agent.observe(`${pages.url}/at-once`);
    const { space } = await agent.step(/Open/);
    expect(space?.dialog?.message).toBe('At once');
    await agent.step('S14');
    expect(agent.lastObservation.space?.dialog).toBeNull();
  });

  it('does not block the other page, however often it opens', async () => {
    await agent.observe(`${pages.url}/again`);
    await agent.step(/Open/);
    await agent.step(/Other/);
    await expect.poll(async () => (await dialogs()).length).toBeGreaterThan(2);
    expect((await agent.observe()).metadata.title).toBe('Two');
  });
});

it('S14 answers a prompt with a default value of 20 million characters', async () => {
  await agent.observe(`${pages.url}/long`);
  const { space } = await agent.step(/Ask/);
  expect(space?.dialog).toMatchObject({ kind: 'prompt', message: expect.stringMatching(/too long/) });
  expect((await agent.step('S14', 'me')).metadata.title).toBe('2');
});

describe('A step on a page that opens another page', () => {
  it('answers within its timeout if the page then runs an endless loop', async () => {
    await agent.observe(`${pages.url}/spins`);
    expect((await agent.step(/Open/)).metadata.title).toMatch(/^(One|Two)$/);
  });
});

describe('A dialog of a frame', () => {
  it('is answered like one of the page', async () => {
    await agent.observe(`${pages.url}/framed`);
    expect((await agent.step(/Ask/)).space?.dialog).toMatchObject({ kind: 'prompt', message: 'In a frame?' });
    expect((await agent.step('S14', 'yes')).metadata.title).toBe('yes');
    expect((await agent.observe(`${pages.url}/two`)).metadata.title).toBe('Two');
  });

  it('does not end the browser when the opener closes its window while it is open', async () => {
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/two`);
    await agent.observe(`${pages.url}/closes`);
    await agent.step(/Open/);
    await expect.poll(async () => (await agent.observe()).metadata.title).toBe('Framed');
    await agent.step(/Ask/);
    expect(agent.lastObservation.space?.dialog?.message).toBe('In a frame?');
    closeWindow();
    expect((await neighbour.step(/Other/)).metadata.title).toBe('Two');
    // Chromium closes the window as soon as its dialog is answered.
    await agent.step('S14', 'yes');
    await expect.poll(async () => (await agent.observe()).metadata.title).toBe('Closes');
    expect((await neighbour.observe()).metadata.title).toBe('Two');
    expect(started.warnings).toEqual([]);
  });

  // Chromium's main process crashes here if two CDP sessions of the page have the domain `Page` enabled.
  it.each(['the session', 'its tab'])(
    'does not end the browser, and with it the other sessions, when %s closes while it is open',
    async what => {
      const neighbour = await startAgentDriver(started);
      await neighbour.observe(`${pages.url}/two`);
      await agent.observe(`${pages.url}/${what === 'its tab' ? 'opens' : 'framed'}`);
      if (what === 'its tab') await agent.step(/Open/);
      await expect.poll(async () => (await agent.observe()).metadata.title).toBe('Framed');
      await agent.step(/Ask/);
      expect(agent.lastObservation.space?.dialog?.message).toBe('In a frame?');
      if (what === 'the session') await agent.close();
      if (what === 'its tab') await agent.step('S13');
      expect((await neighbour.step(/Other/)).metadata.title).toBe('Two');
      expect(started.warnings).toEqual([]);
    },
  );
});
