import { describe, expect, it } from 'vitest';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { LATE_PAGES, LATE_PATHS } from '../../support/latePages.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import type { Page } from '../../support/servePages.ts';

/** One page of each mechanism; `npm run bench:late` tries them all. */
const TRIED = [
  'timer 300, fetch 500',
  'poll by timers of 250 until done',
  'animation frames for 400',
  'skeleton for 1000',
  'toast at once, gone after 8000',
  'answers of a worker after 100 and 1400',
  'screen that says "Making demo…" for 1200',
  'search debounced by 300, fetch 400',
  'hover opens after 500, fetch 300',
  'scroll loads rows, fetch 600',
  'timer 400, first handler of the window, by a kept setTimeout',
  'reset, timer 400',
  'part whose observer loads it, 300 and fetch 400',
  'own button disabled for 1500',
  'image that loads',
  'end of a transition of 700, then 500',
  'refresh that the step sets, 1000',
  'task of the scheduler after 500',
  'answer of a shared worker after 600',
  'boxes that pulse for 1700',
  'work in parts for 1200',
  'observer of sizes, then 1200',
  'dialog that closes for 1300',
  'text gone after 350',
  'cursor of a database over 150 records',
  'frame that shows a text, timer 1200',
  'answer of a frame of another origin after 1200',
  'status 300 before a navigation to another site',
  'empty main part beside a menu filled after 900',
  'form that sends itself',
  'news in a response that a script reads 900 after a post',
];

/** An application whose worker says when it can start, after 900 ms. */
const BOOT = `const worker = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 900)'])));
  worker.onmessage = () => { root.innerHTML = '<button>Result</button>' };`;
const boot = (text: string): string =>
  `<!doctype html><title>App</title><body><div id="root">${text}</div><script src="/boot.js"></script>`;

/** A page that shows a picture in a shadow tree, and nothing else. */
const drawing = (mode: string): string =>
  `<!doctype html><title>Drawing</title><x-app></x-app><script>document.querySelector('x-app').attachShadow({ mode: '${mode}' }).innerHTML =
    '<svg width="90" height="90"><rect width="90" height="90"/></svg>'; customElements.define('x-app', class extends HTMLElement {})</script>`;

const served: Readonly<Record<string, Page>> = {
  ...LATE_PATHS,
  '/boot.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(BOOT);
  },
  '/boot/blank': boot(''),
  '/boot/heading':
    '<!doctype html><title>App</title><header><h1>Shop</h1></header><app-root id="root"></app-root><script src="/boot.js"></script>',
  // Its script says nothing of what it does later.
  '/boot/renamed': `<!doctype html><title>App</title><div id="root"></div><script>window['set' + 'Timeout'](() => { root.innerHTML = '<button>Result</button>' }, 900)</script>`,
  '/boot/hidden': `<h1>Plan</h1>${boot('<div style="visibility: hidden; height: 300px">Build, ship</div>')}`,
  '/boot/module': `<!doctype html><body><script type="module">const worker = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 900)'])));
    worker.onmessage = () => { document.body.innerHTML = '<button>Result</button>' }</script><script src="/none.js"></script>`,
  '/none.js': '',
  // As long as nothing else tells that it is filled: longer than requests of a document that shows something are waited for.
  '/asking/blank':
    '<!doctype html><title>App</title><div id="root"></div><script>fetch("/api?ms=3500").then(() => { root.innerHTML = "<button>Result</button>" })</script>',
  '/asking/unfilled':
    '<!doctype html><title>App</title><h1>Shop</h1><script>fetch("/api?ms=15000").then(() => {})</script>',
  '/thanks-for-all':
    '<!doctype html><title>Sent</title><p>Thank you.</p><script>document.title = "Order"</script>',
  '/spinning': `<!doctype html><style>@keyframes turn { to { transform: rotate(1turn) } } .spinner { width: 20px; height: 20px; animation: turn 1s infinite }</style>
    <button onclick="o.className = 'spinner'">Save</button><i id="o" style="display:block"></i>`,
  '/bar': `<!doctype html><button onclick="bar.hidden = false">Open</button><div id="bar" role="progressbar" hidden style="height:2px;width:200px"><div style="display:none">.</div></div>`,
  '/progress-bar': `<!doctype html><button onclick="start(4, 400)">Export</button> <button onclick="start(40, 0)">Profile</button> <button onclick="start(10, 60)">Upload</button><p id="o"></p>
    <script>let timer; function start(step, ms) { clearInterval(timer); let value = step; o.innerHTML = '<progress aria-label="File" max="100" value="' + value + '"></progress>'; if (ms > 0) timer = setInterval(() => { value += step; if (value < 100) o.firstChild.value = value; else { o.textContent = 'Done'; clearInterval(timer) } }, ms) }</script>`,
  '/data': `<!doctype html><title>Event</title><script type="application/ld+json">{"location":"here"}</script><div></div><p>Concert</p>`,
  '/open-tree': drawing('open'),
  '/closed-tree': drawing('closed'),
  '/held': `<!doctype html><button id="save" onclick="this.disabled = true">Save</button><button onclick="save.disabled = false">Reset</button>
    <button onclick="this.disabled = true; o.textContent = 'Page 2'">Next</button><p id="o"></p>`,
};
// One of the pages works for longer than an endless script may in other tests.
const { started, pages } = pageHarness(served, { scriptTimeoutMs: 5_000 });

