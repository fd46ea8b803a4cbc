import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

const signal = new AbortController().signal;

let product: TestProduct;
beforeEach(async () => {
  product = await startTestProduct();
});
afterEach(() => product[Symbol.asyncDispose]());

/** A subscription as a stream of events; its whole text once it has ended. */
async function subscribed(query: string): Promise<{ first: Promise<string>; whole: Promise<string> }> {
  const response = await fetch(`${product.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${product.key}`,
    },
    body: JSON.stringify({ query }),
  });
  const first = Promise.withResolvers<string>();
  const whole = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('data: {')) first.resolve(text);
    }
    return text;
  })();
  return { first: first.promise, whole };
}

it('a service that ends tells subscribers how their session ended before it lets them go', async () => {
  const { service, viewer } = product.started;
  const options = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
  const { session } = await service.start(viewer, options);
  const { first, whole } = await subscribed(
    `subscription { sessionStatusChanged(sessionId: "${session.id}") { status } }`,
  );
  expect(await first).toContain('ACTIVE');
  await product.close(5_000, () => product.started.service.shutDown());
  expect(await whole).toMatch(/ACTIVE.*CLOSED.*event: complete/s);
});
