import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startPracticeShop } from '../../../src/demo/practiceShop.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let dashboard: ServedPages;
let stranger: ServedPages;

beforeAll(async () => {
  dashboard = await servePages({ '/': '<title>Dashboard</title>' });
  stranger = await servePages({ '/': '<title>Stranger</title>' });
  product = await startTestProduct({ browser: 'fake' }, { allowedOrigins: [dashboard.url] });
});
afterAll(async () => {
  for (const each of [product, dashboard, stranger]) await each[Symbol.asyncDispose]();
});

const preflight = (origin: string) =>
  fetch(`${product.url}/graphql`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

const open = (origin: string | null) =>
  new Promise<string>(resolve => {
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      ...(origin !== null && { headers: { origin } }),
    });
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    socket.on('error', () => undefined);
  });

describe('PAGESPACE_ALLOWED_ORIGINS', () => {
  it('lets a page of a named origin call HTTP, event streams and WebSockets with a key, in a real browser', async () => {
    await using shop = await startPracticeShop();
    const page = await (await sharedChromium()).newPage();
    try {
      await page.goto(dashboard.url);
      const result = await page.evaluate(
        async ({ url, key, shopUrl }) => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
          const rest = await fetch(`${url}/env/observe`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ url: shopUrl, keep_alive: true }),
          });
          const session = (await rest.json()).session.session_id;
          const stream = await fetch(`${url}/graphql`, {
            method: 'POST',
            headers: { ...headers, accept: 'text/event-stream' },
            body: JSON.stringify({
              query: `subscription { sessionStatusChanged(sessionId: "${session}") { status } }`,
            }),
          });
          const reader = stream.body?.getReader();
          let events = '';
          while (!events.includes('ACTIVE')) {
            const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
            if (done) break;
            events += new TextDecoder().decode(value);
          }
          await reader?.cancel();
          const socket = new globalThis.WebSocket(
            `${url.replace('http', 'ws')}/graphql`,
            'graphql-transport-ws',
          );
          const acknowledged = await new Promise(resolve => {
            socket.onopen = () =>
              socket.send(
                JSON.stringify({
                  type: 'connection_init',
                  payload: { authorization: `Bearer ${key}` },
                }),
              );
            socket.onmessage = event => resolve(JSON.parse(event.data).type);
            socket.onclose = () => resolve('closed');
          });
          socket.close();
          const withCookies = await fetch(`${url}/sessions`, { headers, credentials: 'include' }).then(
            () => 'answered',
            () => 'refused by the browser',
          );
          const deleted = await fetch(`${url}/session/close`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ session_id: session }),
          });
          return {
            rest: rest.status,
            requestId: rest.headers.get('x-request-id'),
            events,
            acknowledged,
            withCookies,
            closed: deleted.status,
          };
        },
        { url: product.url, key: product.key, shopUrl: shop.url },
      );
      expect(result).toMatchObject({
        rest: 200,
        requestId: expect.any(String),
        events: expect.stringContaining('ACTIVE'),
        acknowledged: 'connection_ack',
        withCookies: 'refused by the browser',
        closed: 200,
      });
    } finally {
      await page.close();
    }
  });

  it('answers the preflight of a named origin, and gives no other origin anything', async () => {
    const allowed = await preflight(dashboard.url);
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': dashboard.url,
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, POST, DELETE',
      vary: expect.stringContaining('origin'),
    });
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
    for (const origin of [stranger.url, 'null', `${dashboard.url}0`]) {
      const refused = await preflight(origin);
      expect(refused.status).toBe(405);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is the rule of WebSockets too: programs, own pages and named origins, nobody else', async () => {
    const { port } = new URL(product.url);
    expect(await open(null)).toBe('open');
    expect(await open(product.url)).toBe('open');
    expect(await open(dashboard.url)).toBe('open');
    for (const origin of [stranger.url, 'null', `http://localhost:${port}`, `https://127.0.0.1:${port}1`])
      expect({ origin, answer: await open(origin) }).toEqual({ origin, answer: '403' });
  });

  it('lets pages of a named origin use /mcp', async () => {
    const call = (origin: string) =>
      fetch(`${product.url}/mcp`, {
        method: 'POST',
        headers: {
          origin,
          authorization: `Bearer ${product.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          host: new URL(product.url).host,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await call(dashboard.url)).status).toBe(200);
    expect((await call('https://elsewhere.example')).status).toBe(403);
  });
});

describe('A stream of events', () => {
  it('tells nginx not to buffer it', async () => {
    const ending = new AbortController();
    const stream = await fetch(`${product.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: 'subscription { sessionStatusChanged { id } }' }),
      signal: ending.signal,
    });
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    ending.abort();
  });
});
