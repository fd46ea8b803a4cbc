import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../../src/api/graphql/generated/operations.ts';
import { SETTINGS } from '../../../../src/config/settings.ts';
import { callApi, callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

/** The extensions of the error of an operation that fails. */
async function refusal(document: string, input: object) {
  const { body } = await callGraphql(product.url, product.key, document, { input });
  return body.errors[0].extensions;
}

describe('ObserveInput and StepInput', () => {
  const observe = (input: object) => refusal(OPERATIONS.Observe, input);

  test.each([
    [{ sessionTimeoutMinutes: 0, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: 30, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: 2.5, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: '5', url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ url: '' }, 'input.url'],
    [{ url: 7 }, 'input.url'],
    [{ url: 'https://example.com', actions: { min: 5, max: 2 } }, 'input.actions.min'],
    [{ url: 'https://example.com', content: { maxCharacters: 1 } }, 'input.content.maxCharacters'],
    [{ url: 'https://example.com', screenshot: { quality: 101 } }, 'input.screenshot.quality'],
    [{ url: 'https://example.com', session_id: 'x' }, 'input'],
  ])('%j answers VALIDATION_ERROR with the path %s', async (input, path) => {
    const extensions = await observe(input);
    expect(extensions).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 });
    expect(extensions.errors).toContainEqual(expect.objectContaining({ path }));
  });

  test('step answers VALIDATION_ERROR for a text that is no action id', async () => {
    const extensions = await refusal(OPERATIONS.Step, { sessionId: 'x', actionId: 'button' });
    expect(extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'input.actionId' }] });
  });

  test('observe answers VALIDATION_ERROR without sessionId and url', async () => {
    expect(await observe({})).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'input.url' }] });
  });

  test('observe answers SESSION_NOT_FOUND for any text that is no session id of the account', async () => {
    expect(await observe({ sessionId: 'nonsense' })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      status: 404,
    });
  });

  test('step answers VALIDATION_ERROR for params that are no object of values', async () => {
    const input = { sessionId: 'x', actionId: 'S17', params: { from: { id: 'B1' } } };
    expect(await refusal(OPERATIONS.Step, input)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('StepInput.value with the default body limit', () => {
  const maxBodyBytes = Number(SETTINGS.maxBodyBytes.default);

  test.each([
    ['1,000,000 ASCII characters', 'x'.repeat(1_000_000), [404, 'SESSION_NOT_FOUND']],
    ['1,000,001 ASCII characters', 'x'.repeat(1_000_001), [422, 'VALIDATION_ERROR']],
    ['300,000 characters of three bytes', '字'.repeat(300_000), [404, 'SESSION_NOT_FOUND']],
    ['400,000 characters of three bytes', '字'.repeat(400_000), [413, 'BODY_TOO_LARGE']],
  ])('%s: over GraphQL and REST', async (_what, value, [status, code]) => {
    const { service, key } = product.started;
    await using server = await startTestServer(service, { maxBodyBytes });
    const input = { sessionId: 'x', actionId: 'I1', value };
    const query = 'mutation ($input: StepInput!) { step(input: $input) { session { id } } }';
    const overGraphql = await callGraphql(server.url, key, query, { input });
    expect(overGraphql.body.errors[0].extensions).toMatchObject({ status, code });
    const body = { session_id: 'x', action_id: 'I1', value };
    expect(await callApi(server.url, 'POST', '/env/step', { key, body })).toMatchObject({
      status,
      body: { code },
    });
  });
});
