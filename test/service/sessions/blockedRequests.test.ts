import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const button = (script: string): string =>
  `<title>Tries</title><button onclick="${script}">Try</button><form></form>`;
const scripted = (request: IncomingMessage, response: ServerResponse): void => {
  const script = new URL(request.url ?? '', 'http://x').searchParams.get('script') ?? '';
  response.setHeader('content-type', 'text/html');
  response.end(button(script.replaceAll('"', '&quot;')));
};
const redirecting = (request: IncomingMessage, response: ServerResponse): void => {
  const location = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '';
  response.writeHead(302, { location }).end();
};

const { started, pages, agent } = pageHarness({ '/': scripted, '/redirect': redirecting });

async function blockedEvents(of = agent): Promise<readonly { url: string; reason: string }[]> {
  const stored = await started.service.events(started.viewer, of.sessionId, 0, 1_000);
  return stored.flatMap(({ event }) =>
    event.type === 'blocked' ? [{ url: event.url, reason: event.reason }] : [],
  );
}

async function runOnClick(script: string, by = agent): Promise<void> {
  await by.observe(`${pages.url}/?script=${encodeURIComponent(script)}`);
  await by.step(/Try/);
}

/** Runs the script on a click in a session of its own, whose events are then all of this script. */
async function runInOwnSession(script: string): Promise<AgentDriver> {
  const own = await startAgentDriver(started);
  await runOnClick(script, own);
  return own;
}

const REFUSED_URLS = [
  'file:///etc/passwd',
  'chrome://version/',
  'devtools://devtools/bundled/inspector.html',
  'view-source:http://127.0.0.1/',
  'data:text/html,x',
  'filesystem:http://127.0.0.1/temporary/x',
  'ftp://127.0.0.1/',
  'mailto:a@open.test',
];

describe('A session stores a blocked event', () => {
  test('when its page navigates to an address of another scheme than those of the web', async () => {
    // One after another: a navigation that has begun would be cancelled by the next one.
    await runOnClick(
      `const urls = ${JSON.stringify(REFUSED_URLS)}; const next = () => { location.href = urls.shift(); if (urls.length > 0) setTimeout(next, 50); }; next()`,
    );
    await expect
      .poll(() => blockedEvents())
      .toEqual(
        expect.arrayContaining(
          REFUSED_URLS.map(url => ({ url, reason: `${new URL(url).protocol} is not a web scheme` })),
        ),
      );
  });

  test('when its page opens a file with a window, a link, a form, a frame or an image', async () => {
    // A session reports each URL once.
    const ways = [
      `window.open('file:///etc/window')`,
      `Object.assign(document.createElement('a'), { href: 'file:///etc/link' }).click()`,
      `document.forms[0].action = 'file:///etc/form'; document.forms[0].submit()`,
      `document.body.append(Object.assign(document.createElement('iframe'), { src: 'file:///etc/frame' }))`,
      `document.body.append(Object.assign(new Image(), { src: 'file:///etc/image' }))`,
    ];
    await runOnClick(ways.join(';'));
    await expect
      .poll(async () => (await blockedEvents()).map(({ url }) => url))
      .toEqual(
        expect.arrayContaining(['window', 'link', 'form', 'frame', 'image'].map(way => `file:///etc/${way}`)),
      );
  });

  test('once for each URL that is refused many times', async () => {
    const own = await runInOwnSession(
      `for (let i = 0; i < 50; i++) location.href = 'file:///etc/passwd'; window.open('ftp://x/')`,
    );
    await expect
      .poll(async () => (await blockedEvents(own)).map(({ url }) => url))
      .toEqual(['file:///etc/passwd', 'ftp://x/']);
  });

  test('for at most 256 URLs', async () => {
    const own = await runInOwnSession(
      `for (let i = 0; i < 300; i++) document.body.append(Object.assign(new Image(), { src: 'file:///' + i }))`,
    );
    await expect.poll(async () => (await blockedEvents(own)).length).toBe(256);
    await own.observe();
    expect(await blockedEvents(own)).toHaveLength(256);
  });

  test('but not for a refusal that a page only writes to its console', async () => {
    const own = await runInOwnSession(
      `console.error('Not allowed to load local resource: file:///etc/passwd'); window.open('javascript:void 0'); window.open('ftp://x/')`,
    );
    await expect.poll(async () => (await blockedEvents(own)).map(({ url }) => url)).toEqual(['ftp://x/']);
  });
});

describe('observe, for a redirect', () => {
  const REDIRECTS = ['file:///etc/passwd', 'chrome://version/', 'data:text/html,x', 'ftp://x/', 'mailto:a@b'];
  test.each(REDIRECTS)('to %s, throws URL_BLOCKED', async url => {
    const opening = agent.observe(`${pages.url}/redirect?to=${encodeURIComponent(url)}`);
    await expect(opening).rejects.toMatchObject({ code: 'URL_BLOCKED' });
  });

  test('to a file, throws a message with the URL of the file', async () => {
    const opening = agent.observe(`${pages.url}/redirect?to=${encodeURIComponent('file:///etc/passwd')}`);
    await expect(opening).rejects.toThrow(
      '"file:///etc/passwd" may not be opened, because file: is not a web scheme.',
    );
  });

  test('to a port that browsers block, throws URL_BLOCKED', async () => {
    const to = encodeURIComponent('http://127.0.0.1:22/');
    await expect(agent.observe(`${pages.url}/redirect?to=${to}`)).rejects.toMatchObject({
      code: 'URL_BLOCKED',
      message: expect.stringContaining('port'),
    });
  });

  test('that was refused, leaves the session usable', async () => {
    await agent.observe(`${pages.url}/redirect?to=file:///x`).catch(() => {});
    expect((await agent.observe(`${pages.url}/?script=0`)).metadata.title).toBe('Tries');
  });
});
