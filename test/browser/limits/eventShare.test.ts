import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EventShareCounter } from '../../../src/browser/limits/protocolRateLimiter.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { stoppedProcesses } from '../../support/browserProcesses.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const SHARES = {
  logs: { burst: 100, perSecond: 50 },
  frames: { burst: 30, perSecond: 9 },
  others: { burst: 1_000, perSecond: 500 },
};

describe('EventShareCounter', () => {
  it.each([
    ['logs', 100 + 10 * 50],
    ['frames', 30 + 10 * 9],
    ['others', 1_000 + 10 * 500],
  ] as const)('lets a session that pauses when told cause at most its share of %s', (kind, max) => {
    let now = 0;
    const counter = new EventShareCounter(SHARES, () => now);
    let count = 0;
    // A page that causes an event each tenth of a millisecond, for ten seconds.
    while (now < 10_000) {
      now += 0.1;
      count++;
      if (counter.record(kind)) now += counter.pauseMs();
    }
    expect(count).toBeLessThanOrEqual(max + 1);
    expect(count).toBeGreaterThan(max / 2);
  });

  it('does not pause a session that causes fewer events than its share', () => {
    let now = 0;
    const counter = new EventShareCounter(SHARES, () => now);
    for (let i = 0; i < 1_000; i++) {
      now += 25;
      expect(counter.record('logs')).toBe(false);
    }
    expect(counter.pauseMs()).toBe(0);
  });
});

const REGISTRY = mkdtempSync(join(tmpdir(), 'pagespace-share-'));
afterAll(() => rmSync(REGISTRY, { recursive: true, force: true }));
/** Low, because a busy machine produces fewer events. */
const LOW_SHARES = {
  logs: { burst: 100, perSecond: 20 },
  frames: { burst: 50, perSecond: 9 },
  others: { burst: 500, perSecond: 20 },
};
const PAGES = {
  '/': `<title>Home</title><button onclick="document.title = 'pressed'">Press</button>`,
  '/logs': `<title>Shouts</title><script>setInterval(() => { for (let i = 0; i < 500; i++) console.log('line', i) })</script>`,
  '/throws': `<title>Shouts</title><script>setInterval(() => { for (let i = 0; i < 99; i++) Promise.reject(new Error('line')) })</script>`,
  '/requests': `<title>Shouts</title><script>setInterval(() => { for (let i = 0; i < 99; i++) new Image().src = '/' + Math.random() })</script>`,
  '/frames': `<title>Shouts</title><script>setInterval(() => { const frame = document.createElement('iframe'); frame.src = '/'; document.body.append(frame); setTimeout(() => frame.remove(), 5) }, 5)</script><body>`,
};

const stopped = () => stoppedProcesses(REGISTRY);

describe('A session whose pages cause more events than its share', () => {
  const limits = { burst: Number.MAX_SAFE_INTEGER, perSecond: 1 };
  const { pages, agent, started } = pageHarness(PAGES, {
    registryPath: REGISTRY,
    protocolRateLimits: { bytes: limits, events: limits, shares: LOW_SHARES },
  });

  it.each(['/logs', '/throws', '/requests', '/frames'])(
    'is paused, its neighbour goes on, and no process stays stopped after its end: %s',
    async path => {
      const shouting = await startAgentDriver(started);
      const opening = shouting.observe(pages.url + path).catch(() => {});
      await expect.poll(() => stopped().length).toBe(1);
      await agent.observe(`${pages.url}/`);
      expect((await agent.step(/Press/)).metadata.title).toBe('pressed');
      await shouting.close();
      await opening;
      await expect.poll(() => stopped().length).toBe(0);
      expect(started.warnings).toEqual([]);
    },
  );
});
