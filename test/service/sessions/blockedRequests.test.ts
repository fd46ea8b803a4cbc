import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
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

const { started, pages, agent } = pageHarness(
  { '/': scripted, '/redirect': redirecting },
  { agent: 'for each test' },
);

async function blocked(): Promise<readonly { url: string; reason: string }[]> {
  const stored = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
  return stored.flatMap(({ event }) =>
    event.type === 'blocked' ? [{ url: event.url, reason: event.reason }] : [],
  );
}

async function tries(script: string): Promise<void> {
  await agent.observe(`${pages.url}/?script=${encodeURIComponent(script)}`);
  await agent.step(/Try/);
}

const BY_LOCATION = [
  'file:///etc/passwd',
  'chrome://version/',
  'devtools://devtools/bundled/inspector.html',
  'view-source:http://127.0.0.1/',
  'data:text/html,x',
  'filesystem:http://127.0.0.1/temporary/x',
  'ftp://127.0.0.1/',
  'mailto:a@open.test',
];

describe('what the browser refuses to a page', () => {
  test.each(BY_LOCATION)('leaves a blocked event when the page goes to %s', async url => {
    await tries(`location.href = '${url}'`);
    await expect
      .poll(blocked)
      .toEqual([{ url, reason: `${new URL(url).protocol} is not a web scheme` }]);
  });

  test.each([
    ['a window', `window.open('URL')`],
    ['a link', `Object.assign(document.createElement('a'), { href: 'URL' }).click()`],
    ['a form', `document.forms[0].action = 'URL'; document.forms[0].submit()`],
    ['a frame', `document.body.append(Object.assign(document.createElement('iframe'), { src: 'URL' }))`],
    ['an image', `document.body.append(Object.assign(new Image(), { src: 'URL' }))`],
  ])('leaves one when it is tried by %s', async (_way, script) => {
    await tries(script.replace('URL', 'file:///etc/passwd'));
    await expect.poll(blocked).toMatchObject([{ url: 'file:///etc/passwd' }]);
  });

  test('is told once, however often it is tried', async () => {
    await tries(`for (let i = 0; i < 50; i++) location.href = 'file:///etc/passwd'; window.open('ftp://x/')`);
    await expect
      .poll(async () => (await blocked()).map(({ url }) => url))
      .toEqual(['file:///etc/passwd', 'ftp://x/']);
  });

  test('is told of 256 addresses at most', async () => {
    await tries(
      `for (let i = 0; i < 300; i++) document.body.append(Object.assign(new Image(), { src: 'file:///' + i }))`,
    );
    await expect.poll(async () => (await blocked()).length).toBe(256);
    await agent.observe();
    expect(await blocked()).toHaveLength(256);
  });

  test('is not what a page only writes to its console', async () => {
    await tries(
      `console.error('Not allowed to load local resource: file:///etc/passwd'); window.open('javascript:void 0'); window.open('ftp://x/')`,
    );
    await expect.poll(async () => (await blocked()).map(({ url }) => url)).toEqual(['ftp://x/']);
  });
});

describe('a redirect', () => {
  const REDIRECTS = ['file:///etc/passwd', 'chrome://version/', 'data:text/html,x', 'ftp://x/', 'mailto:a@b'];
  test.each(REDIRECTS)('to %s is refused as that address is', async url => {
    const opening = agent.observe(`${pages.url}/redirect?to=${encodeURIComponent(url)}`);
    await expect(opening).rejects.toMatchObject({ code: 'URL_BLOCKED' });
  });

  test('to a file says which', async () => {
    const opening = agent.observe(`${pages.url}/redirect?to=${encodeURIComponent('file:///etc/passwd')}`);
    await expect(opening).rejects.toThrow(
      'file:///etc/passwd may not be opened, because file: is not a web scheme.',
    );
  });

  test('to a port that browsers block is refused', async () => {
    const to = encodeURIComponent('http://127.0.0.1:22/');
    await expect(agent.observe(`${pages.url}/redirect?to=${to}`)).rejects.toMatchObject({
      code: 'URL_BLOCKED',
      message: expect.stringContaining('port'),
    });
  });

  test('that was refused does not stand in the way of the next page', async () => {
    await agent.observe(`${pages.url}/redirect?to=file:///x`).catch(() => {});
    expect((await agent.observe(`${pages.url}/?script=0`)).metadata.title).toBe('Tries');
  });
});
