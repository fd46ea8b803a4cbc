import { expect, test } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const page = (body: string, script = ''): string =>
  `<!doctype html><title>Pending</title>${body}<p id="o"></p><script>${script}</script>`;

const { agent, pages } = pageHarness({
  '/timer': page(
    "<button onclick=\"o.textContent = 'Asked'; setTimeout(() => { o.textContent = 'Told' }, 30_000)\">Ask</button>",
  ),
  '/countdown': page(
    '<button onclick="send()">Send</button>',
    `function send() { const again = document.createElement('button'); again.disabled = true; again.textContent = 'Again in 30'; let n = 30;
      o.append(again); setInterval(() => { again.textContent = 'Again in ' + --n }, 1000) }`,
  ),
  ...Object.fromEntries(
    [
      ['comparing', "o.textContent = 'Comparing…';"],
      ['plain', "o.textContent = 'Comparing offers';"],
    ].map(([path, script]) => [
      `/${path}`,
      page(
        '<button onclick="ask()">Ask</button>',
        `function ask() { ${script} setTimeout(() => { o.innerHTML = '<button>Result</button>' }, 2500) }`,
      ),
    ]),
  ),
  '/undo': page(
    '<button onclick="remove()">Delete</button>',
    `function remove() { o.innerHTML = 'Deleted <button>Undo</button>'; setTimeout(() => o.replaceChildren(), 2600) }`,
  ),
  '/filter': page(
    '<input aria-label="Filter" oninput="clearTimeout(timer); timer = setTimeout(apply, 500)"><button onclick="isOn = true">Contains</button>',
    `let timer, isOn = false; function apply() { if (isOn) o.innerHTML = '<button>Result</button>' }`,
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

test('a new button that is disabled and counts down is pending', async () => {
  await agent.observe(`${pages.url}/countdown`);
  const { space } = await agent.step(/"Send"/);
  expect(space?.pending.timers).toHaveLength(1);
});

test.each(['comparing', 'plain'])(
  'saying something does not make the answer come earlier than saying nothing: %s',
  async path => {
    await agent.observe(`${pages.url}/${path}`);
    const { space } = await agent.step(/"Ask"/);
    expect(space?.actions.map(({ name }) => name)).toContain('Result');
  },
);

test('an offer that goes again is listed, and the timer that takes it back is pending', async () => {
  await agent.observe(`${pages.url}/undo`);
  const { space } = await agent.step(/"Delete"/);
  expect(space?.actions.map(({ name }) => name)).toContain('Undo');
  expect(space?.pending.timers).toHaveLength(1);
});

test('a filter with a debounce is waited for, though it has had no effect before', async () => {
  await agent.observe(`${pages.url}/filter`);
  for (const text of 'abcdef') await agent.step(/"Filter"/, text);
  await agent.step(/"Contains"/);
  const { space } = await agent.step(/"Filter"/, 'd');
  expect(space?.actions.map(({ name }) => name)).toContain('Result');
});
