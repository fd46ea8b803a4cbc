import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export type Page = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ServedPages extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  /** The same server under another host name, which makes it another origin. */
  readonly otherOrigin: string;
}

/**
 * Serves pages by path on loopback, and the page `*` at all other paths. A string is HTML.
 * @param onSocket called for each web socket, with the query of its address
 */
export async function servePages(
  pages: Readonly<Record<string, Page>>,
  onSocket: ((socket: WebSocket, query: string) => void) | null = null,
): Promise<ServedPages> {
  const server = createServer((request, response) => {
    const page = pages[(request.url ?? '/').split('?')[0] ?? '/'] ?? pages['*'];
    if (typeof page === 'function') return page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? '<title>Not found</title><h1>Not found</h1>');
  });
  // A server that closes an idle connection while a POST is on its way fails it; on a busy machine the time between two requests is long.
  server.keepAliveTimeout = 0;
  if (onSocket !== null) {
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, { url = '' }) =>
      onSocket(socket, URL.parse(url, 'http://x')?.search ?? ''),
    );
  }
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
