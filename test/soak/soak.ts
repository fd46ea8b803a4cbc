/**
 * Runs the whole service for minutes, or for a number of sessions. Callers start, observe, step, scrape and close without a pause, some of them
 * go away during an operation, and browsers are killed now and then. Prints the results, and whether anything leaked.
 *
 *   npm run soak                       one minute
 *   npm run soak -- --minutes 30
 *   npm run soak -- --callers 16       callers at the same time (default: 8)
 *   npm run soak -- --no-harm          kill no browser, let no caller go away
 *   npm run soak -- --sessions 1000    run sessions one after another, without harm, and print what they leave
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupMembers, residentBytes } from '../../src/browser/limits/processTable.ts';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { runProgram } from '../main/runProgram.ts';
import { registeredBrowsers } from '../support/browserProcesses.ts';
import { servePages } from '../support/servePages.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    callers: { type: 'string', default: '8' },
    'no-harm': { type: 'boolean', default: false },
    sessions: { type: 'string' },
  },
});
/** Sessions in total; null for as many as fit into the minutes. */
const SESSIONS = values.sessions === undefined ? null : Math.max(1, Number(values.sessions));
const MINUTES = SESSIONS === null ? Math.max(0.1, Number(values.minutes)) : Number.POSITIVE_INFINITY;
const CALLERS = SESSIONS === null ? Math.max(1, Number(values.callers)) : 1;
const CHAOS = SESSIONS === null && !values['no-harm'];
/** Sessions at the beginning that are not measured: the first ones fill caches. */
const WARM_UP_SESSIONS = 20;
/** Percent of the sessions whose caller goes away, and during which a browser is killed. */
const LEAVE_PERCENT = 3;
const KILL_PERCENT = 0.5;
/** Idle sessions, to measure when they time out. */
const IDLE_SESSIONS = 5;
const CAPACITY = CALLERS + IDLE_SESSIONS + 2;
const REPORT_INTERVAL_MS = 10_000;

