/** Canaries of `playwrightInternals.ts` for formats and for the start of a browser. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { chromium, selectors } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import * as internals from '../../../src/browser/cdp/playwrightInternals.ts';
import { launchTestChromium } from '../../support/testChromium.ts';
import { canaryPage, errorOf } from './canaryPage.ts';

const { browserSession, pages, context, page, session } = canaryPage({
  '/': '<title>Home</title><p>text</p>',
});
beforeAll(async () => {
  const found = 'globalThis.canary ? [document.body] : []';
  const engine = `({ query: () => (${found})[0] ?? null, queryAll: () => ${found} })`;
  await selectors.register('canary', engine, { contentScript: true });
});

it('UTILITY_WORLD_PREFIX: selector engines with contentScript run in the world with this name', async () => {
  const contextId = Promise.withResolvers<number>();
  session.on('Runtime.executionContextCreated', ({ context: created }) => {
    if (created.name.startsWith(internals.UTILITY_WORLD_PREFIX)) contextId.resolve(created.id);
  });
  await session.send('Runtime.enable');
  const params = { expression: 'globalThis.canary = true', contextId: await contextId.promise };
  expect(await page.locator('canary=x').count()).toBe(0);
  await session.send('Runtime.evaluate', params);
  expect(await page.locator('canary=x').count()).toBe(1);
});

it('rendererPidOf: the ids of requests and searches name the process of the page', async () => {
  const requestId = new Promise<string>(resolve => {
    session.on('Network.requestWillBeSent', event => {
      if (event.type === 'Fetch') resolve(event.requestId);
    });
  });
  await session.send('Network.enable');
  await page.goto(`${pages.url}/`);
  await page.evaluate(() => fetch('/'));
  await session.send('DOM.enable');
  const { searchId } = await session.send('DOM.performSearch', { query: '-' });
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  expect(renderers).toContain(internals.rendererPidOf(await requestId));
  expect(renderers).toContain(internals.rendererPidOf(searchId));
});

it('refusedUrlOf: Chromium logs the addresses that it refuses to open from a page', async () => {
  const refused = new Promise<string | null>(resolve => {
    session.on('Log.entryAdded', ({ entry }) => resolve(internals.refusedUrlOf(entry.text)));
  });
  await session.send('Log.enable');
  await page.goto(`${pages.url}/`);
  await page.evaluate(() => void location.assign('file:///etc/hosts'));
  expect(await refused).toBe('file:///etc/hosts');
});

it('isDialogBlocked: Chromium opens no dialog for a handler of beforeunload, and logs its text', async () => {
  const blocked: string[] = [];
  session.on('Log.entryAdded', ({ entry }) => {
    if (internals.isDialogBlocked(entry.text)) blocked.push(entry.text);
  });
  await session.send('Log.enable');
  await page.goto(`${pages.url}/`);
  // Chromium runs the handlers only of a page that has had an input.
  await page.mouse.click(5, 5);
  await page.evaluate(() =>
    addEventListener('beforeunload', () => {
      alert('one\ntwo');
      confirm('three');
      prompt('four');
    }),
  );
  await page.goto(`${pages.url}/`);
  expect(blocked.map(text => /one\ntwo|three|four/.exec(text)?.[0])).toEqual(['one\ntwo', 'three', 'four']);
});

it('BLOB_INTERNALS_URL and blobBytesOf: the page gives the length of every blob', async () => {
  await page.evaluate(() => Object.assign(window, { kept: new Blob(['x'.repeat(123_456)]) }));
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const opened = context.waitForEvent('page');
  await browserSession.send('Target.createTarget', {
    url: internals.BLOB_INTERNALS_URL,
    browserContextId: targetInfo.browserContextId ?? '',
  });
  const list = await opened;
  await list.waitForURL(internals.BLOB_INTERNALS_URL);
  const lines = await list.locator('li').allTextContents();
  expect(lines.map(internals.blobBytesOf)).toContain(123_456);
});

it('MIN_PLAYWRIGHT_TIMEOUT_MS: an action on a crashed page ends in time', async () => {
  const crash = new Promise(resolve => page.once('crash', resolve));
  page.goto('chrome://crash').catch(() => {});
  await crash;
  const error = await errorOf(page.locator('p').click({ timeout: internals.MIN_PLAYWRIGHT_TIMEOUT_MS }));
  expect(internals.isTargetGone(error) || internals.isTimeout(error)).toBe(true);
});

it('isDocumentRequest: the ids of the main request are equal, those of others are not', async () => {
  const requests: { readonly url: string; readonly isDocument: boolean }[] = [];
  session.on('Network.requestWillBeSent', event => {
    requests.push({ url: event.request.url, isDocument: internals.isDocumentRequest(event) });
  });
  await session.send('Network.enable');
  await page.goto(`${pages.url}/`);
  await page.evaluate(() => fetch('/data'));
  expect(requests).toEqual([
    { url: `${pages.url}/`, isDocument: true },
    { url: `${pages.url}/data`, isDocument: false },
  ]);
});

it('interceptBrowserPipe, EVENT_HEAD, RESPONSE_HEAD, SESSION_TAIL: Playwright reads the inserted stream', async () => {
  const markerFlag = '--canary=1';
  let output = '';
  let firstCall = '';
  using _interception = internals.interceptBrowserPipe(markerFlag, (pipe, input) => {
    const write = input.write.bind(input) as (chunk: unknown) => boolean;
    input.write = ((chunk: unknown) => {
      firstCall ||= String(chunk);
      return write(chunk);
    }) as typeof input.write;
    pipe.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
    return pipe.pipe(new PassThrough());
  });
  const launched = await launchTestChromium([markerFlag]);
  await launched.newPage();
  await launched.close();
  expect(JSON.parse(firstCall)).toMatchObject({ id: 1, method: 'Browser.getVersion' });
  const messages = output
    .split('\0')
    .slice(0, -1)
    .map(message => `${message}\0`);
  const parsed = messages.map(message => JSON.parse(message.slice(0, -1)));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.map(message => internals.EVENT_HEAD.exec(message)?.[1])).toEqual(
    parsed.map(one => one.method),
  );
  // The call that closes the browser has a negative id; its response is short and never dropped.
  expect(messages.map(message => internals.RESPONSE_HEAD.exec(message)?.[1])).toEqual(
    parsed.map(one => (one.id >= 0 ? String(one.id) : undefined)),
  );
  expect(messages.map(message => internals.SESSION_TAIL.exec(message)?.[1])).toEqual(
    parsed.map(one => one.sessionId),
  );
});

it('chromiumOutputOf, IPC_FLOODING_ARGUMENT: the error of a failed launch has the arguments and the output', async () => {
  const error = await errorOf(chromium.launch({ executablePath: '/bin/ls' }));
  const message = stripVTControlCharacters(String(error));
  expect(message).toContain(internals.IPC_FLOODING_ARGUMENT);
  expect(internals.chromiumOutputOf(message).length).toBeGreaterThan(0);
});
