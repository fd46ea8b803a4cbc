import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A result that a subscriber receives. */
export interface SubscriptionResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any operation
  readonly data?: any;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Subscribes. `return()` of the iterator ends the subscription. */
export type Subscribe = (
  server: { readonly url: string; readonly key: string },
  query: string,
  variables?: Record<string, unknown>,
) => AsyncGenerator<SubscriptionResult, void, undefined>;

/** Subscribes over a WebSocket of its own. If the server closes it, the close event is thrown. */
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

/** Subscribes over server-sent events. */
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