const ITEMS = Array.from(
  { length: 60 },
  (_, n) => `<li><a href="/item?${n}">Item ${n}</a> <button>Add ${n}</button></li>`,
);
const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1><label>Search <input name="q"></label><ul>${ITEMS.join('')}</ul>`;

const folder = mkdtempSync(join(tmpdir(), 'pagespace-soak-'));
const dataDir = join(folder, 'data');
const pages = await servePages({
  '/': PAGE,
  '/item': '<!doctype html><title>Item</title><h1>Item</h1><a href="/">Back</a>',
});
const running = runProgram(['serve'], {
  PORT: '0',
  PAGESPACE_DATA_DIR: dataDir,
  PAGESPACE_CAPACITY: String(CAPACITY),
  PAGESPACE_EGRESS_ALLOW: new URL(pages.url).host,
  LOG_LEVEL: 'error',
});
const [, url = ''] = await running.waitForOutput(/listens on (\S+)/);
await running.waitForOutput(/\n.*curl.*\n$/);
const key =
  running
    .out()
    .split('\n')
    .find(line => parseApiKey(line) !== null) ?? '';

let sessions = 0;
let operations = 0;
const failures = new Map<string, number>();
const times: number[] = [];
const end = performance.now() + MINUTES * 60_000;

interface ApiResponse {
  readonly session_id?: string;
  readonly code?: string;
  readonly space?: { readonly actions: readonly { readonly id: string; readonly name: string | null }[] };
}

async function call(path: string, body: object, signal?: AbortSignal): Promise<ApiResponse> {
  const began = performance.now();
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const answer = (await response.json()) as ApiResponse;
  times.push(performance.now() - began);
  operations++;
  if (!response.ok) {
    const code = answer.code ?? String(response.status);
    failures.set(code, (failures.get(code) ?? 0) + 1);
    throw new Error(code);
  }
  return answer;
}

const chance = (percent: number): boolean => CHAOS && Math.random() * 100 < percent;

async function session(): Promise<void> {
  const { session_id } = await call('/session/start', {});
  try {
    if (chance(KILL_PERCENT)) killRandomBrowser();
    const { space } = await call('/env/observe', { session_id, url: `${pages.url}/` });
    const pick = space?.actions[Math.floor(Math.random() * (space.actions.length || 1))];
    if (chance(LEAVE_PERCENT)) {
      // Goes away during an operation.
      const leaving = new AbortController();
      const left = call('/env/scrape', { session_id }, leaving.signal);
      leaving.abort();
      await left.catch(() => {});
    }
    if (pick !== undefined)
      await call('/env/step', {
        session_id,
        action_id: pick.id,
        value: pick.id.startsWith('I') ? 'x' : null,
      });
    await call('/env/scrape', { session_id });
    sessions++;
  } finally {
    await call('/session/close', { session_id });
  }
}

function killRandomBrowser(): void {
  const up = registeredBrowsers(join(dataDir, 'browsers'));
  const one = up[Math.floor(Math.random() * up.length)];
  if (one !== undefined) process.kill(one.pid, 'SIGKILL');
}

let started = 0;

async function caller(): Promise<void> {
  while (performance.now() < end && (SESSIONS === null || started < SESSIONS + WARM_UP_SESSIONS)) {
    if (started === WARM_UP_SESSIONS) before = takeSnapshot();
    started++;
    await session().catch(() => {});
  }
}

const percentile = (share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0);
const megabytes = (pids: readonly number[]): number =>
  Math.round(pids.reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0) / 1_000_000);

interface ResourceSnapshot {
  readonly processes: number;
  readonly serviceMb: number;
  readonly browsersMb: number;
}

let before: ResourceSnapshot | null = null;

function takeSnapshot(): ResourceSnapshot {
  const browsers = registeredBrowsers(join(dataDir, 'browsers')).flatMap(({ group }) => groupMembers(group));
  return {
    processes: browsers.length,
    serviceMb: megabytes([running.child.pid ?? 0]),
    browsersMb: megabytes(browsers.map(({ pid }) => pid)),
  };
}

/** The resources before and after the sessions. */
function compareSnapshots(first: ResourceSnapshot, last: ResourceSnapshot): string {
  return [
    ['browser processes', first.processes, last.processes, ''],
    ['memory of the service', first.serviceMb, last.serviceMb, ' MB'],
    ['memory of the browsers', first.browsersMb, last.browsersMb, ' MB'],
  ]
    .map(([what, was, is, unit]) => `${String(what).padEnd(25)}${was} → ${is}${unit}`)
    .join('\n');
}

function report(): void {
  const { processes, serviceMb, browsersMb } = takeSnapshot();
  const left =
    SESSIONS === null
      ? `${Math.max(0, Math.round((end - performance.now()) / 1_000))} s`
      : `${SESSIONS + WARM_UP_SESSIONS - started}`;
  const failed = [...failures].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  console.log(
    `${left.padStart(7)} left  ${sessions} sessions  ${operations} operations  p50 ${percentile(0.5)} ms  p99 ${percentile(0.99)} ms  service ${serviceMb} MB  browsers ${processes} processes, ${browsersMb} MB  failures: ${failed}`,
  );
}

const idle = await Promise.all(
  Array.from(
    { length: IDLE_SESSIONS },
    async () => (await call('/session/start', { session_timeout_minutes: 1 })).session_id,
  ),
);
const reporter = setInterval(report, REPORT_INTERVAL_MS);
await Promise.all(Array.from({ length: CALLERS }, caller));
clearInterval(reporter);
report();
const after = takeSnapshot();

/** The delays with which the idle sessions timed out, in milliseconds. Those that are not due yet are closed. */
const lateness: number[] = [];
for (const session_id of idle) {
  const response = await fetch(`${url}/session/${session_id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { status, ended_at, last_accessed_at } = (await response.json()) as Record<string, string>;
  if (status === 'timed_out')
    lateness.push(Date.parse(ended_at ?? '') - Date.parse(last_accessed_at ?? '') - 60_000);
  else await call('/session/close', { session_id: session_id ?? '' });
}

const health = (await (await fetch(`${url}/health`)).json()) as { active_sessions: number };
const groups = registeredBrowsers(join(dataDir, 'browsers')).map(({ group }) => group);
running.child.kill('SIGTERM');
const { code, err } = await running.result;
await pages[Symbol.asyncDispose]();
const orphans = groups.flatMap(group => groupMembers(group)).length;
rmSync(folder, { recursive: true, force: true });

const failureLines = [...failures].map(([name, count]) => `  ${name.padEnd(24)}${String(count).padStart(8)}`);
console.log(`
sessions done            ${sessions}
operations               ${operations}
failures by code         ${failureLines.length === 0 ? 'none' : `\n${failureLines.join('\n')}`}
slowest one in a hundred ${percentile(0.99)} ms or more; the slowest ${percentile(1)} ms
${
  before === null
    ? ''
    : `${compareSnapshots(before, after)}
`
}idle sessions            ${lateness.length} of ${IDLE_SESSIONS} timed out, the latest ${Math.max(0, ...lateness)} ms after its time
sessions left            ${health.active_sessions}
processes left           ${orphans}
exit code                ${code}`);
if (err.trim() !== '') console.log(`the log's errors:\n${err.trim()}`);
process.exitCode = health.active_sessions === 0 && orphans === 0 && code === 0 ? 0 : 1;
