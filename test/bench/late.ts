/**
 * Measures how many late effects the first answer of a step shows, how long a step without a late effect takes, and what work
 * without end costs a step.
 *
 *   npm run bench:late             every page once, and 40 steps without a late effect
 *   npm run bench:late -- 100      100 steps without a late effect
 *   npm run bench:late -- 0 frame  only the pages whose names match the expression
 */
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { startAgentDriver } from '../support/agentDriver.ts';
import { answerLateSocket } from '../support/lateMessagePaths.ts';
import type { LatePage } from '../support/latePage.ts';
import { LATE_PAGES, LATE_PATHS } from '../support/latePages.ts';
import { servePages } from '../support/servePages.ts';
import { startService } from '../support/startService.ts';

const ROUNDS = Math.max(0, Number(process.argv[2] ?? 40));
const NAMES = new RegExp(process.argv[3] ?? '');
const PARALLEL = 4;
/** Number of times that a page is tried whose browser is lost. */
const TRIES = 5;

const PROMPT = `<!doctype html><title>Prompt</title><button id="count">Count</button><input aria-label="Name">
<label><input type="checkbox"> Check</label><details><summary>More</summary><p>Details</p></details>
<ul>${Array.from({ length: 60 }, (_, n) => `<li><button>Row ${n}</button> and its text</li>`).join('')}</ul>
<p id="n">0</p><script>const n = document.getElementById('n');
document.getElementById('count').onclick = () => { n.textContent = Number(n.textContent) + 1 };</script>`;

/** Work without end that is no work of a step, and work of a step that never has an effect. */
const NOISE = {
  none: '',
  ticker: `setInterval(() => { document.getElementById('n').textContent = Date.now() }, 100)`,
  clock: `(function tick() { document.getElementById('n').textContent = Date.now(); setTimeout(tick, 250) })()`,
  poll: `setInterval(() => fetch('/noise-api').then(r => r.text()), 400)`,
  frames: `(function move() { n.style.marginLeft = Math.random() + 'px'; requestAnimationFrame(move) })()`,
  beacon: `start = () => { fetch('/hanging', { method: 'POST', keepalive: true }).catch(() => {}) }`,
  statistics: `start = () => { setTimeout(() => { window.sent = 1 }, 1500) }`,
  stepFrames: `const move = () => requestAnimationFrame(move); start = move`,
};
const noisyPage = (script: string): string =>
  `<!doctype html><title>Noise</title><button id="go">Go</button><p id="o"></p><p id="n">0</p><script>
  let n = 0; go.onclick = () => { o.textContent = 'Pressed ' + ++n; start() }; function start() {} ${script}</script>`;
const NOISE_PATHS = {
  ...Object.fromEntries(Object.entries(NOISE).map(([name, script]) => [`/noise/${name}`, noisyPage(script)])),
  // The late pages have an `/api` of their own.
  '/noise-api': 'ok',
  '/hanging': () => {},
};

await buildInjectedScripts();
await using started = await startService({ operationTimeoutMs: 30_000, warmContexts: PARALLEL });
await using pages = await servePages({ ...LATE_PATHS, ...NOISE_PATHS, '/prompt': PROMPT }, answerLateSocket);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function isRight(each: LatePage, nth: number): Promise<{ right: boolean; ms: number }> {
  const agent = await startAgentDriver(started);
  try {
    await agent.observe(`${pages.url}/late/${nth}`);
    const id = each.target === undefined ? '' : agent.find(new RegExp(escaped(each.target))).id;
    const start = performance.now();
    const action = /^S\d+$/.test(each.action) ? each.action : new RegExp(escaped(each.action));
    const { space } = await agent.step(action, each.value?.replace('{id}', id) ?? null);
    const ms = performance.now() - start;
    const words = (space?.actions ?? []).map(({ description }) => description);
    if (each.inMessages === true) words.push(...(space?.messages ?? []).map(({ text }) => text));
    return { right: words.some(text => text.includes(each.shows)), ms };
  } finally {
    await agent.close().catch(() => {});
  }
}

const rows: { name: string; right: boolean; ms: number }[] = [];
const queue = [...LATE_PAGES.entries()].filter(([, { name }]) => NAMES.test(name));
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [nth, each] = next;
      // A machine that is too busy loses browsers: that says nothing about the page.
      for (let left = TRIES; left > 0; left--) {
        const result = await isRight(each, nth).catch((error: unknown) => error);
        if (result instanceof Error && left > 1) continue;
        if (result instanceof Error) throw result;
        const row = { name: each.name, ...(result as Awaited<ReturnType<typeof isRight>>) };
        rows.push(row);
        if (!row.right) console.log(`missed: ${row.name} (${row.ms.toFixed(0)} ms)`);
        break;
      }
    }
  }),
);
const right = rows.filter(row => row.right).length;
console.log(
  `late effects in the first answer: ${right} of ${rows.length} (${((100 * right) / rows.length).toFixed(0)} %)`,
);

const agent = await startAgentDriver(started);
const times = new Map<string, number[]>();
await agent.observe(`${pages.url}/prompt`);
for (let round = 0; round < ROUNDS; round++)
  for (const [action, value] of [
    [/"Count"/, null],
    [/"Name"/, `name ${round}`],
    [/"Check"/, null],
    [/"More"/, null],
    [/"Row 7"/, null],
  ] as const) {
    const start = performance.now();
    await agent.step(action, value);
    const known = times.get(String(action)) ?? [];
    times.set(String(action), [...known, performance.now() - start]);
  }
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
for (const [action, values] of times) console.log(`${action.padEnd(10)} ${median(values).toFixed(1)} ms`);
console.log(`steps without a late effect, median: ${median([...times.values()].flat()).toFixed(1)} ms`);

let quietMs = 0;
for (const name of Object.keys(NOISE)) {
  await agent.observe(`${pages.url}/noise/${name}`);
  const noisy: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await agent.step(/"Go"/);
    noisy.push(performance.now() - start);
  }
  if (name === 'none') quietMs = median(noisy);
  else
    console.log(`endless noise (${name}): ${(median(noisy) - quietMs).toFixed(0)} ms more than without it`);
}
await agent.close();
