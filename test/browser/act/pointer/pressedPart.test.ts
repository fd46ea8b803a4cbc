import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** A list whose items are dragged by a handle, with animated neighbours: while they move, the pointer is ignored. */
const HANDLES = `<title>Handles</title><style>li{height:30px;width:200px;border:1px solid;list-style:none;transition:translate 120ms}</style>
  <ul>${['One', 'Two', 'Three'].map(name => `<li tabindex="0" aria-label="Row ${name}">${name} <i class="grip" style="float:right;cursor:grab">=</i></li>`).join('')}</ul>
  <script>const list = document.querySelector('ul'); let held = null;
  for (const grip of document.querySelectorAll('.grip')) grip.addEventListener('pointerdown', e => { held = grip.closest('li'); e.preventDefault() });
  addEventListener('pointermove', e => { if (!held || list.getAnimations({ subtree: true }).length) return;
    const over = [...list.children].find(li => li !== held && e.clientY > li.getBoundingClientRect().top && e.clientY < li.getBoundingClientRect().bottom);
    if (!over) return; const down = over.compareDocumentPosition(held) & 2; over.animate([{ translate: '0 5px' }, { translate: 0 }], 120);
    if (down) over.after(held); else over.before(held) });
  addEventListener('pointerup', () => { held = null; document.title = [...list.children].map(li => li.firstChild.data.trim()).join() })</script>`;

const PAGES = {
  '/card': `<title>Card</title><div onclick="document.title = event.target.closest('a') ? 'the link' : 'the card'" style="width:300px;height:80px;border:1px solid;cursor:pointer" aria-label="Offer" role="button"><a href="#more" style="display:block;margin:15px 40px;height:50px">Read more</a></div>`,
  '/cover': `<title>Cover</title><div onclick="document.title = 'the cover'" style="position:relative;width:200px;height:60px" role="button" aria-label="Tile"><a href="#x" style="position:absolute;inset:0">whole</a></div>`,
  '/strip': `<title>Strip</title><div dir="rtl" style="overflow:auto;width:200px;white-space:nowrap">${[...'abcdef'].map(name => `<button style="width:90px" onclick="document.title='${name}'">Go ${name}</button>`).join('')}</div>`,
  '/region': `<title>Region</title><iframe srcdoc="<p style='height:900px'>Above</p><div onclick=&quot;parent.document.title = event.target.localName&quot; style='overflow:auto;width:200px;height:90px'><div style='height:300px'><button style='margin:30px 60px'>Go</button></div></div>"></iframe>`,
  '/handles': HANDLES,
  '/framed': `<title>Framed</title><p style="height:90px"></p><iframe style="width:400px;height:200px" srcdoc="${HANDLES.replaceAll('"', '&quot;').replace('document.title =', 'parent.document.title =')}"></iframe>`,
};

/** Entries with one control each, which is all that they show; the script says which part of an entry listens. */
const entries = (role: string, control: (name: string) => string, script: string): string =>
  `<title>Entries</title><style>li{list-style:none;padding:20px 60px;border:1px solid;width:200px}</style><ul role="list">
  ${['One', 'Two'].map(name => `<li role="${role}" tabindex="-1" aria-selected="false">${control(name)}</li>`).join('')}</ul>
  <script>for (const entry of document.querySelectorAll('li')) { const control = entry.firstElementChild; ${script} }</script>`;
const anchor = (name: string) => `<a href="#p" role="presentation" tabindex="-1">${name}</a>`;
const INNER = `control.onclick = event => { event.preventDefault(); document.title = 'inner ' + control.textContent }`;
const OUTER = `entry.onclick = event => { document.title = event.target === entry ? 'outer' : 'inner' }`;

const ENTRIES = {
  '/tab': entries('tab', anchor, INNER),
  '/menuitem': entries('menuitem', name => `<button>${name}</button>`, INNER),
  '/option': entries('option', name => `<a href="#p">${name}</a>`, INNER),
  '/treeitem': entries('treeitem', name => `<span role="button" tabindex="-1">${name}</span>`, INNER),
  '/focused': entries(
    'treeitem',
    name => `<span tabindex="0">${name}</span><div role="group">Inner part</div>`,
    INNER,
  ),
  '/text': entries('option', name => `<div><b>${name}</b></div>`, INNER.replace('onclick', 'onmousedown')),
  '/handled': entries('tab', anchor, OUTER),
  '/framed-tab': `<p style="height:900px">Above</p><iframe style="width:500px;height:300px" srcdoc="${entries('tab', anchor, INNER.replace('document.title', 'parent.document.title')).replaceAll('"', '&quot;')}"></iframe>`,
  '/header': `<title>Header</title><div role="tablist"><h3 role="tab" tabindex="0" aria-expanded="false">Details</h3>
    <p role="tab" tabindex="-1" aria-expanded="false" onclick="document.title = 'opened'"><br><button onclick="event.stopPropagation(); document.title = 'sent'">Send</button></p></div>`,
};

describe('A step presses', () => {
  const { pages, agent } = pageHarness({ ...PAGES, ...ENTRIES });
  const title = () => agent.lastObservation.metadata.title;

  it.each(['tab', 'menuitem', 'option', 'treeitem', 'focused', 'text', 'framed-tab'])(
    'the link, button or pressed text that is all of an entry whose role stands on the box around it: %s',
    async path => {
      await agent.observe(`${pages.url}/${path}`);
      expect(agent.lastObservation.space?.actions).toHaveLength(2);
      await agent.step(/"Two"/);
      expect(title()).toBe('inner Two');
    },
  );

  it('the box of an entry that has handlers of its own, where the link in it has none', async () => {
    await agent.observe(`${pages.url}/handled`);
    await agent.step(/tab "Two"/);
    expect(title()).toBe('outer');
  });

  it('a button apart from the entry around it that opens something', async () => {
    await agent.observe(`${pages.url}/header`);
    await agent.step(/button "Send"/);
    expect(title()).toBe('sent');
  });

  it('the own area of an element, not the link in its middle', async () => {
    await agent.observe(`${pages.url}/card`);
    await agent.step(/"Offer"/);
    expect(title()).toBe('the card');
  });

  it('no scrollable region that its entries fill', async () => {
    await agent.observe(`${pages.url}/strip`);
    expect(agent.lastObservation.space?.actions).toHaveLength(7);
    const blocked = { code: 'ACTION_BLOCKED', message: expect.stringContaining('S9, S10 and S22') };
    await expect(agent.step(/scrollable region/)).rejects.toMatchObject(blocked);
    expect(title()).toBe('Strip');
  });

  it('a scrollable region where none of its entries lies', async () => {
    await agent.observe(`${pages.url}/region`);
    await agent.step(/scrollable region/);
    expect(title()).toBe('div');
  });

  it('an element that a link in it covers completely', async () => {
    await agent.observe(`${pages.url}/cover`);
    await agent.step(/button "Tile"/);
    expect(title()).toBe('the cover');
  });

  it.each(['/handles', '/framed'])(
    'the handle of what is dragged, and waits for the moving neighbours: %s',
    async path => {
      await agent.observe(pages.url + path);
      await agent.step('S17', `${agent.find(/"Row One"/).id} -> ${agent.find(/"Row Three"/).id}`);
      expect(title()).toBe('Two,Three,One');
    },
  );
});
