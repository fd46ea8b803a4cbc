import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from './certificate.ts';

/** Serves one page over TLS on loopback, with a certificate that browsers do not accept. @param shown default: a self-signed one */
export async function servePageOverTls(
  html: string,
  shown: { readonly key: string; readonly cert: string } = certificate,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(shown, (_request, response) => response.end(html));
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
