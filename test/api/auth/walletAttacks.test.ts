import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' }, { trustedProxies: 1 });
});
afterAll(() => product[Symbol.asyncDispose]());

let callers = 0;
/** Each caller has a network of its own, so that they share no limits. */
function caller(headers: Record<string, string> = {}) {
  const address = `203.0.113.${++callers}`;
  return (path: string, body: unknown, more: Record<string, string> = {}): Promise<ApiResponse> =>
    callApi(product.url, 'POST', path, {
      body,
      headers: { origin: product.url, 'x-forwarded-for': address, ...headers, ...more },
    });
}

const MADE_UP = `pagespace_visit=${'a'.repeat(43)}`;
const query = '{ viewer { keyId } }';

test.each(['/wallet/challenge', '/wallet/sign-in', '/wallet/visit', '/wallet/sign-out'])(
  'POST %s refuses a body that is longer than a message and its signature',
  async path => {
    expect(await caller()(path, { message: 'x'.repeat(60_000) })).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
  },
);

describe('Refused wallet requests count against the network of the caller:', () => {
  const rateLimited = async (ask: () => Promise<ApiResponse>) => {
    const responses = await Promise.all(Array.from({ length: 130 }, ask));
    return responses.filter(response => response.status === 429).length;
  };

  test('made-up cookies at /graphql', async () => {
    const ask = caller({ cookie: MADE_UP });
    expect(await rateLimited(() => ask('/graphql', { query }))).toBe(10);
  });

  test('made-up cookies at /wallet/visit', async () => {
    const ask = caller({ cookie: MADE_UP });
    expect(await rateLimited(() => ask('/wallet/visit', {}))).toBe(10);
  });

  test('messages that the service did not write', async () => {
    const ask = caller();
    expect(await rateLimited(() => ask('/wallet/sign-in', { message: 'x', signature: '0x' }))).toBe(10);
  });

  test('but a valid cookie still works', async () => {
    const ask = caller();
    const cookie = await signInCookie(ask);
    await rateLimited(() => ask('/graphql', { query }, { cookie: MADE_UP }));
    expect((await ask('/graphql', { query }, { cookie })).body.data.viewer.keyId).toMatch(/^wallet:/);
  });
});

async function signInCookie(ask: ReturnType<typeof caller>): Promise<string> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { message } = (await ask('/wallet/challenge', { address: wallet.address })).body;
  const response = await ask('/wallet/sign-in', {
    message,
    signature: await wallet.signMessage({ message }),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('POST /wallet/sign-in refuses a correctly signed message', () => {
  test.each<[string, (message: string) => string]>([
    ['with another statement', message => message.replace(/^Sign in .*$/m, 'Give everything away.')],
    ['with an added line', message => `${message}\nResources:\n- https://evil.example/`],
    ['with an added empty line', message => `${message}\n`],
    ['with other line endings', message => message.replaceAll('\n', '\r\n')],
    ['with a domain that looks the same', message => message.replace('127.0.0.1', '127.0.0.\u0031\u200b')],
    ['with a user name before the domain', message => message.replace(/^/, 'evil.example@')],
    ['with two nonces', message => message.replace(/^(Nonce: )(\w+)$/m, '$1$2\n$1b$2')],
    ['with a text before it', message => `I agree.\n${message}`],
  ])('%s', async (_how, change) => {
    const ask = caller();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const given = (await ask('/wallet/challenge', { address: wallet.address })).body.message;
    const message = change(given);
    expect(message).not.toBe(given);
    const signature = await wallet.signMessage({ message });
    const response = await ask('/wallet/sign-in', { message, signature });
    expect(response).toMatchObject({ status: 403, body: { code: 'WALLET_REFUSED' } });
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

test.each(['*/*', 'text/*', 'multipart/mixed', 'application/json, */*;q=0.1'])(
  'The cookie opens no event stream for Accept: %s',
  async accept => {
    const ask = caller();
    const cookie = await signInCookie(ask);
    const watch = 'subscription { sessionStatusChanged { id } }';
    const response = await ask('/graphql', { query: watch }, { cookie, accept });
    expect(response.status).toBe(406);
  },
);

test('POST /wallet/sign-in refuses a signed message in which any character was left out, repeated or replaced', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const challenge = async () =>
    (await caller()('/wallet/challenge', { address: wallet.address })).body.message;
  const { length } = await challenge();
  const changes = [
    (text: string, at: number) => text.slice(0, at) + text.slice(at + 1),
    (text: string, at: number) => text.slice(0, at) + text.slice(at, at + 1) + text.slice(at),
    (text: string, at: number) => `${text.slice(0, at)}x${text.slice(at + 1)}`,
  ];
  // Each line of the message is longer than ten characters.
  for (let at = 0; at < length; at += 10) {
    const message = changes[(at / 10) % changes.length]?.(await challenge(), at) ?? '';
    const response = await caller()('/wallet/sign-in', {
      message,
      signature: await wallet.signMessage({ message }),
    });
    expect([at, response.status, response.body.code]).toEqual([at, 403, 'WALLET_REFUSED']);
  }
  expect(product.logLines.filter(({ level }) => level >= 50)).toEqual([]);
});
