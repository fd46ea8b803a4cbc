/**
 * `npm run bench:calls`: counts the source files and the function calls of src/ that one REST request executes in the service, by V8's
 * precise coverage, on a page of three actions. What the service does meanwhile without a request is subtracted from nothing: it has a row of its own.
 *
 *   npm run bench:calls                  prints the table
 *   npm run bench:calls -- --files       prints also the files of the step, with their calls
 */
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { callApi } from '../support/callApi.ts';
import { startTestProduct } from '../support/startServer.ts';

const PAGE =
  '<!doctype html><title>Tea</title><h1>Tea</h1><button onclick="count.textContent++">Pour</button><p id="count">0</p><a href="#more">More</a><input aria-label="Name">';
const SRC = new URL('../../src/', import.meta.url).href;
/** Rounds before the counted one: they compile what later requests use, and fill caches. */
const WARM_UP = 5;

interface Counted {
  readonly files: ReadonlyMap<string, number>;
  readonly functions: number;
  readonly calls: number;
}

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function count(work: () => Promise<unknown>): Promise<Counted> {
  await inspector.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = new Map<string, number>();
  let functions = 0;
  for (const { url, functions: found } of result) {
    if (!url.startsWith(SRC)) continue;
    // The first function of a script is the script itself.
    const called = found.filter(
      ({ functionName, ranges }) => functionName !== '' || (ranges[0]?.startOffset ?? 0) > 0,
    );
    const counts = called.map(({ ranges }) => ranges[0]?.count ?? 0).filter(calls => calls > 0);
    if (counts.length === 0) continue;
    functions += counts.length;
    files.set(
      url.slice(SRC.length),
      counts.reduce((sum, calls) => sum + calls, 0),
    );
  }
  return { files, functions, calls: [...files.values()].reduce((sum, calls) => sum + calls, 0) };
}

const pause = () => new Promise(resolve => setTimeout(resolve, 300));

await buildInjectedScripts();
const site = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(PAGE);
});
await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
{
  await using product = await startTestProduct();
  const { key } = product;
  const post = async (path: string, body: object) => {
    const response = await callApi(product.url, 'POST', path, { key, body });
    if (response.status !== 200) throw new Error(response.text);
    return response.body;
  };
  const { session_id } = await post('/session/start', {});
  const seen = await post('/env/observe', { session_id, url });
  const action_id = seen.space.actions.find((action: { name: string }) => action.name === 'Pour').id;
  const query = 'mutation ($input: StepInput!) { step(input: $input) { session { id } diff { markdown } } }';
  const rows: Readonly<Record<string, () => Promise<unknown>>> = {
    idle: pause,
    'POST /env/step': () => post('/env/step', { session_id, action_id }),
    'the same, lean': () =>
      post('/env/step', { session_id, action_id, fields: ['markdown', 'diff', 'messages'] }),
    'POST /env/observe': () => post('/env/observe', { session_id }),
    'POST /env/scrape': () => post('/env/scrape', { session_id }),
    'GraphQL step with diff': () =>
      post('/graphql', {
        query,
        variables: { input: { sessionId: session_id, actionId: action_id, diffSince: 'last' } },
      }),
  };
  console.log(`${''.padEnd(26)}${'files'.padStart(8)}${'functions'.padStart(11)}${'calls'.padStart(8)}`);
  for (const [name, request] of Object.entries(rows)) {
    for (let round = 0; round < WARM_UP; round++) {
      await request();
      await pause();
    }
    const { files, functions, calls } = await count(request);
    console.log(
      `${name.padEnd(26)}${String(files.size).padStart(8)}${String(functions).padStart(11)}${String(calls).padStart(8)}`,
    );
    if (name === 'POST /env/step' && process.argv.includes('--files'))
      for (const [file, number] of [...files].toSorted((a, b) => b[1] - a[1]))
        console.log(`  ${String(number).padStart(5)} ${file}`);
  }
}
site.close();
inspector.disconnect();
// The browsers of test products are shared, and stay until the process ends.
process.exit(0);
