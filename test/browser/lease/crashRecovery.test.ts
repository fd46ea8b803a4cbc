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

/** Processes of this test's browsers that render pages: grandchildren of this process, whatever wraps the browser. */
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

describe('a page whose process dies', () => {
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

  it('fails the operation that runs with BROWSER_CRASHED, and the session goes on with the page loaded anew', async () => {
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

  it('is loaded anew by the next operation when it died between two', async () => {
    await agent.observe(`${pages.url}/`);
    killRenderers();
    await expect.poll(async () => (await agent.observe().catch(() => null))?.metadata.title).toBe('Page');
    expect(agent.find(/Hang/).id).toMatch(/^B\d+$/);
  });
});

describe('a page', () => {
  let started: StartedService;
  let pages: ServedPages;

  beforeAll(async () => {
    [started, pages] = await Promise.all([startService(), servePages(PAGES)]);
  });
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  it('that asks for a password is observed with its status', async () => {
    const player = await startAgentDriver(started);
    expect((await player.observe(`${pages.url}/secret`)).metadata).toMatchObject({
      httpStatus: 401,
      title: 'Who are you?',
    });
    await player.close();
  });

  it('in a frame settles before a step in it is answered', async () => {
    const player = await startAgentDriver(started);
    await player.observe(`${pages.url}/frames`);
    await player.step(/Inside/);
    expect(player.find(/done late/).frame).toBe(`${pages.url}/inner`);
    await player.close();
  });
});
