import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** The page changes what the pressed node means when `change()` runs: after a message, which no step waits for, or when the pointer arrives. */
const changing = (markup: string, change: string, when: 'pointermove' | 'later') =>
  `<title>Nothing</title>${markup}<script>
    const change = () => { ${change} };
    addEventListener('click', e => { const b = e.target.closest('button,td,[role=gridcell]'); if (b) document.title = 'pressed ' + (b.getAttribute('aria-label') ?? b.textContent) + ' of ' + document.querySelector('h2').textContent });
    ${when === 'pointermove' ? "addEventListener('pointermove', () => { change() }, { once: true })" : "new EventSource('/late').onmessage = event => { event.target.close(); change(); fetch('/changed') }"}</script>`;

const CALENDAR = (label: string) =>
  `<div class="picker"><div><button>‹ previous</button><h2>April 2026</h2></div><table role="grid"><thead><tr><th>Mo</th><th>Tu</th></tr></thead><tbody><tr><td role="gridcell" tabindex="0"${label}>20</td><td role="gridcell" tabindex="0">21</td></tr></tbody></table></div>`;
const ROWS = `<h2>Customers</h2><ul>${['Ada', 'Bob'].map(name => `<li><b>${name}</b> <span><button>Edit</button> <button>Delete</button></span></li>`).join('')}</ul>`;

const NEXT_MONTH = "document.querySelector('h2').textContent = 'May 2026'";
const NEXT_LABEL =
  "document.querySelector('td').setAttribute('aria-label', 'Wednesday, May 20'); document.querySelector('h2').textContent = 'May 2026'";
const RECYCLE = "document.querySelectorAll('li b')[1].textContent = 'Carol'";
const GROW = "document.querySelectorAll('button')[3].textContent = 'Delete now'";

/** Keeps the page busy for longer than the service waits for the report of a press; the press comes first, as input goes before timers. */
const BUSY = 'setTimeout(() => { for (const end = performance.now() + 450; performance.now() < end; ); })';

/** Names that only the buttons' attributes have, behind more buttons than the neighbours that are compared. */
const NAMED = `<h2>People</h2><div id="old">${'<button>Old</button>'.repeat(60)}</div><button aria-label="Robert">•</button><button aria-label="Carol">•</button>`;
const SHIFT =
  "document.querySelector('#old').remove(); const [first, second] = document.querySelectorAll('button'); first.ariaLabel = 'Robert now'; second.ariaLabel = 'Robert'";

let late = Promise.withResolvers<void>();
let changed = Promise.withResolvers<void>();
const PAGES = {
  '/late': async (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    await late.promise;
    response.end('data: now\n\n');
  },
  '/changed': (_request: unknown, response: { end(): void }) => {
    response.end();
    changed.resolve();
  },
  '/month': changing(CALENDAR(''), NEXT_MONTH, 'later'),
  '/month-moved': changing(CALENDAR(''), NEXT_MONTH, 'pointermove'),
  '/labels-moved': changing(CALENDAR(' aria-label="Monday, April 20"'), NEXT_LABEL, 'pointermove'),
  '/rows': changing(ROWS, RECYCLE, 'later'),
  '/rows-moved': changing(ROWS, RECYCLE, 'pointermove'),
  '/busy-moved': changing(CALENDAR(''), `${NEXT_MONTH};${BUSY}`, 'pointermove'),
  '/busy-same': changing(CALENDAR(''), BUSY, 'pointermove'),
  '/held-moved': changing(CALENDAR(''), NEXT_MONTH, 'pointermove'),
  '/grown': changing(ROWS, GROW, 'pointermove'),
  '/grown-later': changing(ROWS, GROW, 'later'),
  '/grown-row': changing(ROWS, "document.querySelectorAll('li b')[1].textContent = 'Bob (3)'", 'later'),
  '/grown-replaced': changing(
    ROWS,
    `${GROW};document.body.prepend(document.querySelector('h2').cloneNode(true));document.querySelector('ul').outerHTML += ''`,
    'later',
  ),
  '/grown-shifted': changing(NAMED, SHIFT, 'later'),
  '/grown-recycled': changing(
    ROWS,
    "const rows = document.querySelectorAll('li b'); rows[1].textContent = 'Bobby Bob'; rows[0].textContent = 'Bob'",
    'later',
  ),
};

