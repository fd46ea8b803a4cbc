import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
