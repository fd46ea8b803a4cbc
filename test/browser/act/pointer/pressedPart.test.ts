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
  '/handles': HANDLES,
  '/framed': `<title>Framed</title><p style="height:90px"></p><iframe style="width:400px;height:200px" srcdoc="${HANDLES.replaceAll('"', '&quot;').replace('document.title =', 'parent.document.title =')}"></iframe>`,
};

describe('A step presses', () => {
  const { pages, agent } = pageHarness(PAGES);
  const title = () => agent.lastObservation.metadata.title;

  it('the own area of an element, not the link in its middle', async () => {
    await agent.observe(`${pages.url}/card`);
    await agent.step(/"Offer"/);
    expect(title()).toBe('the card');
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
