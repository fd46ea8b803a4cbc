/**
 * How long a change takes to reach five thousand subscribers, each on a WebSocket of its own in another process.
 * The change is the close of the session that all of them watch. Prints each round, then the median and the worst of all;
 * judges nothing.
 *
 *   npm run bench:subscribers -- [subscribers] [rounds]
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { callApi } from '../support/callApi.ts';
import { startTestProduct } from '../support/startServer.ts';

/** What the parent asks of the child: to watch this session. */
interface Watch {
  readonly url: string;
  readonly key: string;
  readonly sessionId: string;
  readonly count: number;
}
/** What the child tells: all are watching; or when the change reached each, in milliseconds since the epoch. */
type Report = { readonly watching: true } | { readonly arrivedAt: readonly number[] };

const QUERY = 'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { id status } }';
/** Sockets being opened at once: the listening queue of the system is short. */
const OPENING = 100;

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
    const told = reports(child);
    const { url, key } = product;
    child.send({ url, key, sessionId: session_id, count } satisfies Watch);
    await told.next();
    const mb = Math.round(process.memoryUsage().rss / 1_000_000);
    const used = process.cpuUsage();
    const closedAt = Date.now();
    await callApi(url, 'POST', '/session/close', { key, body: { session_id } });
    const { value } = await told.next();
    const { user, system } = process.cpuUsage(used);
    const arrivedAt: readonly number[] = value && 'arrivedAt' in value ? value.arrivedAt : [];
    const sorted = arrivedAt.map(at => at - closedAt).sort((a, b) => a - b);
    const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
    slowest.push(share(1));
    console.log(
      `round ${round}: ${sorted.length} subscribers, service ${mb} MB; after close was sent: first told ${share(0)} ms, half ${share(0.5)} ms, last ${share(1)} ms; ${Math.round((user + system) / 1_000)} ms of processor`,
    );
    child.kill();
  }
  const sorted = slowest.toSorted((a, b) => a - b);
  console.log(
    `the last of ${count} told after: median ${sorted[Math.floor((rounds - 1) / 2)]} ms, worst ${sorted.at(-1)} ms of ${rounds} rounds`,
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
  for (let n = 0; n < count; n += OPENING)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(OPENING, count - n) }, () =>
          watching({ url, key, sessionId }, changed),
        ),
      )),
    );
  process.send?.({ watching: true } satisfies Report);
  await all.promise;
  process.send?.({ arrivedAt } satisfies Report);
  for (const socket of sockets) socket.terminate();
}

/** A socket that has been told the present state. */
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
