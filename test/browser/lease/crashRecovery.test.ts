import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

let asked = Promise.withResolvers<ServerResponse>();
const PAGES = {
  '/': '<title>Page</title><button onclick="fetch(`/hang`)">Hang</button>',
  '/hang': (_request: unknown, response: ServerResponse) => asked.resolve(response),
  '/secret': (_request: unknown, response: ServerResponse) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' });
    response.end('<title>Who are you?</title>');
  },
  '/frames':
    '<title>Frames</title><p>Outer</p><iframe src="/inner"></iframe><script>onmessage = e => { document.title = e.data }</script>',
  '/inner': `<button onclick="setTimeout(() => { this.textContent = 'done late'; parent.postMessage('told', '*') }, 15)">Inside</button>`,
};

/** The renderer processes of this test's browsers: descendants of this process, because a script may wrap the browser. */
function renderers(): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map(line => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap(row =>
      row === null ? [] : [{ pid: Number(row[1]), parent: Number(row[2]), args: row[3] ?? '' }],
    );
  const ours = new Set([process.pid]);
  for (let size = 0; size !== ours.size; ) {
    size = ours.size;
    for (const row of rows) if (ours.has(row.parent)) ours.add(row.pid);
  }
  return rows.filter(row => ours.has(row.pid) && row.args.includes('--type=renderer')).map(row => row.pid);
}

const killRenderers = () => {
  for (const pid of renderers()) process.kill(pid, 'SIGKILL');
};

describe('A session whose page crashes', () => {
  let started: StartedService;
  let pages: ServedPages;
  let agent: AgentDriver;

  beforeAll(async () => {
    [started, pages] = await Promise.all([startService(), servePages(PAGES)]);
  });
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    asked = Promise.withResolvers();
    agent = await startAgentDriver(started);
    return () => agent.close();
  });

  it('answers the running operation with BROWSER_CRASHED and reloads the page for the next one', async () => {
    await agent.observe(`${pages.url}/`);
    const step = agent.step(/Hang/);
    await asked.promise;
    killRenderers();
    await expect(step).rejects.toMatchObject({
      code: 'BROWSER_CRASHED',
      context: { session: { status: 'active' } },
    });
    expect((await agent.observe()).metadata.title).toBe('Page');
  });

  it('reloads the page for the next operation if it crashed between two operations', async () => {
    await agent.observe(`${pages.url}/`);
    killRenderers();
    await expect.poll(async () => (await agent.observe().catch(() => null))?.metadata.title).toBe('Page');
    expect(agent.find(/Hang/).id).toMatch(/^B\d+$/);
  });
});

describe('A lease', () => {
  let started: StartedService;
  let pages: ServedPages;

  beforeAll(async () => {
    [started, pages] = await Promise.all([startService(), servePages(PAGES)]);
  });
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  it('observes a page that requires a password, with its status', async () => {
    const agent = await startAgentDriver(started);
    expect((await agent.observe(`${pages.url}/secret`)).metadata).toMatchObject({
      httpStatus: 401,
      title: 'Who are you?',
    });
    await agent.close();
  });

  it('waits until a frame has settled after a step in it', async () => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/frames`);
    await agent.step(/Inside/);
    expect(agent.find(/done late/).frame).toBe(`${pages.url}/inner`);
    await agent.close();
  });
});
