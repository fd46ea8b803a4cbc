import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { stoppedProcesses } from '../../support/browserProcesses.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const REGISTRY = mkdtempSync(join(tmpdir(), 'pagespace-processor-'));
afterAll(() => rmSync(REGISTRY, { recursive: true, force: true }));
const stopped = () => stoppedProcesses(REGISTRY);
/** A look reads the table of all processes. */
const EACH_LOOK = { interval: 250 };

/** The requests of /slow that have no answer yet; null while each is answered at once. */
let waiting: ServerResponse[] | null = null;
const answer = (response: ServerResponse): void => {
  response.setHeader('content-type', 'text/html').end('<title>Slow</title>');
};
const LOOPS = `<button onclick="document.title = 'pressed'">Press</button>
  <script>setInterval(() => { for (const end = Date.now() + 50; Date.now() < end;); }, 1)</script>`;
const PAGES = {
  '/': '<title>Home</title><button>Press</button>',
  '/slow': (_request: unknown, response: ServerResponse) => {
    if (waiting === null) answer(response);
    else waiting.push(response);
  },
  '/x.png': '',
  // A request names the process of the page; without one the service does not know it.
  '/loops': `<title>Loops</title><img src="/x.png">${LOOPS}`,
  '/unknown-process': `<title>Loops</title>${LOOPS}`,
  '/workers': `<title>Workers</title><img src="/x.png"><script>
    for (let n = 0; n < 4; n++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])));</script>`,
};

describe('A session whose pages are busy while another has an operation running', () => {
  const { pages, agent, started } = pageHarness(PAGES, {
    registryPath: REGISTRY,
    // A page exceeds its share of this also on a machine so busy that the page gets a thirtieth of a processor.
    processors: 0.02,
  });

  /** Runs `check` while the neighbour has operations running. */
  async function beside(check: () => Promise<void>): Promise<void> {
    const held: ServerResponse[] = [];
    waiting = held;
    const operations = (async () => {
      while (waiting !== null) await agent.observe(`${pages.url}/slow`).catch(() => {});
    })();
    await check().finally(() => {
      waiting = null;
    });
    held.forEach(answer);
    await operations;
  }

  it.each(['/loops', '/workers', '/unknown-process'])(
    'is paused until that ends, and no longer: %s',
    async path => {
      const busy = await startAgentDriver(started);
      await busy.observe(pages.url + path).catch(() => {});
      await agent.observe(`${pages.url}/`);
      await beside(() => expect.poll(() => stopped().length, EACH_LOOK).toBe(1));
      expect(stopped()).toEqual([]);
      await busy.close();
    },
  );

  it('continues for its own operation, and is not left stopped when it closes', async () => {
    const busy = await startAgentDriver(started);
    await busy.observe(`${pages.url}/loops`);
    await agent.observe(`${pages.url}/`);
    await beside(async () => {
      await expect.poll(() => stopped().length, EACH_LOOK).toBe(1);
      expect((await busy.step(/Press/)).metadata.title).toBe('pressed');
      await expect.poll(() => stopped().length, EACH_LOOK).toBe(1);
      await busy.close();
      await expect.poll(() => stopped().length, EACH_LOOK).toBe(0);
    });
    expect(started.warnings).toEqual([]);
  });
});
