import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A result as a subscriber gets it. */
export interface SubscriptionResult {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was told
  readonly data?: any;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** A subscription as one iterator; `return()` ends it. */
export type Subscribe = (
  server: { readonly url: string; readonly key: string },
  query: string,
  variables?: Record<string, unknown>,
) => AsyncGenerator<SubscriptionResult, void, undefined>;

/** Over a socket of its own. The socket's end by the server is thrown as its close event. */
export const overSocket: Subscribe = async function* ({ url, key }, query, variables = {}) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
  });
  try {
    yield* client.iterate({ query, variables }) as AsyncIterableIterator<SubscriptionResult>;
  } catch (errors) {
    if (!Array.isArray(errors)) throw errors;
    yield { errors };
  } finally {
    await client.dispose();
  }
};

/** Over server-sent events. */
export const overEvents: Subscribe = async function* ({ url, key }, query, variables = {}) {
  const gone = new AbortController();
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query, variables }),
      signal: gone.signal,
    });
    let pending = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      pending += chunk;
      const blocks = pending.split('\n\n');
      pending = blocks.pop() ?? '';
      for (const block of blocks) {
        if (/^event: complete/m.test(block)) return;
        const data = /^data: (.+)$/m.exec(block)?.[1];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  } finally {
    gone.abort();
  }
};
