/** A `ProxyListener` accepts the connections of a browser to its session proxies. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address at which a browser reaches one HTTP server. */
export interface ListeningAddress {
  /** The URL of the server, as its browser sees it. */
  readonly url: string;
  /** The TCP port of this machine that is in use; null if the address is in another network namespace. */
  readonly port: number | null;
}

/** Accepts connections for HTTP servers. Close a server with its own `close`. */
export interface ProxyListener {
  /** Gives the server an address of its own. @throws Error when no address or port is free */
  listen(server: Server): Promise<ListeningAddress>;
}

/** Listens on a free port of 127.0.0.1. */
export const loopbackListener: ProxyListener = {
  async listen(server) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    // A listening TCP socket always has an object as its address, never a path.
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port };
  },
};
