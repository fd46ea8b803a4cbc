import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../../src/domain/account/account.ts';
import { callApi, callGraphql } from '../../../support/callApi.ts';
import { manualClock } from '../../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

let product: TestProduct;
let account: Account;
let key: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
beforeEach(async () => {
  const { store, clock } = product.started;
  ({ account, key } = await addAccount(store, clock, 'someone', 'pay_as_you_go'));
});
afterAll(() => product[Symbol.asyncDispose]());

const credit = (amountMicros: number) =>
  callGraphql(
    product.url,
    product.key,
    'mutation ($input: CreditAccountInput!) { creditAccount(input: $input) { seq } }',
    { input: { accountId: account.id, amountMicros, reference: 'invoice 1' } },
  );

async function oneSession(): Promise<void> {
  const { body } = await callApi(product.url, 'POST', '/session/start', { key, body: {} });
  await callApi(product.url, 'POST', '/session/close', { key, body: { session_id: body.session_id } });
}

describe('accountUsageChanged', () => {
  const QUERY = 'subscription { accountUsageChanged { operations priceMicros balanceMicros } }';
  const nextUsage = async (results: AsyncIterator<SubscriptionResult>) =>
    (await results.next()).value?.data.accountUsageChanged;

  test('returns the present usage, then the usage after each charge', async () => {
    await credit(1_000_000);
    const results = overSocket({ url: product.url, key }, QUERY);
    expect(await nextUsage(results)).toEqual({ operations: 0, priceMicros: 0, balanceMicros: 1_000_000 });
    await oneSession();
    expect(await nextUsage(results)).toMatchObject({ operations: 1 });
    await results.return();
  });

  test('returns the balance after a credit', async () => {
    const results = overSocket({ url: product.url, key }, QUERY);
    expect(await nextUsage(results)).toMatchObject({ balanceMicros: 0 });
    await credit(7);
    expect(await nextUsage(results)).toEqual({ operations: 0, priceMicros: 0, balanceMicros: 7 });
    await results.return();
  });

  test('returns a credit that another process added, within five seconds', async () => {
    const clock = manualClock();
    await using own = await startTestProduct({ clock, browser: 'fake' });
    const results = overSocket(own, QUERY);
    expect(await nextUsage(results)).toMatchObject({ balanceMicros: 0 });
    const { store, account: its } = own.started;
    await store.ledger.credit({ accountId: its.id, reference: 'r', amountMicros: 7, at: clock.now() });
    const next = nextUsage(results);
    clock.advance(5_000);
    expect(await next).toMatchObject({ balanceMicros: 7 });
    await results.return();
  });
});
