/**
 * Measures the record of sessions: the time of a step without it, with pictures, with a video, and with the console and the requests; the
 * bytes of a step; the time until a picture is on the disk; and the processor time of ten viewers of a moving page beside one.
 *
 *   npm run bench:record               20 rounds of 10 steps
 *   npm run bench:record -- 5          5 rounds
 */
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { markdownTable } from 'markdown-table';
import { WebSocket } from 'ws';
import { groupMembers, processorMs } from '../../src/browser/limits/processTable.ts';
import { AccountFileBytes } from '../../src/store/files/accountFileBytes.ts';
import { folderRecordStore } from '../../src/store/files/folderRecordStore.ts';
import { registeredBrowsers } from '../support/browserProcesses.ts';
import { type BenchResponse, type ServedTree, serveTree } from './serveTree.ts';
import { median, percentile } from './statistics.ts';

const rounds = Math.max(1, Number(process.argv[2] ?? 20));
const STEPS = 10;
/** Time for which viewers watch, in milliseconds. */
const WATCH_MS = 10_000;

/** A shop-like page: each press sends a request, writes to the console and changes a part of the page. */
const PAGE = `<title>Shop</title><h1>Shop</h1><button>More</button><ul></ul>
  ${Array.from({ length: 40 }, (_, i) => `<a href="/?${i}">Article ${i}</a> `).join('')}
  <script>
    let n = 0;
    document.querySelector('button').onclick = async () => {
      const response = await fetch('/item?' + ++n);
      console.log('item', n, { status: response.status });
      document.querySelector('ul').innerHTML += '<li>' + await response.text();
    };
  </script>`;
const MOVING = `<title>Moving</title><style>div { width: 200px; height: 200px; background: #08f; animation: move 2s infinite alternate }
  @keyframes move { to { transform: translateX(900px) rotate(180deg) } }</style><div></div><p>${'word '.repeat(400)}</p>`;

const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  const path = request.url ?? '/';
  response.end(path.startsWith('/item') ? `item ${path}` : path === '/moving' ? MOVING : PAGE);
});
const listening = Promise.withResolvers<void>();
site.listen(0, '127.0.0.1', listening.resolve);
await listening.promise;
const { port } = site.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;

const folder = join(import.meta.dirname, '../..');
const withLog = await serveTree(folder, port, line => console.error(line), {
  PAGESPACE_PAGE_LOG: 'on',
  PAGESPACE_WARM_CONTEXTS: '2',
});

/** The same service with a key of its own, whose sessions have no console and no requests: two processes would differ by more than the log costs. */
async function withoutPageLog(tree: ServedTree): Promise<ServedTree> {
  const query = 'mutation { createApiKey(input: { name: "quiet", pageLog: false }) { key } }';
  const response = await post(`${tree.url}/graphql`, tree.key, { query });
  const { data } = response as { data: { createApiKey: { key: string } } };
  const { key } = data.createApiKey;
  return {
    ...tree,
    key,
    call: async (path, body) => (await post(tree.url + path, key, body)) as BenchResponse,
  };
}
async function post(address: string, key: string, body: object): Promise<unknown> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
  return response.json();
}
const without = await withoutPageLog(withLog);

interface Variant {
  readonly name: string;
  readonly tree: ServedTree;
  readonly record: 'off' | 'steps' | 'video';
  readonly times: number[];
  readonly bytes: number[];
}
const variant = (name: string, tree: ServedTree, record: Variant['record']): Variant => ({
  name,
  tree,
  record,
  times: [],
  bytes: [],
});
const variants = [
  variant('nothing but the lists', without, 'off'),
  variant('console and network', withLog, 'off'),
  variant('`steps`', without, 'steps'),
  variant('`video`', without, 'video'),
];
/** Milliseconds from the answer to a step until its picture is on the disk. */
const lags: number[] = [];

const recordOf = ({ dataDir }: ServedTree) =>
  folderRecordStore(join(dataDir, 'records'), {
    sessionBytes: 1,
    accountBytes: new AccountFileBytes({ maxBytes: null, retentionDays: null }),
  });

