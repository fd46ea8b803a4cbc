import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

const signal = new AbortController().signal;

let product: TestProduct;
beforeEach(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterEach(() => product[Symbol.asyncDispose]());

/** A subscription over server-sent events: its first chunk, and its whole text after the end. */
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

it('shutdown sends subscribers the final status of their session before it closes the stream', async () => {
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
