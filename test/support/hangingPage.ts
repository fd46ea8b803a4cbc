import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page that never responds. */
export interface HangingPage extends AsyncDisposable {
  readonly url: string;
  /** Resolves when a browser has asked for the page. */
  readonly arrived: Promise<void>;
  /** Resolves when a browser has given the page up. */
  readonly dropped: Promise<void>;
}

/** Serves a page that accepts requests and never responds. */
export async function hangingPage(): Promise<HangingPage> {
  const arrived = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    arrived.resolve();
    response.on('close', dropped.resolve);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived: arrived.promise,
    dropped: dropped.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