async function run({ tree, record, times, bytes }: Variant): Promise<void> {
  const { session_id } = await tree.call('/session/start', { record });
  const { space } = await tree.call('/env/observe', { session_id, url });
  const action_id = space?.actions.find(({ name }) => name === 'More')?.id ?? '';
  for (let n = 0; n < STEPS; n++) {
    const from = performance.now();
    await tree.call('/env/step', { session_id, action_id });
    times.push(performance.now() - from);
  }
  if (record === 'steps') {
    const answered = performance.now();
    while ((await recordOf(tree).read(session_id, 'picture', STEPS + 1)) === null) await delay(5);
    lags.push(performance.now() - answered);
  }
  await tree.call('/session/close', { session_id });
  const { size } = await stat(join(tree.dataDir, 'records', `${session_id}.log`));
  bytes.push(size / (STEPS + 1));
}

const processorOf = ({ pid, dataDir }: ServedTree): { service: number; browser: number } => ({
  service: processorMs(pid),
  browser: registeredBrowsers(join(dataDir, 'browsers'))
    .flatMap(({ group }) => groupMembers(group))
    .reduce((sum, member) => sum + processorMs(member.pid), 0),
});

/** Returns the processor time of the browser and of the service while viewers watch, in milliseconds a second; and the pictures each got. */
async function watch(tree: ServedTree, session: string, viewers: number) {
  let pictures = 0;
  const sockets = Array.from({ length: viewers }, () => {
    const socket = new WebSocket(
      `${tree.url.replace('http', 'ws')}/session/${session}/frames?max_width=1280`,
      {
        headers: { authorization: `Bearer ${tree.key}` },
      },
    );
    socket.on('message', () => pictures++);
    return socket;
  });
  await delay(1_000);
  const before = processorOf(tree);
  pictures = 0;
  await delay(WATCH_MS);
  const after = processorOf(tree);
  const got = pictures / viewers / (WATCH_MS / 1_000);
  for (const socket of sockets) socket.close();
  await delay(500);
  const perSecond = (ms: number) => ms / (WATCH_MS / 1_000);
  return {
    browser: perSecond(after.browser - before.browser),
    service: perSecond(after.service - before.service),
    pictures: got,
  };
}

try {
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (let n = 0; n < variants.length; n++) {
      const each = variants[(n + round) % variants.length];
      if (each !== undefined) await run(each);
    }
    if (round === 0)
      for (const { times, bytes } of variants) {
        times.length = 0;
        bytes.length = 0;
      }
  }
  const base = median(variants[0]?.times ?? []);
  console.log(
    markdownTable([
      ['Record', 'Step, median / 95th percentile in ms', 'to no record', 'kB a step'],
      ...variants.map(({ name, times, bytes }) => [
        name,
        `${median(times).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)}`,
        (median(times) / base).toFixed(3),
        (median(bytes) / 1_000).toFixed(1),
      ]),
    ]),
  );
  console.log(
    `\nA picture is on the disk ${Math.round(median(lags))} ms after the answer (median), at most ${Math.round(Math.max(...lags))} ms.`,
  );
  const { session_id } = await without.call('/session/start', {});
  await without.call('/env/observe', { session_id, url: `${url}/moving` });
  const rows: { viewers: number; browser: number; service: number; pictures: number }[] = [];
  for (const viewers of [0, 1, 10, 1, 10])
    rows.push({ viewers, ...(await watch(without, session_id, viewers)) });
  console.log(
    `\n${markdownTable([
      ['Viewers at 1,280 px', 'browser, ms a second', 'service, ms a second', 'pictures a second each'],
      ...rows.map(({ viewers, browser, service, pictures }) => [
        String(viewers),
        browser.toFixed(0),
        service.toFixed(0),
        viewers === 0 ? '' : pictures.toFixed(1),
      ]),
    ])}`,
  );
} finally {
  await withLog.close();
  site.close();
}
