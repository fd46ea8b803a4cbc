import { describe, expect, it } from 'vitest';
import type { ProtocolRateLimits } from '../../../src/browser/limits/protocolRateLimiter.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** JSON writes each of these characters as six bytes. */
const FLOOD = "const text = '\\x01'.repeat(17e4); setInterval(() => console.log(text + Math.random()), 1)";
/** Low limits: how fast a page can log depends on the machine. */
const LOW_LIMITS: ProtocolRateLimits = {
  bytes: { burst: 30_000_000, perSecond: 100_000 },
  events: { burst: 300_000, perSecond: 10_000 },
};

const PAGES = {
  '/long-address':
    '<title>Long</title><button>Go</button><script>history.replaceState(0, "", "?" + "u".repeat(1.9e6))</script>',
  '/many-frames': `<title>Frames</title><button>Outside</button><script>for (let i = 0; i < 110; i++)
    document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<button>In it</button>' }));</script>`,
  '/floods': `<title>Floods</title><script>${FLOOD}</script>`,
  '/flooding-worker': `<title>Floods</title><script>new Worker(URL.createObjectURL(new Blob(["${FLOOD}"])))</script>`,
  '/logs': `<title>Logs</title><button onclick="console.log('\\x01'.repeat(2.9e6), { deep: [this] }); document.title = 'Logged'">Log</button>`,
};

describe('a page that floods the service with data', () => {
  const { started, pages, agent } = pageHarness(PAGES);

  it('with a URL of megabytes is reported with the first 16,000 characters, in results and events', async () => {
    const { metadata } = await agent.observe(`${pages.url}/long-address`);
    expect(metadata.url).toMatch(/\/long-address\?u+$/);
    expect(metadata.url).toHaveLength(16_000);
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 100);
    expect(JSON.stringify(events).length).toBeLessThan(50_000);
  });

  it('with more than a hundred frames is observed with at most a hundred of them', async () => {
    const { space } = await agent.observe(`${pages.url}/many-frames`);
    expect(agent.find(/Outside/).frame).toBeNull();
    expect(space?.totalActions).toBeLessThanOrEqual(101);
  });

  it('with long console messages can be stepped', async () => {
    await agent.observe(`${pages.url}/logs`);
    expect((await agent.step(/Log/)).metadata.title).toBe('Logged');
  });
});

describe('a page that logs faster than the protocol rate limits allow', () => {
  const { started, pages, agent } = pageHarness(PAGES, { protocolRateLimits: LOW_LIMITS });

  it.each(['/floods', '/flooding-worker'])(
    'ends its session with the reason, and no other session: %s',
    async path => {
      const flooding = await startAgentDriver(started);
      await flooding.observe(pages.url + path).catch(() => {});
      const sessionOf = async () =>
        (await started.service.sessions(started.viewer, [flooding.sessionId]))[0] ?? null;
      await expect.poll(sessionOf).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/faster than the service can process/),
      });
      expect((await agent.observe(`${pages.url}/logs`)).metadata.title).toBe('Logs');
    },
  );
});
