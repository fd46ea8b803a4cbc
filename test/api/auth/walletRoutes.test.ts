import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

const clock = manualClock();
let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake', clock });
});
afterAll(() => product[Symbol.asyncDispose]());

const wallet = () => privateKeyToAccount(generatePrivateKey());
type Wallet = ReturnType<typeof wallet>;

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  callApi(product.url, 'POST', path, { body, headers: { origin: product.url, ...headers } });

async function messageFor({ address }: Wallet): Promise<string> {
  const response = await post('/wallet/challenge', { address });
  expect(response.status).toBe(200);
  return response.body.message;
}

const enter = (message: string, signature: string) => post('/wallet/sign-in', { message, signature });

async function signedIn(who: Wallet): Promise<string> {
  const message = await messageFor(who);
  const response = await enter(message, await who.signMessage({ message }));
  expect(response.status).toBe(200);
  return response.headers.get('set-cookie') ?? '';
}

const cookieOf = (set: string): string => set.split(';')[0] ?? '';

const ask = (query: string, cookie: string, headers: Record<string, string> = {}) =>
  post('/graphql', { query }, { cookie, ...headers });

const WHO = '{ viewer { keyId scopes account { id name tier } } }';

describe('POST /wallet/sign-in', () => {
  test('opens one account of the free tier for each wallet', async () => {
    const who = wallet();
    const first = (await ask(WHO, cookieOf(await signedIn(who)))).body.data.viewer;
    expect(first.account).toMatchObject({ name: who.address, tier: 'FREE' });
    expect(first.scopes).toContain('ADMIN');
    const second = (await ask(WHO, cookieOf(await signedIn(who)))).body.data.viewer;
    expect(second.account).toEqual(first.account);
    const other = (await ask(WHO, cookieOf(await signedIn(wallet())))).body.data.viewer;
    expect(other.account.id).not.toBe(first.account.id);
  });

  test('sets an HttpOnly cookie with SameSite=Strict', async () => {
    const set = await signedIn(wallet());
    expect(set).toMatch(/^pagespace_visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  });

  test('behind TLS sets a Secure cookie with the prefix __Host-', async () => {
    const origin = 'https://pages.example.com';
    await using tls = await startTestProduct({ browser: 'fake', clock }, { publicUrl: origin });
    const who = wallet();
    const at = (path: string, body: unknown) => callApi(tls.url, 'POST', path, { body, headers: { origin } });
    const { message } = (await at('/wallet/challenge', { address: who.address })).body;
    expect(message).toContain('pages.example.com wants you to sign in');
    const response = await at('/wallet/sign-in', { message, signature: await who.signMessage({ message }) });
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-pagespace_visit=.*; Secure$/);
  });
});

describe('POST /wallet/sign-in refuses a message', () => {
  const refusal = async (message: string, signature: string): Promise<string> => {
    const response = await enter(message, signature);
    expect(response).toMatchObject({ status: 403, body: { code: 'WALLET_REFUSED' } });
    expect(response.headers.get('set-cookie')).toBeNull();
    return response.body.detail;
  };
  /** Signs a changed message and returns why it is refused. */
  async function changed(who: Wallet, change: object): Promise<string> {
    const fields = parseSiweMessage(await messageFor(who));
    const message = createSiweMessage({ ...fields, ...change } as Parameters<typeof createSiweMessage>[0]);
    return refusal(message, await who.signMessage({ message }));
  }

  test('that was changed after it was signed', async () => {
    const who = wallet();
    const message = await messageFor(who);
    const signature = await who.signMessage({ message });
    expect(await refusal(message.replace('costs nothing', 'costs a lot'), signature)).toContain(
      'this service wrote',
    );
  });

  test('that another wallet signed', async () => {
    const message = await messageFor(wallet());
    expect(await refusal(message, await wallet().signMessage({ message }))).toContain('signature');
  });

  test.each(['', '0x', '0x1234', 'nonsense', `0x${'00'.repeat(65)}`])(
    'with the signature %j',
    async signature => {
      expect(await refusal(await messageFor(wallet()), signature)).toContain('signature');
    },
  );

  test('that was used already, also when both requests are concurrent', async () => {
    const who = wallet();
    const message = await messageFor(who);
    const signature = await who.signMessage({ message });
    const both = await Promise.all([enter(message, signature), enter(message, signature)]);
    expect(both.map(response => response.status).sort()).toEqual([200, 403]);
    expect(await refusal(message, signature)).toContain('used already');
  });

  test('whose nonce was used in a refused attempt', async () => {
    const who = wallet();
    const message = await messageFor(who);
    await refusal(message, '0x1234');
    expect(await refusal(message, await who.signMessage({ message }))).toContain('used already');
  });

  test('with a nonce that the service did not make, or with other times, even if its own wallet signed it', async () => {
    const who = wallet();
    const fields = parseSiweMessage(await messageFor(who));
    const later = (date: Date | undefined, ms: number) => new Date((date?.getTime() ?? 0) + ms);
    for (const change of [
      { nonce: 'a'.repeat(32) },
      { expirationTime: later(fields.expirationTime, 60_000) },
      { expirationTime: later(fields.expirationTime, -1) },
      { expirationTime: new Date('2099-01-01T00:00:00Z') },
      { issuedAt: later(fields.issuedAt, -1) },
    ]) {
      const message = createSiweMessage({ ...fields, ...change } as Parameters<typeof createSiweMessage>[0]);
      expect(await refusal(message, await who.signMessage({ message }))).toContain('did not write it');
    }
  });

  test('that has expired, also if its text has a later expiry', async () => {
    const who = wallet();
    const message = await messageFor(who);
    const later = await messageFor(who);
    clock.advance(300_000);
    expect(await refusal(message, await who.signMessage({ message }))).toContain('expired');
    const fields = parseSiweMessage(later);
    const renewed = createSiweMessage({
      ...fields,
      expirationTime: new Date(clock.now() + 60_000),
    } as Parameters<typeof createSiweMessage>[0]);
    expect(await refusal(renewed, await who.signMessage({ message: renewed }))).toContain('used already');
  });

  test('for another domain', async () => {
    expect(await changed(wallet(), { domain: 'evil.example' })).toContain('evil.example');
  });

  test('for another URI of the same domain', async () => {
    expect(await changed(wallet(), { uri: 'https://evil.example/' })).toContain('not for');
  });

  test('for another chain', async () => {
    expect(await changed(wallet(), { chainId: 5 })).toContain('chain 5');
  });

  test('issued in the future', async () => {
    expect(await changed(wallet(), { issuedAt: new Date(clock.now() + 120_000) })).toContain('in the future');
  });

  test('without an expiry', async () => {
    await changed(wallet(), { expirationTime: undefined });
  });

  test('that is not EIP-4361', async () => {
    await refusal('let me in', '0x1234');
  });
});

