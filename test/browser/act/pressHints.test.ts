import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({
  '/said': `<title>Said</title><button aria-disabled="true" onclick="document.title = 'pressed'">Send</button>`,
  '/soon': `<title>Soon</title><button disabled onclick="document.title = 'pressed'">Send</button><script>addEventListener('mousemove', () => {}); setTimeout(() => { document.querySelector('button').disabled = false }, 1200)</script>`,
  '/windows': `<title>Windows</title><button onclick="window.open('/help?one', 'help')">Help one</button><button onclick="window.open('/help?two', 'help')">Help two</button>`,
  '/help': '<title>Help</title><h1>Help</h1>',
  '/sketch': `<title>Sketch</title><div id="board" style="position:relative;width:600px;height:300px"><div id="part" style="position:absolute;left:40px;top:40px;width:90px;height:60px">Oven</div></div>
    <script>let held = false; part.onpointerdown = () => { held = true }; onpointerup = () => { held = false };
    onpointermove = event => { if (held) part.style.left = event.clientX - 50 + 'px' }</script>`,
});
const notes = () =>
  agent.lastObservation.space?.messages.filter(({ kind }) => kind === 'note').map(({ text }) => text) ?? [];

it('A control that only says that it is disabled is refused with the way to press it, which works', async () => {
  await agent.observe(`${pages.url}/said`);
  await expect(agent.step(/"Send"/)).rejects.toMatchObject({
    code: 'ACTION_BLOCKED',
    message: expect.stringContaining('S21'),
  });
  await agent.step('S21', agent.find(/"Send"/).id);
  expect(agent.lastObservation.metadata.title).toBe('pressed');
});

it('A step waits for a control that is enabled within the default patience', async () => {
  await agent.observe(`${pages.url}/soon`);
  await agent.step(/"Send"/);
  expect(agent.lastObservation.metadata.title).toBe('pressed');
});

it('A step that opens a page in the window of another tab says which', async () => {
  await agent.observe(`${pages.url}/windows`);
  await agent.step(/"Help one"/);
  await agent.step('S12', 'T1');
  for (const times of ['once', 'again']) {
    await agent.step(/"Help two"/);
    expect(notes(), times).toEqual([expect.stringContaining('T2')]);
  }
});

it('A drag between two points of the page says that the page has changed', async () => {
  await agent.observe(`${pages.url}/sketch`);
  await agent.step('S17', '@80,80 -> @300,80');
  expect(notes()).toEqual(['S17 has changed what the page shows.']);
});
