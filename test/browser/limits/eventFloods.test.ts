import { describe, expect, it } from 'vitest';
import type { ProtocolRateLimits } from '../../../src/browser/limits/protocolRateLimiter.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const SHOUT = "const much = 'x'.repeat(1e6); setInterval(() => console.log(much + Math.random()), 1)";
/** As ever, but for the figures: how fast a page can shout is up to the machine. */
const LITTLE: ProtocolRateLimits = {
  bytes: { burst: 30_000_000, perSecond: 100_000 },
  events: { burst: 300_000, perSecond: 10_000 },
};

const PAGES = {
  '/long-address':
    '<title>Long</title><button>Go</button><script>history.replaceState(0, "", "?" + "u".repeat(1.9e6))</script>',
  '/many-frames': `<title>Frames</title><button>Outside</button><script>for (let nth = 0; nth < 200; nth++)
    document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<button>In it</button>' }));</script>`,
  '/shouts': `<title>Shouts</title><script>${SHOUT}</script>`,
  '/shouting-worker': `<title>Shouts</title><script>new Worker(URL.createObjectURL(new Blob(["${SHOUT}"])))</script>`,
  '/logs': `<title>Logs</title><button onclick="console.log('x'.repeat(3e7), { deep: [this] }); document.title = 'Logged'">Log</button>`,
};

describe('a page that floods whoever looks at it', () => {
  const { started, pages, agent } = pageHarness(PAGES);

  it('with an address of megabytes has it told in part, in answers and events', async () => {
    const { metadata } = await agent.observe(`${pages.url}/long-address`);
    expect(metadata.url).toMatch(/\/long-address\?u+$/);
    expect(metadata.url).toHaveLength(16_000);
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 100);
    expect(JSON.stringify(events).length).toBeLessThan(50_000);
  });

  it('with hundreds of frames is read with no more than a hundred of them', async () => {
    const { space } = await agent.observe(`${pages.url}/many-frames`);
    expect(agent.find(/Outside/).frame).toBeNull();
    expect(space?.totalActions).toBeLessThanOrEqual(101);
  });

  it('with what it logs is stepped on as any other', async () => {
    await agent.observe(`${pages.url}/logs`);
    expect((await agent.step(/Log/)).metadata.title).toBe('Logged');
  });
});

describe('a page that shouts all others down', () => {
  const { started, pages, agent } = pageHarness(PAGES, { protocolRateLimits: LITTLE });

  it.each(['/shouts', '/shouting-worker'])(
    'is ended with its reason, and its neighbour is not: %s',
    async path => {
      const loud = await startAgentDriver(started);
      await loud.observe(pages.url + path).catch(() => {});
      const sessionOf = async () =>
        (await started.service.sessions(started.viewer, [loud.sessionId]))[0] ?? null;
      await expect.poll(sessionOf).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/faster, than the service can follow/),
      });
      expect((await agent.observe(`${pages.url}/logs`)).metadata.title).toBe('Logs');
    },
  );
});
