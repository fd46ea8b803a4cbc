import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../../src/domain/account/account.ts';
import { callApi, callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';

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

const CREDIT = `mutation ($input: CreditAccountInput!) {
  creditAccount(input: $input) { seq kind reference amountMicros balanceMicros sessionId }
}`;
const credit = (amountMicros: number, reference = 'invoice 1', by = product.key, accountId = account.id) =>
  callGraphql(product.url, by, CREDIT, { input: { accountId, amountMicros, reference } });

const ask = async (selection: string, by = key) => {
  const { body } = await callGraphql(product.url, by, `{ viewer { account { ${selection} } } }`);
  expect(body.errors).toBeUndefined();
  return body.data.viewer.account;
};

async function oneSession(): Promise<string> {
  const { body } = await callApi(product.url, 'POST', '/session/start', { key, body: {} });
  await callApi(product.url, 'POST', '/session/close', { key, body: { session_id: body.session_id } });
  return body.session_id;
}

describe('creditAccount', () => {
  test('refuses an amount or a balance above 10^15 micro-units, and writes nothing', async () => {
    const max = 1_000_000_000_000_000;
    expect((await credit(max + 1)).body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
    expect((await credit(max - 1, 'almost all')).body.errors).toBeUndefined();
    const { body } = await credit(2, 'too much');
    expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
    expect(body.errors[0].message).toContain('at most 1,000,000,000,000,000 micro-units');
    expect((await credit(max - 1, 'almost all')).body.errors).toBeUndefined();
    expect((await ask('balanceMicros')).balanceMicros).toBe(max - 1);
  });

  test('credits an account once for each reference, with the key of the operator', async () => {
    const first = await credit(5_000_000_000);
    expect(first.body.data.creditAccount).toEqual({
      seq: 1,
      kind: 'CREDIT',
      reference: 'invoice 1',
      amountMicros: 5_000_000_000,
      balanceMicros: 5_000_000_000,
      sessionId: null,
    });
    expect((await credit(7)).body.data).toEqual(first.body.data);
    expect((await ask('balanceMicros')).balanceMicros).toBe(5_000_000_000);
  });

  test('takes the id that Account.id returns', async () => {
    const { id } = await ask('id');
    expect(id).not.toBe(account.id);
    expect((await credit(5, 'by global id', product.key, id)).body.data.creditAccount).toMatchObject({
      amountMicros: 5,
    });
    expect((await ask('balanceMicros')).balanceMicros).toBe(5);
  });

  test("answers SCOPE_DENIED to the account's own key", async () => {
    const { body } = await credit(1, 'me', key);
    expect(body.errors[0].extensions.code).toBe('SCOPE_DENIED');
    expect((await ask('balanceMicros')).balanceMicros).toBe(0);
  });

  test('answers ACCOUNT_NOT_FOUND for an unknown account', async () => {
    const { body } = await credit(1, 'r', product.key, 'no-such-account');
    expect(body.errors[0].extensions).toMatchObject({ code: 'ACCOUNT_NOT_FOUND', status: 404 });
  });

  test.each([0, -1, 1.5])('answers VALIDATION_ERROR for the amount %d', async amount => {
    expect((await credit(amount)).body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });

  test('changes a free account to pay_as_you_go', async () => {
    const { store, clock } = product.started;
    const free = await addAccount(store, clock, 'free', 'free');
    expect((await ask('tier', free.key)).tier).toBe('FREE');
    await credit(1, 'r', product.key, free.account.id);
    // At once, although the lookup of the key is cached for some seconds.
    expect(await ask('tier limits { requestsPerMinute }', free.key)).toEqual({
      tier: 'PAY_AS_YOU_GO',
      limits: { requestsPerMinute: 600 },
    });
    const [now] = await store.accounts.accounts([free.account.id]);
    expect(now?.tier).toBe('pay_as_you_go');
  });
});

test('POST /session/start answers 402 without a balance, and GET /sessions still works', async () => {
  const answer = await callApi(product.url, 'POST', '/session/start', { key, body: {} });
  expect(answer).toMatchObject({ status: 402, body: { code: 'BALANCE_EXHAUSTED' } });
  expect((await callApi(product.url, 'GET', '/sessions', { key })).status).toBe(200);
});

test('POST /env/observe answers BALANCE_EXHAUSTED when the spend cap of the session is reached', async () => {
  await credit(1_000_000);
  const body = { spend_cap_micros: 1 };
  const started = await callApi(product.url, 'POST', '/session/start', { key, body });
  const { session_id } = started.body;
  const observe = () =>
    callApi(product.url, 'POST', '/env/observe', { key, body: { session_id, url: 'about:blank' } });
  await observe();
  await expect.poll(async () => (await observe()).body.code).toBe('BALANCE_EXHAUSTED');
});

test('Account.usage returns totals and groups', async () => {
  await credit(1_000_000);
  const id = await oneSession();
  const { usage } = await ask(
    'usage(by: SESSION) { from to total { operations browserMs priceMicros } groups { name usage { operations browserMs priceMicros } } }',
  );
  expect(usage.total.operations).toBe(1);
  expect(usage.groups).toEqual([{ name: id, usage: usage.total }]);
  expect(Date.parse(usage.to)).toBeGreaterThan(Date.parse(usage.from));
  const { body } = await callGraphql(
    product.url,
    key,
    `{ session(id: "${id}") { usage { operations browserMs priceMicros } } }`,
  );
  expect(body.data.session.usage).toEqual(usage.total);
});

test('Account.usage returns zeros for a period without operations', async () => {
  const { usage } = await ask(
    'usage(from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00+01:00") { total { operations browserMs priceMicros } }',
  );
  expect(usage.total).toEqual({ operations: 0, browserMs: 0, priceMicros: 0 });
});

test.each(['from: "yesterday"', 'from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z"'])(
  'Account.usage(%s) answers VALIDATION_ERROR',
  async args => {
    const query = `{ viewer { account { usage(${args}) { from } } } }`;
    const { body } = await callGraphql(product.url, key, query);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  },
);

describe('Account.ledger', () => {
  test('returns pages, newest entry first', async () => {
    for (let i = 1; i <= 5; i += 1) await credit(i, `invoice ${i}`);
    const seen: number[] = [];
    let after = '';
    do {
      const { ledger } = await ask(
        `ledger(first: 2${after}) { edges { node { seq } } pageInfo { hasNextPage endCursor } }`,
      );
      seen.push(...ledger.edges.map((edge: { node: { seq: number } }) => edge.node.seq));
      const { hasNextPage, endCursor } = ledger.pageInfo;
      after = hasNextPage ? `, after: "${endCursor}"` : '';
    } while (after !== '');
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  test.each([
    ['last: 2', [2, 1], { hasNextPage: false, hasPreviousPage: true }],
    ['last: 2, before: "2"', [4, 3], { hasNextPage: true, hasPreviousPage: true }],
    ['last: 2, before: "4"', [5], { hasNextPage: true, hasPreviousPage: false }],
  ])('returns the page before a cursor by %s', async (args, seqs, pageInfo) => {
    for (let i = 1; i <= 5; i += 1) await credit(i, `invoice ${i}`);
    const { ledger } = await ask(
      `ledger(${args}) { edges { node { seq } } pageInfo { hasNextPage hasPreviousPage } }`,
    );
    expect(ledger).toEqual({ edges: seqs.map(seq => ({ node: { seq } })), pageInfo });
  });

  test('answers VALIDATION_ERROR for a text that is no cursor', async () => {
    const query = '{ viewer { account { ledger(after: "x") { edges { cursor } } } } }';
    const { body } = await callGraphql(product.url, key, query);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ path: 'after' }],
    });
  });
});

describe('GET /account/ledger.csv', () => {
  test('returns all entries, oldest first, without text that a spreadsheet would run as a formula', async () => {
    await credit(1_000_000, '=1+1, "quoted"');
    const id = await oneSession();
    const answer = await callApi(product.url, 'GET', '/account/ledger.csv', { key });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const lines = answer.text.split('\r\n');
    expect(lines[0]).toBe('seq,at,kind,reference,session_id,key_id,browser_ms,amount_micros,balance_micros');
    expect(lines[1]).toContain(`,credit,"'=1+1, ""quoted""",,,0,1000000,1000000`);
    expect(lines[2]).toContain(`,start,`);
    expect(lines[2]).toContain(id);
    expect(lines.at(-1)).toBe('');
  });

  test('answers 422 for a parameter that is no time', async () => {
    const answer = await callApi(product.url, 'GET', '/account/ledger.csv?from=yesterday', { key });
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  test('returns every entry once, over many pages of the store', async () => {
    const { store } = product.started;
    for (let i = 0; i < 2_001; i += 1)
      await store.ledger.credit({ accountId: account.id, reference: `r${i}`, amountMicros: 1, at: 1 });
    const { text } = await callApi(product.url, 'GET', '/account/ledger.csv', { key });
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2_002);
    expect(lines.at(-1)?.endsWith(',2001')).toBe(true);
  });
});
