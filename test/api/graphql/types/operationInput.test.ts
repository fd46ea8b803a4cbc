import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ObserveDocument, StepDocument } from '../../../../src/api/graphql/generated/graphql.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

/** What the answer to a refused operation says of the failure. */
async function refusal(document: DocumentNode, input: object) {
  const { body } = await callGraphql(product.url, product.key, print(document), { input });
  return body.errors[0].extensions;
}

describe('input', () => {
  const observe = (input: object) => refusal(ObserveDocument, input);

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
  ])('%j is refused and names %s', async (input, path) => {
    const facts = await observe(input);
    expect(facts).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 });
    expect(facts.errors).toContainEqual(expect.objectContaining({ path }));
  });

  test('an action id of no known form is refused', async () => {
    const facts = await refusal(StepDocument, { sessionId: 'x', actionId: 'button' });
    expect(facts).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'input.actionId' }] });
  });

  test('neither session nor url is refused', async () => {
    expect(await observe({})).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'url' }] });
  });

  test('an unknown session is SESSION_NOT_FOUND, whatever the text', async () => {
    expect(await observe({ sessionId: 'nonsense' })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      status: 404,
    });
  });

  test('parameters that are no object of values are refused', async () => {
    const input = { sessionId: 'x', actionId: 'S17', params: { from: { id: 'B1' } } };
    expect(await refusal(StepDocument, input)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
