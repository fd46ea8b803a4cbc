/** A network namespace of Linux with nothing in it but loopback and one listening socket, which belongs to this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { afterMs, race } from '../../async/race.ts';
import type { ListeningAddress, ProxyListener } from '../egress/proxyListener.ts';

/** A network namespace. Processes join it by its two files; the namespace ends with the last process and the last file. */
export interface NetworkNamespace extends ProxyListener {
  /** Path of the file of the user namespace that owns the network namespace, for `nsenter --user`. */
  readonly userFile: string;
  /** Path of the file of the network namespace, for `nsenter --net`. */
  readonly networkFile: string;
  /** Stops listening and closes the files; idempotent. */
  close(): void;
}

/** The port in the namespace. It has no meaning outside of it. */
const PORT = 3128;
/** Maximum time to create a namespace. It takes about 40 ms. */
const CREATION_TIMEOUT_MS = 10_000;

/**
 * A program that listens in its own namespace and sends the socket to this process. It ends when this process has the
 * socket. Node has no call to enter a namespace, but a socket stays in the namespace in which it was created.
 */
const LISTEN_PROGRAM = `
const server = require('node:net').createServer();
server.listen({ host: '0.0.0.0', port: ${PORT} }, () => process.send(process.pid, server));
for (const event of ['message', 'disconnect']) process.on(event, () => process.exit(0));
`;

/**
 * Creates a network namespace. bubblewrap brings its loopback up.
 * @param prefix the command with which the processes of the browser run as another user; empty for the user of this process
 * @throws Error when the system does not allow it; the message has the output of the command
 */
export async function createNetworkNamespace(prefix: readonly string[]): Promise<NetworkNamespace> {
  const [command = 'bwrap', ...args] = [
    ...prefix,
    ...['bwrap', '--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--'],
    ...[process.execPath, '-e', LISTEN_PROGRAM],
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} });
  try {
    const { pid, server } = await race(
      listeningSocket(child),
      afterMs(CREATION_TIMEOUT_MS, () => {
        throw new Error('a network namespace could not be created in time');
      }),
    );
    const files = await Promise.all([open(`/proc/${pid}/ns/user`), open(`/proc/${pid}/ns/net`)]);
    child.send('done', () => {});
    return namespace(server, files);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function listeningSocket(child: ChildProcess): Promise<{ pid: number; server: Server }> {
  let output = '';
  child.stderr?.on('data', text => {
    output = `${output}${text}`.slice(-1_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(output.trim() || 'bwrap ended without an error message')));
    child.once('message', (pid, server) => resolve({ pid: Number(pid), server: server as Server }));
  });
}

/** Each HTTP server gets an address of 127.0.0.0/8 of its own; connections to an address without a server are closed. */
function namespace(listening: Server, [user, network]: readonly [FileHandle, FileHandle]): NetworkNamespace {
  const servers = new Map<string, Parameters<ProxyListener['listen']>[0]>();
  let lastHost = 0;
  listening.on('connection', (socket: Socket) => {
    const server = servers.get(socket.localAddress ?? '');
    if (server === undefined) socket.destroy();
    else server.emit('connection', socket);
  });
  listening.unref();
  return {
    userFile: `/proc/${process.pid}/fd/${user.fd}`,
    networkFile: `/proc/${process.pid}/fd/${network.fd}`,
    listen(server): Promise<ListeningAddress> {
      lastHost += 1;
      const address = `127.${(lastHost >> 16) & 255}.${(lastHost >> 8) & 255}.${lastHost & 255}`;
      servers.set(address, server);
      server.once('close', () => servers.delete(address));
      return Promise.resolve({ url: `http://${address}:${PORT}`, port: null });
    },
    close() {
      listening.close();
      void user.close().catch(() => {});
      void network.close().catch(() => {});
    },
  };
}
