/**
 * Measures how long a change takes to reach five thousand subscribers, each with a WebSocket of its own in another process.
 * The change is the close of the session that all of them watch. Prints each round, then the median and the maximum.
 *
 *   npm run bench:subscribers -- [subscribers] [rounds]
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { callApi } from '../support/callApi.ts';
import { startTestProduct } from '../support/startServer.ts';

/** The message to the child process: the session to watch. */
interface Watch {
  readonly url: string;
  readonly key: string;
  readonly sessionId: string;
  readonly count: number;
}
/** The messages of the child: all sockets are subscribed; then the arrival times, in milliseconds since the epoch. */
type Report = { readonly watching: true } | { readonly arrivedAt: readonly number[] };

const QUERY = 'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { id status } }';
/** Sockets that are opened at once; the accept queue of the system is short. */
const OPENING_AT_ONCE = 100;

if (process.argv[2] === 'watch') process.once('message', message => void watch(message as Watch));
else await measure(Number(process.argv[2] ?? 5_000), Number(process.argv[3] ?? 5));

async function measure(count: number, rounds: number): Promise<void> {
  await using product = await startTestProduct({ warmContexts: 1 });
  const slowest: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { session_id } = (
      await callApi(product.url, 'POST', '/session/start', { key: product.key, body: {} })
    ).body;
    const child = fork(fileURLToPath(import.meta.url), ['watch']);
    const messages = reports(child);
    const { url, key } = product;
    child.send({ url, key, sessionId: session_id, count } satisfies Watch);
    await messages.next();
    const mb = Math.round(process.memoryUsage().rss / 1_000_000);
    const used = process.cpuUsage();
    const closedAt = Date.now();
    await callApi(url, 'POST', '/session/close', { key, body: { session_id } });
    const { value } = await messages.next();
    const { user, system } = process.cpuUsage(used);
    const arrivedAt: readonly number[] = value && 'arrivedAt' in value ? value.arrivedAt : [];
    const sorted = arrivedAt.map(at => at - closedAt).sort((a, b) => a - b);
    const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
    slowest.push(share(1));
    console.log(
      `round ${round}: ${sorted.length} subscribers, service ${mb} MB; after close was sent: first subscriber ${share(0)} ms, half of them ${share(0.5)} ms, last ${share(1)} ms; ${Math.round((user + system) / 1_000)} ms of processor`,
    );
    child.kill();
  }
  const sorted = slowest.toSorted((a, b) => a - b);
  console.log(
    `the last of ${count} subscribers after: median ${sorted[Math.floor((rounds - 1) / 2)]} ms, worst ${sorted.at(-1)} ms of ${rounds} rounds`,
  );
}

async function* reports(child: ReturnType<typeof fork>): AsyncGenerator<Report> {
  const waiting: Report[] = [];
  let wake: () => void = () => {};
  child.on('message', report => {
    waiting.push(report as Report);
    wake();
  });
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) yield next;
    else await new Promise<void>(resolve => (wake = resolve));
  }
}

async function watch({ url, key, sessionId, count }: Watch): Promise<void> {
  const arrivedAt: number[] = [];
  const all = Promise.withResolvers<void>();
  const changed = (): void => {
    arrivedAt.push(Date.now());
    if (arrivedAt.length === count) all.resolve();
  };
  const sockets: WebSocket[] = [];
  for (let n = 0; n < count; n += OPENING_AT_ONCE)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(OPENING_AT_ONCE, count - n) }, () =>
          watching({ url, key, sessionId }, changed),
        ),
      )),
    );
  process.send?.({ watching: true } satisfies Report);
  await all.promise;
  process.send?.({ arrivedAt } satisfies Report);
  for (const socket of sockets) socket.terminate();
}

/** Opens a socket and waits for the first result of its subscription. */
async function watching(
  { url, key, sessionId }: Omit<Watch, 'count'>,
  changed: () => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject);
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } })),
  );
  socket.on('message', data => {
    const { type, payload } = JSON.parse(String(data));
    if (type === 'connection_ack')
      socket.send(
        JSON.stringify({
          id: '1',
          type: 'subscribe',
          payload: { query: QUERY, variables: { id: sessionId } },
        }),
      );
    else if (type === 'error') reject(new Error(JSON.stringify(payload)));
    else if (type === 'next' && payload.data.sessionStatusChanged.status === 'ACTIVE') resolve();
    else if (type === 'next') changed();
  });
  await promise;
  return socket;
}