/** Sessions that no test uses at the moment: starting one for each page would take a third of the time. */
const idle: AgentDriver[] = [];
const idleAgent = async (): Promise<AgentDriver> => idle.pop() ?? (await startAgentDriver(started));

async function firstAnswer(name: string): Promise<string> {
  const nth = LATE_PAGES.findIndex(each => each.name === name);
  const each = LATE_PAGES[nth];
  if (each === undefined) throw new Error(`There is no page ${name}.`);
  const agent = await idleAgent();
  await agent.observe(`${pages.url}/late/${nth}`);
  const actions = () => agent.lastObservation.space?.actions ?? [];
  const idOf = (text: string): string =>
    actions().find(({ description }) => description.includes(text))?.id ?? '';
  const target = each.target === undefined ? '' : idOf(each.target);
  const action = /^S\d+$/.test(each.action) ? each.action : idOf(each.action);
  await agent.step(action, each.value?.replace('{id}', target) ?? null);
  const messages = each.inMessages === true ? (agent.lastObservation.space?.messages ?? []) : [];
  const texts = [...actions().map(({ description }) => description), ...messages.map(({ text }) => text)];
  idle.push(agent);
  return texts.join('\n');
}

describe('Opening an application that starts late', () => {
  it.concurrent.each(['blank', 'module', 'heading', 'hidden', 'renamed'])(
    'answers with what it shows then: %s',
    async kind => {
      const agent = await idleAgent();
      const { space } = await agent.observe(`${pages.url}/boot/${kind}`);
      expect(space?.actions.map(({ description }) => description)).toEqual(['button "Result"']);
      idle.push(agent);
    },
  );
});

describe('Opening an application that awaits a request', () => {
  it.concurrent('answers with what it shows then', async () => {
    const agent = await idleAgent();
    const { space } = await agent.observe(`${pages.url}/asking/blank`);
    expect(space?.actions.map(({ description }) => description)).toEqual(['button "Result"']);
    idle.push(agent);
  });

  it.concurrent('says that it is not filled yet while the request is open', async () => {
    const agent = await idleAgent();
    const { space } = await agent.observe(`${pages.url}/asking/unfilled`);
    expect(space?.pending.busy).toEqual(['content that is not shown yet']);
    idle.push(agent);
  });
});

