import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({}, { trustedProxies: 1 });
});
afterAll(() => product[Symbol.asyncDispose]());

let callers = 0;
/** Callers of their own network each, lest they share its limits. */
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
  '%s takes no body that is longer than a message and its signature',
  async path => {
    expect(await caller()(path, { message: 'x'.repeat(60_000) })).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
  },
);

describe('what is refused is counted against its address, as keys that are refused', () => {
  const told = async (ask: () => Promise<ApiResponse>) => {
    const answers = await Promise.all(Array.from({ length: 130 }, ask));
    return answers.filter(answer => answer.status === 429).length;
  };

  test('visits that are made up, at /graphql', async () => {
    const ask = caller({ cookie: MADE_UP });
    expect(await told(() => ask('/graphql', { query }))).toBe(10);
  });

  test('visits that are made up, at /wallet/visit', async () => {
    const ask = caller({ cookie: MADE_UP });
    expect(await told(() => ask('/wallet/visit', {}))).toBe(10);
  });

  test('messages that nobody was given', async () => {
    const ask = caller();
    expect(await told(() => ask('/wallet/sign-in', { message: 'x', signature: '0x' }))).toBe(10);
  });

  test('whoever has a good visit is let in all the same', async () => {
    const ask = caller();
    const cookie = await visit(ask);
    await told(() => ask('/graphql', { query }, { cookie: MADE_UP }));
    expect((await ask('/graphql', { query }, { cookie })).body.data.viewer.keyId).toMatch(/^wallet:/);
  });
});

async function visit(ask: ReturnType<typeof caller>): Promise<string> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { message } = (await ask('/wallet/challenge', { address: wallet.address })).body;
  const answer = await ask('/wallet/sign-in', { message, signature: await wallet.signMessage({ message }) });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('a message is refused, however well it is signed,', () => {
  test.each<[string, (message: string) => string]>([
    ['with another statement', message => message.replace(/^Sign in .*$/m, 'Give everything away.')],
    ['with a line more', message => `${message}\nResources:\n- https://evil.example/`],
    ['with an empty line more', message => `${message}\n`],
    ['with lines that end otherwise', message => message.replaceAll('\n', '\r\n')],
    ['with a domain that looks the same', message => message.replace('127.0.0.1', '127.0.0.\u0031\u200b')],
    ['with a domain behind a user', message => message.replace(/^/, 'evil.example@')],
    ['with two nonces', message => message.replace(/^(Nonce: )(\w+)$/m, '$1$2\n$1b$2')],
    ['with a text before it', message => `I agree.\n${message}`],
  ])('%s', async (_how, change) => {
    const ask = caller();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const given = (await ask('/wallet/challenge', { address: wallet.address })).body.message;
    const message = change(given);
    expect(message).not.toBe(given);
    const signature = await wallet.signMessage({ message });
    const answer = await ask('/wallet/sign-in', { message, signature });
    expect(answer).toMatchObject({ status: 403, body: { code: 'WALLET_REFUSED' } });
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

test.each(['*/*', 'text/*', 'multipart/mixed', 'application/json, */*;q=0.1'])(
  'a visit opens no stream, also for one that accepts %s',
  async accept => {
    const ask = caller();
    const cookie = await visit(ask);
    const watch = 'subscription { sessionStatusChanged { id } }';
    const answer = await ask('/graphql', { query: watch }, { cookie, accept });
    expect(answer.status).toBe(406);
  },
);
