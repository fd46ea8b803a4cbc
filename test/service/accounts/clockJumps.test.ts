import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/service/accounts/apiKeys.ts';
import { callApi } from '../../support/callApi.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const JUMPS = [HOUR, -HOUR, DAY, -DAY];

describe('When the wall clock jumps', () => {
  let clock: ManualClock;
  let product: TestProduct;
  beforeEach(async () => {
    clock = manualClock();
    product = await startTestProduct({ browser: 'fake', clock });
  });
  afterEach(() => product[Symbol.asyncDispose]());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    callApi(product.url, 'POST', path, { body, headers: { origin: product.url, ...headers } });

  async function signedMessage() {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { message } = (await post('/wallet/challenge', { address: wallet.address })).body;
    return { message, signature: await wallet.signMessage({ message }) };
  }

  const viewer = async (cookie: string): Promise<string | null> =>
    (await post('/graphql', { query: '{ viewer { keyId } }' }, { cookie })).body.data?.viewer?.keyId ?? null;

  it.each(JUMPS)('by %i ms, a sign-in message that was used is never accepted again', async byMs => {
    const signed = await signedMessage();
    expect((await post('/wallet/sign-in', signed)).status).toBe(200);
    clock.jump(byMs);
    expect((await post('/wallet/sign-in', signed)).body).toMatchObject({ code: 'WALLET_REFUSED' });
    clock.jump(-byMs);
    expect((await post('/wallet/sign-in', signed)).body).toMatchObject({ code: 'WALLET_REFUSED' });
  });

  it.each(JUMPS)('by %i ms, an unused message is refused, and a new one is accepted', async byMs => {
    const signed = await signedMessage();
    clock.jump(byMs);
    expect((await post('/wallet/sign-in', signed)).body).toMatchObject({ code: 'WALLET_REFUSED' });
    expect((await post('/wallet/sign-in', await signedMessage())).status).toBe(200);
  });

  it('web sessions end at their stored instants of the new time', async () => {
    const response = await post('/wallet/sign-in', await signedMessage());
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(cookie).not.toBe('');
    clock.jump(-DAY);
    expect(await viewer(cookie)).toMatch(/^wallet:/);
    clock.jump(DAY + 11 * HOUR);
    expect(await viewer(cookie)).toMatch(/^wallet:/);
    clock.jump(HOUR);
    expect(await viewer(cookie)).toBeNull();
  });

  it('keys are valid until their stored instants of the new time, whatever was read before', async () => {
    const { started, url } = product;
    const { text } = await expiringKey();
    const codeNow = async (): Promise<string | null> =>
      (await callApi(url, 'GET', '/sessions', { key: text })).body.code ?? null;
    for (const [byMs, code] of [
      [0, null],
      [-DAY, null],
      [2 * DAY - 1, null],
      [1, 'EXPIRED_API_KEY'],
      [-1, null],
      [HOUR, 'EXPIRED_API_KEY'],
    ] as const) {
      clock.jump(byMs);
      expect([byMs, await codeNow()]).toEqual([byMs, code]);
    }
    expect(started.warnings).toEqual([]);
  });

  it.each([DAY, 400 * DAY])(
    'by %i ms over the end of a key, its connections end within five seconds',
    async byMs => {
      const { key } = await expiringKey();
      const { account } = product.started;
      const { promise, resolve } = Promise.withResolvers<string>();
      const viewerOfKey = { account, keyId: key.id, scopes: key.scopes };
      product.started.authenticator.onKeyEnd(viewerOfKey, ({ code }) => resolve(code));
      clock.jump(byMs);
      clock.advance(5_000);
      expect(await promise).toBe('EXPIRED_API_KEY');
    },
  );

  const expiringKey = () =>
    issueApiKey(
      product.started.store.accounts,
      {
        accountId: product.started.account.id,
        name: 'for a day',
        scopes: ['read'],
        expiresAt: clock.now() + DAY,
      },
      clock.now(),
    );
});
