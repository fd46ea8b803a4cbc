import { once } from 'node:events';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { restRoutes } from '../../../src/api/rest/routes/restRoutes.ts';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

/** What a page of another site can make a browser send, with the cookie of somebody who visits this one. */

let product: TestProduct;
let cookie: string;
beforeAll(async () => {
  product = await startTestProduct();
  const wallet = privateKeyToAccount(generatePrivateKey());
  const ask = (path: string, body: object) =>
    callApi(product.url, 'POST', path, { body, headers: { origin: product.url } });
  const { message } = (await ask('/wallet/challenge', { address: wallet.address })).body;
  const answer = await ask('/wallet/sign-in', { message, signature: await wallet.signMessage({ message }) });
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(() => product[Symbol.asyncDispose]());

const CREATE = JSON.stringify({ query: 'mutation { createApiKey(input: {name: "stolen"}) { key } }' });

async function keys(): Promise<unknown[]> {
  const body = { query: '{ viewer { account { keys { name } } } }' };
  const answer = await callApi(product.url, 'POST', '/graphql', {
    body,
    headers: { cookie, origin: product.url },
  });
  return answer.body.data.viewer.account.keys;
}

async function refused(send: () => Promise<ApiResponse>, code: string): Promise<void> {
  const answer = await send();
  expect(answer.text).toContain(`"${code}"`);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(await keys()).toEqual([]);
}

describe.each(['https://evil.example', 'null', 'http://127.0.0.1', 'http://localhost:4000'])(
  'a page of %s',
  origin => {
    // The types that a form or a script may send without asking first (Fetch, "CORS-safelisted").
    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
    ])('makes no key by a POST of %s', type =>
      refused(
        () =>
          callApi(product.url, 'POST', '/graphql', {
            body: CREATE,
            headers: { cookie, origin, 'content-type': type },
          }),
        'ORIGIN_REFUSED',
      ),
    );

    test('ends no visit', async () => {
      await refused(
        () => callApi(product.url, 'POST', '/wallet/sign-out', { body: {}, headers: { cookie, origin } }),
        'ORIGIN_REFUSED',
      );
    });
  },
);

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a form of our own page cannot do it either: %s',
  type =>
    refused(
      () =>
        callApi(product.url, 'POST', '/graphql', {
          body: CREATE,
          headers: { cookie, origin: product.url, 'content-type': type },
        }),
      'UNSUPPORTED_MEDIA_TYPE',
    ),
);

test('a request that does not say where it comes from has no use of the cookie', () =>
  refused(
    () => callApi(product.url, 'POST', '/graphql', { body: CREATE, headers: { cookie } }),
    'ORIGIN_REFUSED',
  ));

test('an address that is opened has no use of the cookie', () =>
  refused(
    () =>
      callApi(product.url, 'GET', `/graphql?query=${encodeURIComponent('{ viewer { keyId } }')}`, {
        headers: { cookie, origin: product.url },
      }),
    'MISSING_API_KEY',
  ));

test.each(['https://evil.example', null])('a WebSocket has no use of the cookie, opened by %s', async by => {
  const origin = by ?? product.url;
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { cookie, origin },
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([4403, 'MISSING_API_KEY']);
});

const PATHS = [
  ...restRoutes.map(route => route.path.replaceAll(/\{\w+\}/g, 'x')),
  ...['/graphql', '/wallet/challenge', '/wallet/sign-in', '/wallet/visit', '/wallet/sign-out'],
  ...['/', '/docs', '/openapi.json', '/failures', '/health', '/ready', '/metrics', '/nothing'],
];

describe.each(PATHS)('%s', path => {
  const origin = 'https://evil.example';

  test('is opened to no other origin, asked or not', async () => {
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
      const answer = await callApi(product.url, method, path, { headers });
      const told = [...answer.headers.keys()].filter(name => name.startsWith('access-control-'));
      expect(told).toEqual([]);
      if (method === 'OPTIONS') expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('is not to be framed, sniffed, referred to or read from elsewhere, also where it refuses', async () => {
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
