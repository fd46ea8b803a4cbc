import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const LOOP = "for (;;) alert('again')";
const HOSTILE: Readonly<Record<string, string>> = {
  'two alerts in a row': `<script>alert(1); alert(2)</script>`,
  'an endless loop of alerts': `<script>${LOOP}</script>`,
  'an endless loop of confirms after its load': `<script>onload = () => { for (;;) confirm('again') }</script>`,
  'an alert every 5 ms': `<script>setInterval(() => alert('again'), 5)</script>`,
  'a loop of alerts in a frame': `<iframe srcdoc="<script>${LOOP}</script>"></iframe>`,
  'alerts while it is left': `<script>alert('here'); for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])
    addEventListener(type, () => { ${LOOP} })</script>`,
  'a loop of print': `<script>for (let i = 0; i < 50; i++) print(); alert('printed')</script>`,
  'a loop that catches everything': `<script>const f = () => { try { ${LOOP} } finally { f() } }; f()</script>`,
};
const KINDS = Object.keys(HOSTILE);
/** Windows that block their opener, whose process they share: the script of the opener's button. */
const WINDOWS: Readonly<Record<string, string>> = {
  'a loop of alerts': `window.open('/loop')`,
  'a loop of prompts that begins late': `window.open('/late')`,
  'a loop that its opener has written': `window.open('').document.write('<script>${LOOP.replaceAll("'", '&quot;')}</' + 'script>')`,
  'a loop without dialogs': `window.open('/spins')`,
};
const WINDOW_KINDS = Object.keys(WINDOWS);

const hostile = (request: IncomingMessage, response: ServerResponse, body: string) => {
  const other = `http://${(request.headers.host ?? '').replace('127.0.0.1', 'localhost')}`;
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><title>Hostile</title><button onclick="document.title = 'pressed'">Press</button>
    <button onclick="${LOOP}">Loop</button><button onclick="alert('one'); document.title = 'after'">One</button>${body.replace('OTHER', other)}`);
};
const PAGES = {
  '/': '<title>Home</title><button onclick="document.title = \'pressed\'">Press</button>',
  '/loop': `<script>${LOOP}</script>`,
  '/plain': (request: IncomingMessage, response: ServerResponse) => hostile(request, response, ''),
  '/timer': `<title>Timer</title><button onclick="document.title = 'pressed'">Press</button><button onclick="setInterval(() => alert('timer'), 500)">Start</button>`,
  // The page calls alert before it answers the call that scrolls it.
  '/scrolled': `<title>Scrolled</title><body style="height: 9000px"><script>addEventListener('scroll', () => alert('scrolled'), { once: true })</script>`,
  '/late': (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<title>Late</title>');
    setTimeout(() => response.end("<script>for (;;) prompt('again')</script>"), 50);
  },
  '/spins': '<title>Spins</title><script>for (;;);</script>',
  ...Object.fromEntries(
    WINDOW_KINDS.map((kind, index) => [
      `/opener/${index}`,
      `<title>Opener</title><button onclick="${WINDOWS[kind]}">Popup</button><button onclick="document.title = 'pressed'">Press</button>`,
    ]),
  ),
  ...Object.fromEntries(
    KINDS.map((kind, index) => [
      `/hostile/${index}`,
      (request: IncomingMessage, response: ServerResponse) => hostile(request, response, HOSTILE[kind] ?? ''),
    ]),
  ),
};

describe('A page that opens dialogs without end', () => {
  const { pages, agent, started } = pageHarness(PAGES, {
    operationTimeoutMs: 60_000,
    navigationTimeoutMs: 30_000,
    // Each loop uses so much of the processor before it is ended.
    scriptTimeoutMs: 150,
  });
  const title = () => agent.lastObservation.metadata.title;
  const dialog = () => agent.lastObservation.space?.dialog?.message;

  it.each(KINDS.map((kind, index) => [kind, index] as const))(
    'can be opened and left for another address: %s',
    async (_kind, index) => {
      const url = `${pages.url}/hostile/${index}`;
      expect((await agent.observe(url)).metadata.url).toBe(url);
      expect((await agent.observe(`${pages.url}/`)).metadata.title).toBe('Home');
      await agent.step(/Press/);
      expect(title()).toBe('pressed');
    },
  );

  it('S1 leaves it', async () => {
    await agent.observe(`${pages.url}/loop`);
    expect((await agent.step('S1', `${pages.url}/`)).metadata.title).toBe('Home');
  });

  it('a scrape with a URL answers that page or a failure, and the session goes on', async () => {
    await expect(agent.scrape(`${pages.url}/loop`)).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect((await agent.scrape(`${pages.url}/plain`)).data?.text).toContain('Press');
  });

  it('shows each dialog to a caller who answers them', async () => {
    await agent.observe(`${pages.url}/hostile/0`);
    expect(dialog()).toBe('1');
    await agent.step('S14');
    expect(dialog()).toBe('2');
    await agent.step('S15');
    expect([dialog(), title()]).toEqual([undefined, 'Hostile']);
  });

  it('fails a step on it with ACTION_BLOCKED, never with a step that did nothing', async () => {
    await agent.observe(`${pages.url}/plain`);
    const press = agent.find(/Press/).id;
    await agent.step(/Loop/);
    expect(dialog()).toBe('again');
    await expect(agent.step(press)).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect((await agent.observe(`${pages.url}/`)).metadata.title).toBe('Home');
  });

  // The window is closed, or is a tab with a dialog or without: that depends on when its script begins.
  it.each(WINDOW_KINDS.map((kind, index) => [kind, index] as const))(
    'neither holds nor disables the page that has opened its window: %s',
    async (_kind, index) => {
      const opener = await startAgentDriver(started);
      await opener.observe(`${pages.url}/opener/${index}`);
      const { metadata } = await opener.step(/Popup/);
      if (metadata.tabs.length > 1) await opener.step('S13');
      expect(opener.lastObservation.metadata.title).toBe('Opener');
      await opener.step(/Press/);
      expect(opener.lastObservation.metadata.title).toBe('pressed');
      await opener.close();
    },
  );

  it('ends a step that scrolls with the dialog that opens meanwhile', async () => {
    await agent.observe(`${pages.url}/scrolled`);
    await agent.step('S9', '100');
    expect(dialog()).toBe('scrolled');
  });

  it('has no screenshot while a dialog is open', async () => {
    const { service, viewer } = started;
    const command = {
      ...{ sessionId: agent.sessionId, keepAlive: null, timeoutMinutes: null, screenshot: true, space: true },
      ...{ limits: { max: 10, min: null }, data: null, signal: new AbortController().signal },
    };
    for (const url of [`${pages.url}/loop`, null]) {
      const { screenshot, space } = await service.observe(viewer, { ...command, url });
      expect([screenshot, space?.dialog?.message]).toEqual([null, 'again']);
    }
  });

  it('lets a step be done between dialogs that a timer repeats', async () => {
    await agent.observe(`${pages.url}/timer`);
    const press = agent.find(/Press/).id;
    await agent.step(/Start/);
    await expect.poll(async () => (await agent.observe()).space?.dialog?.message).toBe('timer');
    await agent.step(press);
    expect(title()).toBe('pressed');
  });
});
