import { once } from 'node:events';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { restRoutes } from '../../../src/api/rest/restRouteTable.ts';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

/** Requests that a page of another site can make a browser send, with the cookie of a user who is signed in here. */

let product: TestProduct;
let cookie: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  const wallet = privateKeyToAccount(generatePrivateKey());
  const ask = (path: string, body: object) =>
    callApi(product.url, 'POST', path, { body, headers: { origin: product.url } });
  const { message } = (await ask('/wallet/challenge', { address: wallet.address })).body;
  const response = await ask('/wallet/sign-in', {
    message,
    signature: await wallet.signMessage({ message }),
  });
  cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(() => product[Symbol.asyncDispose]());

const CREATE = JSON.stringify({ query: 'mutation { createApiKey(input: {name: "stolen"}) { key } }' });

async function keys(): Promise<unknown[]> {
  const body = { query: '{ viewer { account { keys { name } } } }' };
  const response = await callApi(product.url, 'POST', '/graphql', {
    body,
    headers: { cookie, origin: product.url },
  });
  return response.body.data.viewer.account.keys;
}

async function assertRefused(send: () => Promise<ApiResponse>, code: string): Promise<void> {
  const response = await send();
  expect(response.text).toContain(`"${code}"`);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(await keys()).toEqual([]);
}

describe.each(['https://evil.example', 'null', 'http://127.0.0.1', 'http://localhost:4000'])(
  'A page of %s',
  origin => {
    // The types that a form or a script can send without a preflight (Fetch, "CORS-safelisted").
    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
    ])('cannot create a key with a POST of type %s', type =>
      assertRefused(
        () =>
          callApi(product.url, 'POST', '/graphql', {
            body: CREATE,
            headers: { cookie, origin, 'content-type': type },
          }),
        'ORIGIN_REFUSED',
      ),
    );

    test('cannot sign the user out', async () => {
      await assertRefused(
        () => callApi(product.url, 'POST', '/wallet/sign-out', { body: {}, headers: { cookie, origin } }),
        'ORIGIN_REFUSED',
      );
    });
  },
);

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'A form of the own origin cannot create a key: %s',
  type =>
    assertRefused(
      () =>
        callApi(product.url, 'POST', '/graphql', {
          body: CREATE,
          headers: { cookie, origin: product.url, 'content-type': type },
        }),
      'UNSUPPORTED_MEDIA_TYPE',
    ),
);

test('The cookie is refused without an Origin header', () =>
  assertRefused(
    () => callApi(product.url, 'POST', '/graphql', { body: CREATE, headers: { cookie } }),
    'ORIGIN_REFUSED',
  ));

test('The cookie does not count for GET', () =>
  assertRefused(
    () =>
      callApi(product.url, 'GET', `/graphql?query=${encodeURIComponent('{ viewer { keyId } }')}`, {
        headers: { cookie, origin: product.url },
      }),
    'MISSING_API_KEY',
  ));

const openSocket = (origin: string) =>
  new WebSocket(`${product.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { cookie, origin },
  });

test('The cookie does not count for a WebSocket of the own page', async () => {
  const socket = openSocket(product.url);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([4403, 'MISSING_API_KEY']);
});

test('A page of another site opens no WebSocket', async () => {
  const [, response] = await once(openSocket('https://evil.example'), 'unexpected-response');
  expect(response.statusCode).toBe(403);
});

const PATHS = [
  ...restRoutes.map(route => route.path.replaceAll(/\{\w+\}/g, 'x')),
  ...['/graphql', '/wallet/challenge', '/wallet/sign-in', '/wallet/visit', '/wallet/sign-out'],
  ...['/', '/docs', '/openapi.json', '/failures', '/health', '/ready', '/metrics', '/nothing'],
];

describe.each(PATHS)('%s', path => {
  const origin = 'https://evil.example';

  test('sends no CORS header, with or without a preflight', async () => {
    const asking = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    for (const [method, headers] of [
      ['OPTIONS', asking],
      ['GET', { origin }],
      ['POST', { origin }],
    ] as const) {
      const response = await callApi(product.url, method, path, { headers });
      const corsHeaders = [...response.headers.keys()].filter(name => name.startsWith('access-control-'));
      expect(corsHeaders).toEqual([]);
      if (method === 'OPTIONS') expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('has the security headers, also on failures', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { headers } = await callApi(product.url, method, path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});
