import { describe, expect, it } from 'vitest';
import type { ScrapeRequest } from '../../../src/domain/content/scrape.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import { ALL_PARTS } from '../../support/scrapeHarness.ts';

const ENDLESS = `<!doctype html><title>Items</title><main><h1>Items</h1><ul id=l></ul><div id=end style="height:20px">Loading…</div></main><script>
let n = 0, busy = false;
async function more() { if (busy || n >= 60) return; busy = true; await (await fetch('/api')).text();
  for (let i = 0; i < 20; i++) { const li = document.createElement('li'); li.style.height = '60px'; li.textContent = 'Item ' + n++; l.append(li); }
  busy = false; if (n >= 60) end.remove(); }
new IntersectionObserver(([entry]) => { if (entry.isIntersecting) more(); }).observe(end);</script>`;
const VIRTUAL = `<!doctype html><title>Rows</title><main><h1>Rows</h1><div id=box style="height:300px;overflow:auto"><div id=all style="height:1800px;position:relative"></div></div></main><script>
function draw() { const first = Math.max(0, Math.floor(box.scrollTop / 30) - 2); all.textContent = '';
  for (let i = first; i < Math.min(60, first + 15); i++) { const row = document.createElement('div'); row.style.cssText = 'position:absolute;height:30px;top:' + 30 * i + 'px'; row.textContent = 'Row ' + i; all.append(row); } }
box.addEventListener('scroll', draw); draw();</script>`;
/** Loads by the event alone, and has nothing that marks the end. */
const ON_SCROLL = `<!doctype html><title>Items</title><style>p{height:60px;margin:0}</style><main><h1>Items</h1><div id=l style="height:500px;overflow:auto"></div></main><script>
let n = 0;
function more() { for (let i = 0; i < 20 && n < 40; i++) { const p = document.createElement('p'); p.textContent = 'Item ' + n++; l.append(p); } }
more(); l.addEventListener('scroll', () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 50) more(); });</script>`;
/** Listens for scrolling as a bar of progress, a sticky header, a list of contents and jQuery do. */
const NO_MORE = `<!doctype html><title>Items</title><style>p{height:60px;margin:0}</style><main><h1>Items</h1><div id=l></div></main><div id=bar role=progressbar style="position:fixed;top:0;height:4px;background:red"></div><script>
for (let i = 0; i < 40; i++) { const p = document.createElement('p'); p.textContent = 'Item ' + i; l.append(p); }
addEventListener('scroll', () => { bar.style.width = 100 * scrollY / (document.documentElement.scrollHeight - innerHeight) + '%'; });
document.addEventListener('scroll', () => { document.body.className = scrollY > document.body.offsetHeight / 9; });
addEventListener('scroll', () => { for (const p of document.querySelectorAll('p')) p.className = p.getBoundingClientRect().top < 0 ? 'above' : ''; });
addEventListener('scroll', function () { return ((...all) => all).apply(this, arguments); });</script>`;
const BANNER = `<!doctype html><title>Shop</title><main><h1>Ropes</h1><p id=state>undecided</p></main><div id=cookie-banner style="position:fixed;bottom:0;height:80px"><p>We use cookies.</p><button onclick="state.textContent='accepted'">Accept all</button><button onclick="state.textContent='refused';this.parentElement.remove()">Reject all</button></div>`;

