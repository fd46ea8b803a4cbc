/** Subscriptions over one WebSocket, which connects again by itself. */
import { effect, signal } from '@preact/signals';
import { type Client, createClient } from 'graphql-ws/client';
import type { Operations } from '../generated/operations.ts';
import { apiKey, forgetKey } from './access.ts';
import { errorText, RequestFailure, type RequestName, type SubscriptionName } from './http.ts';

/** `idle` before the first subscription; `offline` when the browser says that it has no network. */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'reconnecting' | 'offline';

export const connectionState = signal<ConnectionState>('idle');
/** The number of connections so far. A view that lists reads its list again when it grows: changes may have been missed. */
export const connectionCount = signal(0);

/** The longest wait before a new attempt, in milliseconds. */
const MAX_RETRY_WAIT_MS = 5_000;
const FIRST_RETRY_WAIT_MS = 250;
/** Close code of graphql-ws: the key was refused, revoked, or has expired. */
const FORBIDDEN = 4403;

let client: Client | null = null;

function connect(): Client {
  const url = new URL('/graphql', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return createClient({
    url: url.href,
    lazy: true,
    // Views come and go: the socket stays for a moment, so that the next view need not connect again.
    lazyCloseTimeout: 3_000,
    keepAlive: 15_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: waitToRetry,
    shouldRetry: () => apiKey.value !== null,
    connectionParams: () => ({
      authorization: `Bearer ${apiKey.value ?? ''}`,
      caller: 'person',
    }),
    on: {
      connecting: isRetry => {
        if (connectionState.value !== 'offline')
          connectionState.value = isRetry || connectionCount.value > 0 ? 'reconnecting' : 'connecting';
      },
      connected: () => {
        connectionState.value = 'open';
        connectionCount.value += 1;
      },
      closed: event => {
        const { code, reason, wasClean } = event as CloseEvent;
        if (code === FORBIDDEN)
          forgetKey(
            reason === 'SHARE_LINK_ENDED'
              ? 'It was revoked, or its time is over.'
              : reason === ''
                ? 'The key was refused.'
                : `The key no longer works: ${reason}.`,
          );
        else if (code === 1000 && wasClean) connectionState.value = 'idle';
        else connectionState.value = navigator.onLine ? 'reconnecting' : 'offline';
      },
    },
  });
}

/** Waits longer after each attempt, with a random part, and no longer than until the network is back. */
async function waitToRetry(attempts: number): Promise<void> {
  const wait = Math.min(MAX_RETRY_WAIT_MS, FIRST_RETRY_WAIT_MS * 2 ** Math.min(attempts, 6));
  await new Promise<void>(resolve => {
    const timer = setTimeout(done, wait * (0.7 + Math.random() * 0.6));
    function done(): void {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
    addEventListener('online', done);
  });
}

addEventListener('offline', () => {
  connectionState.value = 'offline';
});
addEventListener('online', () => {
  if (connectionState.value === 'offline') connectionState.value = 'reconnecting';
});
// Another key is another caller: the socket of the old one ends.
effect(() => {
  const key = apiKey.value;
  void client?.dispose();
  client = key === null ? null : connect();
});

export interface Receivers<Result> {
  readonly onNext: (result: Result) => void;
  /** Called once, when the service or the key ends the subscription. It does not go on. */
  readonly onError?: (error: RequestFailure) => void;
  readonly onEnd?: () => void;
}

/** Subscribes, again after each loss of the connection with `variables` called anew. Returns a function that ends it. */
export function subscribe<Each extends SubscriptionName>(
  documentId: Each,
  variables: () => Operations[Each]['variables'],
  { onNext, onError, onEnd }: Receivers<Operations[Each]['result']>,
): () => void {
  if (client === null) return () => {};
  // graphql-ws sends the payload as it is at each connection: the getter gives the variables of that moment.
  const payload = {
    query: '',
    documentId,
    get variables() {
      return variables() as Record<string, unknown>;
    },
  };
  return client.subscribe<Operations[Each]['result']>(payload, {
    next: ({ data, errors }) => {
      const [error] = errors ?? [];
      if (error !== undefined) onError?.(failureOf(error));
      else if (data != null) onNext(data);
    },
    error: error => onError?.(failureOf(Array.isArray(error) ? error[0] : error)),
    complete: () => onEnd?.(),
  });
}

/** Runs a mutation over the WebSocket, quicker than a request; never sent again. @throws RequestFailure; OFFLINE (perhaps performed) if it is lost */
export function mutate<Each extends RequestName>(
  documentId: Each,
  variables: Operations[Each]['variables'],
): Promise<Operations[Each]['result']> {
  const { promise, resolve, reject } = Promise.withResolvers<Operations[Each]['result']>();
  const used = client;
  const lost = () => reject(new RequestFailure('OFFLINE', 'The connection to the service is lost.'));
  if (used === null || connectionState.value !== 'open') {
    lost();
    return promise;
  }
  const end = used.subscribe<Operations[Each]['result']>(
    { query: '', documentId, variables: variables as Record<string, unknown> } as never,
    {
      next: ({ data, errors }) => {
        const [error] = errors ?? [];
        if (error !== undefined) reject(failureOf(error));
        else if (data != null) resolve(data);
      },
      error: error => reject(failureOf(Array.isArray(error) ? error[0] : error)),
      complete: lost,
    },
  );
  // The client sends what was not answered again when it has connected again.
  const stopWatching = used.on('closed', () => {
    end();
    lost();
  });
  return promise.finally(stopWatching);
}

function failureOf(error: unknown): RequestFailure {
  const { extensions } = (error ?? {}) as { readonly extensions?: { readonly code?: string } };
  return new RequestFailure(extensions?.code ?? 'OFFLINE', errorText(error));
}