describe('A step whose element means something else than was listed', () => {
  const { pages, agent } = pageHarness(PAGES);

  const listed = (pattern: RegExp) =>
    (agent.lastObservation.space?.actions ?? []).filter(({ description }) => pattern.test(description));

  it.each([
    ['/month', /"21"/, 0],
    ['/month-moved', /"21"/, 0],
    ['/labels-moved', /April 20/, 0],
    ['/rows', /"Delete"/, 1],
    ['/rows-moved', /"Delete"/, 1],
    ['/grown-recycled', /"Delete"/, 1],
    ['/grown-shifted', /"Robert"/, 0],
  ])('answers ACTION_STALE with the fresh list and presses nothing: %s', async (path, pattern, nth) => {
    late = Promise.withResolvers();
    changed = Promise.withResolvers();
    await agent.observe(pages.url + path);
    const id = listed(pattern)[nth]?.id ?? '';
    late.resolve();
    if (!path.endsWith('-moved')) await changed.promise;
    await expect(agent.step(id)).rejects.toMatchObject({
      code: 'ACTION_STALE',
      context: { space: { actions: expect.any(Array) } },
    });
    expect((await agent.observe()).metadata.title).toBe('Nothing');
  });

  it('answers ACTION_STALE also if the page is too busy to report the press in time', async () => {
    await agent.observe(`${pages.url}/busy-moved`);
    await expect(agent.step(/"21"/)).rejects.toMatchObject({ code: 'ACTION_STALE' });
    expect((await agent.observe()).metadata.title).toBe('Nothing');
  });

  it('is performed on a page that is busy after the press, without a note', async () => {
    await agent.observe(`${pages.url}/busy-same`);
    const { metadata, space } = await agent.step(/"21"/);
    expect([metadata.title, space?.messages]).toEqual(['pressed 21 of April 2026', []]);
  });

  it.each([
    ['S17', (id: string) => `${id}@5,5 -> ${id}@20,5`],
    ['S20', (id: string) => `${id} 0`],
  ])('is not pressed by a gesture either: %s', async (gesture, value) => {
    await agent.observe(`${pages.url}/held-moved`);
    await expect(agent.step(gesture, value(agent.find(/"21"/).id))).rejects.toMatchObject({
      code: 'ACTION_STALE',
    });
    expect((await agent.observe()).metadata.title).toBe('Nothing');
  });

  it('presses the element again after it was listed again', async () => {
    await agent.observe(`${pages.url}/month-moved`);
    const { id } = agent.find(/"21"/);
    await expect(agent.step(id)).rejects.toMatchObject({ code: 'ACTION_STALE' });
    await agent.observe();
    expect((await agent.step(agent.find(/"21"/).id)).metadata.title).toBe('pressed 21 of May 2026');
  });

  it.each([
    ['/grown-later', 'Delete now'],
    ['/grown-row', 'Delete'],
    ['/grown-replaced', 'Delete now'],
  ])('is performed when the name or its row has only grown since the list: %s', async (path, pressed) => {
    late = Promise.withResolvers();
    changed = Promise.withResolvers();
    await agent.observe(pages.url + path);
    const id = listed(/"Delete"/)[1]?.id ?? '';
    late.resolve();
    await changed.promise;
    expect((await agent.step(id)).metadata.title).toBe(`pressed ${pressed} of Customers`);
  });

  it('is performed when the name has only grown under the pointer', async () => {
    await agent.observe(`${pages.url}/grown`);
    const id = listed(/"Delete"/)[1]?.id ?? '';
    expect((await agent.step(id)).metadata.title).toBe('pressed Delete now of Customers');
  });
});