describe('a scrape on request', () => {
  const { pages, agent } = pageHarness({
    '/parts':
      '<!doctype html><title>Parts</title><body class=page><nav>Menu</nav><main><h1>Parts</h1><section id=a class="one big"><p>First <b class=x>part</b> <span class=ad>AD</span></p></section><section id=b><p>Second part</p></section></main>',
    '/rows':
      '<!doctype html><title>Rows</title><table><tr><th>A<th>B<tr class=r><td>1<td>2<tr class=r><td>3<td>4<tr><td class=c>5<td class=c>6</table><ol start=5><li>A<li>B</ol><p><b class=n>4</b> of <b class=n>2</b></p>',
    '/api': 'ok',
    '/endless': ENDLESS,
    '/virtual': VIRTUAL,
    '/on-scroll': ON_SCROLL,
    '/no-more': NO_MORE,
    '/banner': BANNER,
    '/only-accept': BANNER.replace(/<button onclick="state.textContent='refused.*?<\/button>/, ''),
    '/refresh': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', refresh: '900; url=/parts' })
        .end('<p>Words</p>'),
  });
  const scrape = async (path: string, options: Partial<ScrapeRequest> = {}) =>
    (await agent.scrape(`${pages.url}${path}`, { data: { ...ALL_PARTS, ...options }, space: false })).data;

  it('reads only what `include` names, and all of it', async () => {
    expect((await scrape('/parts', { include: ['nav', '#b'] }))?.text).toBe('Menu\n\nSecond part');
    expect((await scrape('/parts', { include: ['body'] }))?.text).toContain('Second part');
    expect((await scrape('/parts', { include: ['html'] }))?.text).toContain('Second part');
    expect((await scrape('/parts', { include: ['.none'] }))?.incomplete).toEqual(['include']);
  });

  it('keeps the cells of rows, the numbers of items and the words that `include` names apart', async () => {
    const { text } = (await scrape('/rows', { include: ['.r', 'td.c', 'li + li', '.n'] })) ?? {};
    expect(text).toBe('1\t2\n\n3\t4\n\n5\n\n6\n\n6. B\n\n4\n\n2');
    const { markdown } = (await scrape('/rows', { include: ['tr'] })) ?? {};
    expect(markdown).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |');
  });

  it('leaves out what `exclude` names', async () => {
    expect((await scrape('/parts', { exclude: ['.ad', '#b'] }))?.text).toBe('Parts\n\nFirst part');
  });

  it('refuses what is no selector', async () => {
    await expect(scrape('/parts', { include: ['#a', 'p['] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('p['),
    });
  });

  it('keeps classes and ids', async () => {
    const html = (await scrape('/parts', { keepClasses: true }))?.mainContent;
    expect(html).toContain('<section id="a" class="one big">');
    expect((await scrape('/parts'))?.mainContent).not.toContain('class=');
  });

  it('returns the HTML as it is', async () => {
    expect((await scrape('/endless'))?.rawHtml).toMatch(/^<!DOCTYPE html>\n<html>.*<script>/s);
  });

  it.each([
    ['/on-scroll', 'Item', 40, ['rows']],
    ['/virtual', 'Row', 60, ['rows']],
  ])(
    'scrolls %s to its end, and says without that that rows are missing',
    async (path, name, count, missing) => {
      const first = await scrape(path);
      expect(first?.incomplete).toEqual(missing);
      expect(first?.text).not.toContain(`${name} ${count - 1}`);
      const all = await scrape(path, { scroll: true });
      expect(all?.incomplete).not.toContain('rows');
      const lines = (all?.text ?? '').match(new RegExp(`${name} \\d+`, 'g')) ?? [];
      expect(lines).toEqual(Array.from({ length: count }, (_, at) => `${name} ${at}`));
    },
    60_000,
  );

  it('says that a list goes on when its end comes into view', async () => {
    expect((await scrape('/endless'))?.incomplete).toEqual(['rows']);
  });

  it('says nothing of rows if a script listens for scrolling and loads none', async () => {
    expect((await scrape('/no-more'))?.incomplete).toEqual([]);
  });

  it('refuses what a banner asks for, and never accepts', async () => {
    expect((await scrape('/banner', { dismissBanners: true }))?.text).toContain('refused');
    expect((await scrape('/only-accept', { dismissBanners: true }))?.text).toContain('undecided');
    expect((await scrape('/banner'))?.text).toContain('undecided');
  });

  it('says that another page is announced', async () => {
    expect((await scrape('/refresh'))?.incomplete).toEqual(['refresh']);
  });
});