describe('The cookie of a web session', () => {
  test('can create and revoke keys', async () => {
    const cookie = cookieOf(await signedIn(wallet()));
    const made = await ask('mutation { createApiKey(input: {name: "k"}) { key apiKey { id } } }', cookie);
    const { key, apiKey } = made.body.data.createApiKey;
    const sessions = () => callApi(product.url, 'GET', '/sessions', { key });
    expect((await sessions()).status).toBe(200);
    await ask(`mutation { revokeApiKey(id: "${apiKey.id}") { id } }`, cookie);
    expect((await sessions()).status).toBe(401);
  });

  test('is refused after signing out', async () => {
    const cookie = cookieOf(await signedIn(wallet()));
    const out = await post('/wallet/sign-out', {}, { cookie });
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await ask(WHO, cookie)).body.errors[0].extensions.code).toBe('WALLET_REFUSED');
  });

  test('is refused after twelve hours', async () => {
    const cookie = cookieOf(await signedIn(wallet()));
    clock.advance(43_200_000 - 1);
    expect((await ask(WHO, cookie)).body.errors).toBeUndefined();
    clock.advance(1);
    expect((await ask(WHO, cookie)).body.errors[0].extensions.code).toBe('WALLET_REFUSED');
  });

  test.each([['https://evil.example'], ['null'], ['http://localhost:1']])(
    'is refused for the origin %s',
    async origin => {
      const cookie = cookieOf(await signedIn(wallet()));
      const response = await ask(WHO, cookie, { origin });
      expect(response.status).toBe(403);
      expect(response.body.errors[0].extensions.code).toBe('ORIGIN_REFUSED');
      const challenge = await post('/wallet/challenge', { address: wallet().address }, { origin });
      expect(challenge.body.code).toBe('ORIGIN_REFUSED');
    },
  );

  test('does not count for GET, REST or event streams', async () => {
    const cookie = cookieOf(await signedIn(wallet()));
    const headers = { cookie, origin: product.url };
    const query = encodeURIComponent(WHO);
    for (const path of [`/graphql?query=${query}`, '/sessions'])
      expect((await callApi(product.url, 'GET', path, { headers })).status).toBe(401);
    const stream = await ask('subscription { sessionStatusChanged { id } }', cookie, {
      accept: 'text/event-stream',
    });
    expect(stream.status).toBe(401);
  });
});

test('POST /wallet/challenge refuses an invalid address', async () => {
  const response = await post('/wallet/challenge', { address: '0x12' });
  expect(response).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
});

test('POST /wallet/challenge is limited for each network', async () => {
  await using other = await startTestProduct({ browser: 'fake' }, { trustedProxies: 1 });
  const { address } = wallet();
  const headers = { origin: other.url, 'x-forwarded-for': '203.0.113.1' };
  const begin = () => callApi(other.url, 'POST', '/wallet/challenge', { body: { address }, headers });
  const statuses = (await Promise.all(Array.from({ length: 40 }, begin))).map(response => response.status);
  expect(statuses.filter(status => status === 200)).toHaveLength(30);
  expect(statuses.filter(status => status === 429)).toHaveLength(10);
});

test('POST /wallet/visit returns whether the user is signed in', async () => {
  expect(await post('/wallet/visit', {})).toMatchObject({ status: 200, body: { signed_in: false } });
  const cookie = cookieOf(await signedIn(wallet()));
  expect((await post('/wallet/visit', {}, { cookie })).body).toEqual({ signed_in: true });
  await post('/wallet/sign-out', {}, { cookie });
  expect((await post('/wallet/visit', {}, { cookie })).body).toEqual({ signed_in: false });
});

test('GET /wallet/sign-in answers 405 with Allow: POST', async () => {
  const response = await callApi(product.url, 'GET', '/wallet/sign-in');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});
