/** A TCP proxy that cuts connections: at once, or when a client sends a given text. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** At the cut, `before`: the text does not reach the server, which keeps its side open. `after`: the server gets it, the client gets no answer. */
export type CutMoment = 'before' | 'after';

export interface CuttingProxy {
  readonly port: number;
  /** Cuts the next connection on which the client sends this text. @returns a promise of the cut */
  cutAt(text: string, moment: CutMoment): Promise<void>;
  /** Cuts all connections, and refuses new ones until `resume`. */
  stop(): void;
  /**
   * From now on nothing passes: clients stay connected and get no answer, until `resume` cuts them.
   * @returns a promise of the first text that a client sends
   */
  silence(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 to a port of this machine. */
export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cut: { text: string; moment: CutMoment; done: () => void } | null = null;
  let isStopped = false;
  let onReceived: (() => void) | null = null;
  const server = createServer(client => {
    if (isStopped) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    }
    upstream.on('data', data => {
      if (onReceived === null) client.write(data);
    });
    upstream.on('close', () => client.destroy());
    client.on('data', data => {
      if (onReceived !== null) return onReceived();
      if (cut === null || !data.includes(cut.text)) return void upstream.write(data);
      const { moment, done } = cut;
      cut = null;
      client.removeAllListeners('close');
      upstream.removeAllListeners('data');
      if (moment === 'before') client.destroy();
      else {
        // The answer shows that the server has done it.
        upstream.once('data', () => client.destroy());
        upstream.write(data);
      }
      done();
    });
    client.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const stop = () => {
    isStopped = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutAt(text, moment) {
      const { promise, resolve } = Promise.withResolvers<void>();
      cut = { text, moment, done: resolve };
      return promise;
    },
    stop,
    silence() {
      const { promise, resolve } = Promise.withResolvers<void>();
      onReceived = resolve;
      return promise;
    },
    resume() {
      isStopped = false;
      if (onReceived === null) return;
      onReceived = null;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      stop();
      server.close();
      await once(server, 'close');
    },
  };
}
