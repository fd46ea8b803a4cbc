import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give these ports neither to connections nor to servers that ask for any port: nothing takes the port of a server that is down. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** Returns a port of loopback on which nothing listens, for a server of another program. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
