import { expect, test } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const page = (body: string, script = ''): string =>
  `<!doctype html><title>Pending</title>${body}<p id="o"></p><script>${script}</script>`;

const { agent, pages } = pageHarness({
  '/timer': page(
    "<button onclick=\"o.textContent = 'Asked'; setTimeout(() => { o.textContent = 'Told' }, 30_000)\">Ask</button>",
  ),
  '/refresh': `<!doctype html><meta http-equiv="refresh" content="30;url=/timer?token=1"><title>Wait</title><p>Wait</p>`,
  '/header': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', refresh: '30;url=/timer' }).end('<p>Wait</p>');
  },
});

test('a timer that a step has set, and that is due after the answer, is pending until it is due', async () => {
  await agent.observe(`${pages.url}/timer`);
  const { space } = await agent.step(/"Ask"/);
  const [dueMs, ...others] = space?.pending.timers ?? [];
  expect(others).toEqual([]);
  expect(dueMs).toBeGreaterThan(15_000);
  expect(dueMs).toBeLessThan(30_000);
  expect((await agent.observe()).space?.pending.timers).toHaveLength(1);
  expect((await agent.observe(`${pages.url}/timer`)).space?.pending.timers).toEqual([]);
});

test.each(['refresh', 'header'])('a document that will leave itself says where to: %s', async path => {
  const { space } = await agent.observe(`${pages.url}/${path}`);
  expect(space?.pending.navigation).toBe(`${new URL(pages.url).host}/timer`);
  expect((await agent.observe(`${pages.url}/timer`)).space?.pending.navigation).toBeNull();
});