describe('A step', () => {
  it('says which page has said what it tells of a page that was left', async () => {
    const nth = LATE_PAGES.findIndex(({ name }) => name === 'text 200 before a navigation');
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/late/${nth}`);
    const { space } = await agent.step(/"Go"/);
    const page = `${pages.url}/late/${nth}`;
    expect(space?.messages).toEqual([
      { kind: 'appeared', text: 'Result: saved', action: null, isNew: true, page },
    ]);
    expect(space === null ? '' : spaceMarkdown(space)).toContain(
      `! appeared "Result: saved", said by "${page}" before it was left`,
    );
    expect((await agent.observe()).space?.messages).toEqual([]);
    await agent.close();
  });

  it('says that a new document may still be filled, no longer than wait_ms', async () => {
    const nth = LATE_PAGES.findIndex(({ name }) => name === 'new document filled after 1800');
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/late/${nth}`);
    const { space } = await agent.step(/"Go"/, null, { waitMs: 50 });
    expect(space?.pending.busy).toEqual(['content that is not shown yet']);
    await agent.close();
  });

  it('does not say so of a document whose script has ended', async () => {
    const agent = await idleAgent();
    const { space } = await agent.observe(`${pages.url}/thanks-for-all`);
    expect(space?.pending.busy).toEqual([]);
    idle.push(agent);
  });

  it('does not take data in a script element for a program that may fill the document', async () => {
    const agent = await idleAgent();
    const { space } = await agent.observe(`${pages.url}/data`);
    expect(space?.pending.busy).toEqual([]);
    idle.push(agent);
  });

  it.each(['/open-tree', '/closed-tree'])(
    'does not take a document that shows all in a shadow tree for a blank one: %s',
    async path => {
      const agent = await idleAgent();
      const { space } = await agent.observe(pages.url + path);
      expect(space?.pending.busy).toEqual([]);
      idle.push(agent);
    },
  );

  it('does not take a progress bar that shows nothing for a sign that the page is busy', async () => {
    const agent = await idleAgent();
    await agent.observe(`${pages.url}/bar`);
    const { space } = await agent.step(/"Open"/);
    expect(space?.pending.busy).toEqual([]);
    idle.push(agent);
  });

  it('tells how far a bar has come that stands still or moves too slowly, and waits for one that ends', async () => {
    const agent = await idleAgent();
    await agent.observe(`${pages.url}/progress-bar`);
    const wordsAfter = async (action: RegExp) => {
      const { space } = await agent.step(action);
      return [...(space?.pending.busy ?? []), ...(space?.messages ?? []).map(({ text }) => text)];
    };
    const [share] = await wordsAfter(/"Export"/);
    // 10 s of work, longer than a step waits.
    expect(share).toMatch(/^progressbar "File" \d+ %$/);
    expect(await wordsAfter(/"Profile"/)).toEqual(['progressbar "File" 40 %']);
    expect(await wordsAfter(/"Upload"/)).toEqual(['Done']);
    idle.push(agent);
  });

  it('says that the pressed button is still disabled', async () => {
    const agent = await idleAgent();
    await agent.observe(`${pages.url}/held`);
    const busyAfter = async (action: RegExp) => (await agent.step(action)).space?.pending.busy;
    expect(await busyAfter(/"Save"/)).toEqual(['button "Save", disabled since it was pressed']);
    expect(await busyAfter(/"Reset"/)).toEqual([]);
    expect(await busyAfter(/"Next"/)).toEqual([]);
    idle.push(agent);
  });

  it.concurrent.each([
    ['no longer than wait_ms', 100],
    ['for as long as for a sign that does not end', 5_000],
  ])('says that the page is still busy with what it has waited for %s', async (_what, waitMs) => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/spinning`);
    const { space } = await agent.step(/"Save"/, null, { waitMs });
    expect(space?.pending.busy).toEqual(['spinner']);
    await agent.close();
  });

  it.concurrent.each(TRIED)('answers with its late effect: %s', async name => {
    expect(await firstAnswer(name)).toContain('Result');
  });
});
