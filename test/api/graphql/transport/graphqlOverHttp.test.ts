import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/api/http/httpContext.ts';
import { callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const audits = serverAudits({
  url: () => `${product.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { authorization: `Bearer ${product.key}`, ...init.headers } }),
});

describe('GraphQL over HTTP', () => {
  test.each(audits.map(audit => [audit.id, audit.name, audit] as const))(
    '%s %s',
    async (_id, name, audit) => {
      const result = await audit.fn();
      if (result.status === 'ok') return;
      expect(`${result.status}: ${'reason' in result ? result.reason : ''}`, name).toBe('ok');
    },
  );
});

test.each(['text/html', 'image/png', 'application/json; charset=utf-16', 'x'])(
  'POST /graphql answers JSON to a caller who accepts only %s',
  async accept => {
    for (const query of ['{ viewer { keyId } }', '{ nothing }']) {
      const { status, headers, body } = await callApi(product.url, 'POST', '/graphql', {
        key: product.key,
        body: { query },
        headers: { accept },
      });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body.data ?? body.errors).toBeDefined();
    }
  },
);

test('halves of surrogate pairs in a request become U+FFFD, whole pairs and backslashes stay', async () => {
  const sessions = (text: string) =>
    callApi(product.url, 'POST', '/graphql', {
      key: product.key,
      body: `{"query": "query ($a: ID!) { session(id: $a) { id } }", "variables": {"b": "${text}"}, "operationName": "${text}"}`,
    });
  const { body } = await sessions('\\ud83d\\ude00 \\uD83D \\\\ud83d \\ude00\\ud83d');
  expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
  expect(parseJson('["\\ud83d\\ude00 \\uD83D \\\\ud83d \\ude00\\ud83d"]')).toEqual([
    '😀 \uFFFD \\ud83d \uFFFD\uFFFD',
  ]);
});
