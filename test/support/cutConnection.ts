/** A connection between a client and a server on loopback that a test can break or stall. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that passes all bytes on to another one. */
export interface CuttableConnection extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  /** Passes nothing on in either direction; the connections stay open. */
  stall(): void;
  /** Passes on what has been waiting since `stall`. */
  flow(): void;
}

/** Starts a port on loopback that passes all bytes on to `toPort`. */
export async function cutConnection(toPort: number): Promise<CuttableConnection> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  const server = createServer(client => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(toPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', data => to.write(data));
      if (isStalled) from.pause();
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    restore() {
      isCut = false;
    },
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    flow() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
