import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionLimits } from '../../../src/domain/session/sessionLimits.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { NO_SESSION_LIMITS, type StartedService, startService } from '../../support/startService.ts';

const MB = 1_000_000;
const GROW = 'self.held = []; setInterval(() => held.push(new Uint8Array(2e7).fill(1)), 5)';
const script = (_request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'text/javascript');
  response.end(GROW);
};
const PAGES = {
  '/': '<title>Quiet</title><button>Here</button>',
  // These pages load nothing but the document, so that no event shows their process.
  '/grows':
    '<title>Grows</title><script>window.held = []; setInterval(() => held.push(new Uint8Array(2e7).fill(1)), 5)</script>',
  '/spins':
    '<title>Spins</title><script>window.held = []; for (;;) held.push(new Uint8Array(2e7).fill(1))</script>',
  '/holds': '<title>Holds</title><script>window.held = new Uint8Array(12e7).fill(1)</script>',
  '/frame': (request: IncomingMessage, response: ServerResponse) => {
    const { port } = new URL(`http://${request.headers.host}`);
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Frame</title><iframe src="http://localhost:${port}/grows"></iframe>`);
  },
  '/grow.js': script,
  '/worker': '<title>Worker</title><script>new Worker("/grow.js")</script>',
  '/shared-worker': '<title>Shared worker</title><script>new SharedWorker("/grow.js")</script>',
  '/service-worker':
    '<title>Service worker</title><script>navigator.serviceWorker.register("/grow.js")</script>',
  '/canvas': `<title>Canvas</title><script>window.held = []; setInterval(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 2000 });
    const drawing = canvas.getContext('2d');
    drawing.fillRect(0, 0, 2000, 2000);
    drawing.getImageData(0, 0, 1, 1);
    held.push(canvas);
  }, 5)</script>`,
  '/three': (request: IncomingMessage, response: ServerResponse) => {
    const { port } = new URL(`http://${request.headers.host}`);
    const open = ['127.0.0.1', 'localhost', 'other.localhost'].map(
      host => `window.open('http://${host}:${port}/holds', '_blank', 'noopener')`,
    );
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Three</title><button onclick="${open.join(';')}">Open</button>`);
  },
  '/works':
    '<title>Works</title><script>setInterval(() => { const end = performance.now() + 50; while (performance.now() < end); }, 60)</script>',
  '/hangs': '<title>Hangs</title><script>for (;;);</script>',
  '/asks': '<title>Asks</title><script>setInterval(() => fetch("/?" + Math.random()), 1)</script>',
  '/loads': '<title>Loads</title><script>setInterval(() => fetch("/large").then(r => r.blob()), 5)</script>',
  '/large': (_request: IncomingMessage, response: ServerResponse) => response.end(Buffer.alloc(MB)),
  '/opens':
    '<title>Opens</title><button onclick="window.open(`/`); window.open(`/`); window.open(`/`)">Open</button>',
};

let pages: ServedPages;
let started: StartedService;
let agent: AgentDriver;

/** The limits of `started`; empty before the first one. */
let startedWith = '';

/** Starts a session with these limits, in the service of the test before this one if that had the same. */
async function startWith(limits: Partial<SessionLimits>): Promise<void> {
  if (startedWith !== JSON.stringify(limits)) {
    if (startedWith !== '') await started[Symbol.asyncDispose]();
    started = await startService({
      limits: { ...NO_SESSION_LIMITS, ...limits },
      limitCheckIntervalMs: 100,
      // A script without end is not ended before its session reaches the limit.
      scriptTimeoutMs: 60_000,
      // On a busy machine a page gets its processor time late.
      operationTimeoutMs: 90_000,
    });
    startedWith = JSON.stringify(limits);
  }
  agent = await startAgentDriver(started);
}

const sessionOf = async (one: AgentDriver) => {
  const [session] = await started.service.sessions(started.viewer, [one.sessionId]);
  return session ?? null;
};
const errorOf = async (one: AgentDriver): Promise<string | null> => {
  const session = await sessionOf(one);
  return session?.status === 'error' ? session.error : null;
};

/**
 * Opens the page and observes it again for as long as it is answered: a page that hangs is answered at once, and on a busy machine
 * many answers come before it reaches its limit.
 */
async function observeToTheEnd(path: string): Promise<never> {
  await agent.observe(pages.url + path);
  for (;;) await agent.observe();
}

beforeAll(async () => {
  pages = await servePages(PAGES);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

describe('A session that exceeds the limit', () => {
  it('of memory ends with the reason, and no other session of its browser ends', async () => {
    await startWith({ memoryBytes: 250 * MB });
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/`);
    await agent.observe(`${pages.url}/grows`).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 250 MB of memory/);
    expect((await neighbour.observe()).metadata.title).toBe('Quiet');
    expect(neighbour.find(/Here/).id).toBe('B1');
  });

  it('of memory ends even when its page runs an endless loop', async () => {
    await startWith({ memoryBytes: 250 * MB });
    await expect(observeToTheEnd('/spins')).rejects.toMatchObject({
      code: 'SESSION_ERROR',
      message: expect.stringMatching(/more than 250 MB of memory/),
      context: { session: { status: 'error' } },
    });
  });

  it.each(['/frame', '/worker', '/shared-worker', '/service-worker', '/canvas'])(
    'of memory by %s ends',
    async path => {
      await startWith({ memoryBytes: 250 * MB });
      await agent.observe(pages.url + path).catch(() => {});
      await expect.poll(() => errorOf(agent)).toMatch(/more than 250 MB of memory/);
    },
  );

  it('of memory with several pages together ends', async () => {
    await startWith({ memoryBytes: 300 * MB });
    await agent.observe(`${pages.url}/three`);
    await agent.step(/Open/).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 300 MB of memory/);
  });

  it('of processor time ends with the reason, and no other session ends', async () => {
    await startWith({ processorMs: 600 });
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/`);
    // On a busy machine the session ends before its page is read.
    await agent.observe(`${pages.url}/works`).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 0.01 minutes of processor time/);
    expect((await neighbour.observe()).metadata.title).toBe('Quiet');
  });

  it('of processor time ends even when its page runs an endless loop', async () => {
    await startWith({ processorMs: 600 });
    await expect(observeToTheEnd('/hangs')).rejects.toMatchObject({
      code: 'SESSION_ERROR',
      message: expect.stringMatching(/of processor time/),
    });
  });

  it('of traffic ends with the reason', async () => {
    await startWith({ trafficBytes: 20 * MB });
    await agent.observe(`${pages.url}/loads`).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 20 MB/);
  });

  it('of pages ends with the reason', async () => {
    await startWith({ pages: 2 });
    await agent.observe(`${pages.url}/opens`);
    await agent.step(/Open/).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 2 pages/);
  });

  it('of requests ends with the reason, also in its last event and in every later failure, and releases its slot', async () => {
    await startWith({ requests: 50 });
    await agent.observe(`${pages.url}/asks`).catch(() => {});
    await expect.poll(() => errorOf(agent)).toMatch(/more than 50 requests/);
    await expect(agent.observe()).rejects.toMatchObject({
      code: 'SESSION_ERROR',
      message: expect.stringMatching(/more than 50 requests.*Start a new session/),
    });
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 100);
    expect(events.at(-1)?.event).toMatchObject({
      type: 'ended',
      status: 'error',
      reason: await errorOf(agent),
    });
    await expect
      .poll(() => [started.browsers.sessionCount, started.service.activeSessionCount()])
      .toEqual([0, 0]);
  });
});
