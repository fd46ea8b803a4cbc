import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EgressHarness, startEgressHarness } from './egressHarness.ts';
import { connectRequest, exchangeBytes, portOfProxy, requestThrough } from './proxyClient.ts';

let harness: EgressHarness;
let opened: Awaited<ReturnType<EgressHarness['openContext']>>;
let page: Page;
/** The names of all headers that the site received, in lower case. */
const headerNames = new Set<string>();

beforeAll(async () => {
  harness = await startEgressHarness({
    site: (request, response, url) => {
      for (const name of Object.keys(request.headers)) headerNames.add(name);
      if (url.pathname === '/asks')
        response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="pagespace"' });
      else response.setHeader('Content-Type', 'text/html');
      response.end('<h1>the site</h1>');
    },
  });
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  opened = await harness.openContext();
  page = await opened.context.newPage();
  headerNames.clear();
  return () => opened[Symbol.asyncDispose]();
});

describe('A session proxy', () => {
  test('answers 407 to a request of another program, and connects to nothing', async () => {
    const { status } = await requestThrough(opened.proxy, `${harness.siteOrigin}/other`);
    expect(status).toBe(407);
    expect(harness.visits).not.toContain('/other');
  });

  test('answers 407 to a tunnel of another program, and connects to nothing', async () => {
    const answer = await exchangeBytes(portOfProxy(opened.proxy), connectRequest(harness.sitePort));
    expect(answer).toMatch(/^HTTP\/1\.1 407 /);
  });

  test('answers 407 to the credentials of another session', async () => {
    await using other = await harness.openContext();
    const { username, password } = other.proxy.credentials ?? { username: '', password: '' };
    const authorization = Buffer.from(`${username}:${password}`).toString('base64');
    const { status } = await requestThrough(opened.proxy, `${harness.siteOrigin}/other`, {
      headers: { 'proxy-authorization': `Basic ${authorization}` },
    });
    expect(status).toBe(407);
  });

  test('does not count the requests that it answers with 407', async () => {
    await requestThrough(opened.proxy, `${harness.siteOrigin}/other`);
    expect(opened.proxy.usage().requests).toBe(0);
  });

  test('answers the pages of its own context, and the site does not receive the credentials', async () => {
    await page.goto(`${harness.siteOrigin}/page`);
    expect(await page.textContent('h1')).toBe('the site');
    expect([...headerNames].filter(name => name.startsWith('proxy-'))).toEqual([]);
  });

  test('opens a tunnel for the pages of its own context', async () => {
    await page.goto(`${harness.siteOrigin}/page`);
    const opens = page.evaluate(
      url =>
        new Promise(resolve => {
          const socket = new WebSocket(url);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('error');
        }),
      `ws://127.0.0.1:${harness.sitePort}/socket`,
    );
    expect(await opens).toBe('open');
  });

  test('keeps its credentials when a site asks for proxy credentials', async () => {
    await page.goto(`${harness.siteOrigin}/page`);
    await page.evaluate(url => fetch(url).catch(() => null), `${harness.siteOrigin}/asks`);
    await page.goto(`${harness.siteOrigin}/asks`).catch(() => null);
    await page.goto(`${harness.siteOrigin}/page`);
    expect(await page.textContent('h1')).toBe('the site');
    expect([...headerNames].filter(name => name.startsWith('proxy-'))).toEqual([]);
  });
});
