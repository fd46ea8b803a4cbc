import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

let started: StartedService;
let pages: ServedPages;

beforeAll(async () => {
  const leaveAfter = (ms: number, target: string) =>
    `<title>Leaving</title><button>Stay</button><script>setTimeout(() => { location.href = '${target}' }, ${ms})</script>`;
  [started, pages] = await Promise.all([
    startService(),
    servePages({
      '/end': '<title>End</title>',
      ...Object.fromEntries(
        [0, 10, 20, 30, 40, 50, 60, 70].flatMap(ms => [
          [`/blank-${ms}`, leaveAfter(ms, 'about:blank')],
          [`/next-${ms}`, leaveAfter(ms, '/end')],
        ]),
      ),
    }),
  ]);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

describe('observe with a screenshot', () => {
  // Chromium never answers a capture of a document that another one replaces meanwhile. The delays meet that moment at any speed of the machine.
  test.each(['blank', 'next'])(
    'returns a picture while the page goes to another address (%s)',
    async kind => {
      const signal = new AbortController().signal;
      const results = [0, 10, 20, 30, 40, 50, 60, 70].map(async ms => {
        const agent = await startAgentDriver(started);
        const { screenshot } = await started.service.observe(started.viewer, {
          sessionId: agent.sessionId,
          url: `${pages.url}/${kind}-${ms}`,
          keepAlive: null,
          timeoutMinutes: null,
          screenshot: true,
          signal,
          limits: { max: 10, min: null },
          data: null,
          space: true,
        });
        await agent.close();
        return screenshot?.slice(0, 5);
      });
      expect(new Set(await Promise.all(results))).toEqual(new Set(['iVBOR']));
    },
  );
});
