import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const SHAPES = `<svg width="160" height="150"><rect x="5" y="90" width="150" height="55" fill="none" stroke="black"/><circle cx="30" cy="30" r="10" fill="red"/></svg>
  <script>const c = document.querySelector('circle'); let held = false;
  c.addEventListener('mousedown', () => { held = true });
  addEventListener('mousemove', e => { if (held) { c.setAttribute('cx', e.offsetX); c.setAttribute('cy', e.offsetY) } });
  addEventListener('mouseup', () => { held = false; document.title = c.getAttribute('cy') > 90 ? 'in the box' : 'outside' })</script>`;

const PAGES = {
  '/two': '<title>Two</title>',
  '/long': '<title>Long</title><div style="height:5000px">Top</div><button>Bottom</button>',
  '/scroller': `<title>Scroller</title><div tabindex="0" aria-label="Box" style="height:100px;overflow:auto"><div style="height:900px">Inside</div></div>
    <script>document.querySelector('div').addEventListener('scroll', e => { document.title = 'at ' + e.target.scrollTop })</script>`,
  '/strip': `<title>Strip</title><div tabindex="0" aria-label="Strip" style="width:200px;overflow-x:auto"><div style="width:2000px">Wide</div></div>
    <script>document.querySelector('div').addEventListener('scroll', e => { document.title = 'right ' + e.target.scrollLeft })</script>`,
  '/terms': `<title>Terms</title><textarea aria-label="Terms" disabled style="width:150px;height:60px">${'words and words '.repeat(60)}</textarea>`,
  '/dulled': `<title>Dulled</title><div aria-label="Rows" tabindex="0" style="height:100px;width:200px;overflow:auto"><div>${Array.from({ length: 20 }, (_, nth) => `<button style="display:block;height:40px">Row ${nth}</button>`).join('')}</div></div>
    <script>const box = document.querySelector('div'); let timer; box.addEventListener('scroll', () => { box.firstElementChild.style.pointerEvents = 'none'; clearTimeout(timer); timer = setTimeout(() => { box.firstElementChild.style.pointerEvents = '' }, 150) })</script>`,
  '/aside': `<title>Aside</title><div style="width:300px;overflow:auto"><div id="bar" style="position:relative;margin-left:700px;width:200px;height:40px;cursor:grab;background:silver" onmousedown="document.title=event.target.id+' pressed'">Bar</div><div style="position:relative;margin:-30px 0 0 760px;width:80px;height:20px">Label</div></div>`,
  '/still': '<title>Still</title><button>Lone</button>',
  '/hover': `<title>Hover</title><div id="m" onmouseenter="document.getElementById('sub').style.display='block'">Menu
    <ul id="sub" style="display:none"><li><a href="/two">Hidden link</a></li></ul></div>`,
  '/heat': `<title>Heat</title><div id="field" style="width:150px;height:120px;border:1px solid"></div>
    <script>const f = document.getElementById('field'); f.addEventListener('mousemove', e => { document.title = Math.hypot(e.offsetX - 90, e.offsetY - 60) < 5 ? 'hot' : 'cold' })</script>`,
  '/drag': `<title>Drag</title><div id="a" draggable="true" aria-label="Card">Card</div><div id="b" aria-label="Pile" style="height:60px;border:1px solid">Pile</div>
    <script>a.ondragstart = e => e.dataTransfer.setData('text/plain', 'card'); b.ondragover = e => e.preventDefault();
    b.ondrop = e => { e.preventDefault(); document.title = 'dropped ' + e.dataTransfer.getData('text/plain') }</script>`,
  '/shapes': `<title>Shapes</title>${SHAPES}`,
  '/day': `<title>Day</title><div style="height:120px;overflow-y:scroll;width:200px">${Array.from({ length: 24 }, (_, hour) => `<div style="height:60px"><b>${hour}:00</b><div class="half" data-at="${hour}.0" style="height:15px"></div><div class="half" data-at="${hour}.5" style="height:15px"></div></div>`).join('')}</div>
    <script>let from; for (const half of document.querySelectorAll('.half')) { half.addEventListener('mousedown', e => { e.preventDefault(); from = half.dataset.at });
    half.addEventListener('mouseup', () => { document.title = from + ' to ' + half.dataset.at }) }</script>`,
  '/canvas': `<title>Canvas</title><canvas width="100" height="100" aria-label="Board"></canvas>
    <script>document.querySelector('canvas').addEventListener('click', e => { document.title = 'at ' + e.offsetX + ',' + e.offsetY })</script>`,
  '/orbit-below': `<title>Below</title><style>@keyframes m{to{margin-left:200px}}button{position:absolute;top:80px;animation:m 1s infinite alternate linear}</style>
    <button onclick="document.title='pressed'">Move</button><div style="position:fixed;inset:0" onclick="document.title='veil'"></div>`,
  '/drawing': `<title>Drawing</title><canvas width="100" height="100" aria-label="Board"></canvas><script>const b = document.querySelector('canvas'); let way = [];
    b.onmousedown = e => { way = [[e.offsetX, e.offsetY]] }; b.onmousemove = e => { if (e.buttons) way.push([e.offsetX, e.offsetY]) };
    b.onmouseup = () => { document.title = [[10, 10], [50, 40], [10, 70]].every(([x, y]) => way.some(p => p[0] === x && p[1] === y)) + ' ' + (way.length > 5) }</script>`,
  '/tiles': `<title>Tiles</title><style>#tiles{width:156px}#tiles div{float:left;width:40px;height:40px;margin:3px;border:1px solid;cursor:move}</style>
    <div id="tiles">${[...'ABCDEFGHI'].map(name => `<div>${name}</div>`).join('')}</div><script>let held; let last;
    const over = e => [...tiles.children].find(t => t !== held && t.contains(document.elementFromPoint(e.clientX, e.clientY)));
    tiles.onmousedown = e => { held = e.target; last = e; e.preventDefault() };
    onmousemove = e => { if (!held) return; const right = e.clientX - last.clientX; const down = e.clientY - last.clientY; const t = over(e); last = e; if (!t) return;
      const r = t.getBoundingClientRect();
      const past = right ? (e.clientX - r.x - r.width / 2) * right > 0 : (e.clientY - r.y - r.height / 2) * down > 0;
      if (past) t[right > 0 || (!right && down > 0) ? 'after' : 'before'](held) };
    onmouseup = () => { held = null; document.title = tiles.textContent }</script>`,
  '/copies': `<title>Copies</title><div id="copies" style="width:200px">${[...'ABCD'].map(name => `<div style="height:30px;border:1px solid;cursor:move">${name}</div>`).join('')}</div>
    <script>let original; let copy; let delay;
      copies.onmousedown = e => { const { target } = e; e.preventDefault(); delay = setTimeout(() => { original = target }, 150) };
      onmousemove = e => { clearTimeout(delay); if (!original) return;
        if (!copy) { copy = original.cloneNode(true); original.after(copy); original.style.display = 'none' }
        const below = [...copies.children].find(t => t !== copy && t !== original && t.contains(document.elementFromPoint(e.clientX, e.clientY)));
        if (below) copies.insertBefore(copy, e.movementY > 0 ? below.nextSibling : below) };
      onmouseup = () => { if (copy) { original.style.display = ''; copy.replaceWith(original) } original = copy = null; document.title = copies.textContent }</script>`,
  '/orbit': `<title>Orbit</title><div id="moon" style="position:absolute;width:30px;height:30px;border:1px solid" onmouseenter="document.title='met'" onclick="document.title='pressed'">o</div>
    <script>let t = 0; (function go() { t += 0.02; moon.style.left = 100 + 60 * Math.cos(t) + 'px'; moon.style.top = 100 + 60 * Math.sin(t) + 'px'; requestAnimationFrame(go) })()</script>`,
  '/twice': `<title>Twice</title><p>Make it bold: fox</p><span onclick="1">here it is</span><div contenteditable>a red fox</div>
    <script>document.addEventListener('selectionchange', () => { const s = getSelection(); document.title = s.anchorNode.parentNode.tagName + ' ' + s })</script>`,
  '/text': `<title>Text</title><p>The quick brown <i>fox</i> jumps</p><div style="height:3000px"></div><p>over the lazy dog.</p>
    <script>document.addEventListener('mouseup', () => { document.title = String(getSelection()).replace(/\\s+/g, ' ') })</script>`,
};

describe('A step with the pointer', () => {
  const { pages, agent } = pageHarness(PAGES);

  const open = (path: string) => agent.observe(pages.url + path);
  const title = () => agent.lastObservation.metadata.title;
  const browserActions = () => agent.lastObservation.space?.browserActions.map(({ id }) => id);

  it('S9 scrolls the page', async () => {
    await open('/long');
    expect(agent.find(/Bottom/).inViewport).toBe(false);
    await agent.step('S9', '5000');
    expect(agent.find(/Bottom/).inViewport).toBe(true);
  });

  it('S9 and S10 scroll a region with an id, by its height or by pixels', async () => {
    await open('/scroller');
    const { id } = agent.find(/Box/);
    await agent.step('S9', id);
    expect(title()).toBe('at 85');
    await agent.step('S9', `${id} 200`);
    expect(title()).toBe('at 285');
    await agent.step('S10', id);
    expect(title()).toBe('at 200');
  });

  it('S9 is answered when a list takes presses again that takes none while it is scrolled', async () => {
    await open('/dulled');
    await agent.step('S9', agent.find(/Rows/).id);
    expect(agent.find(/"Row 4"/).status).toBe('valid');
  });

  it('S17 presses a free place of what is dragged, also when it was out of view', async () => {
    await open('/aside');
    const { id } = agent.find(/"Bar"/);
    await agent.step('S17', `${id} -> ${id}@150,20`);
    expect(title()).toBe('bar pressed');
  });

  it('S9 scrolls the region in the middle of a page that does not scroll, as a mouse wheel would', async () => {
    await open('/scroller');
    expect(browserActions()).toContain('S9');
    await open('/still');
    expect(browserActions()).not.toContain('S9');
  });

  it('S9 scrolls a region sideways if it only scrolls sideways', async () => {
    await open('/strip');
    await agent.step('S9', agent.find(/Strip/).id);
    expect(title()).toBe('right 170');
  });

  it('S9 scrolls a disabled text area; its description has the position', async () => {
    await open('/terms');
    expect(agent.find(/Terms/).description).toMatch(/at the top$/);
    await agent.step('S9', `${agent.find(/Terms/).id} 9999`);
    expect(agent.find(/Terms/).description).toMatch(/at the end$/);
  });

  it('S9 answers ACTION_BLOCKED if neither the region nor the page scrolls', async () => {
    await open('/still');
    await expect(agent.step('S9', agent.find(/Lone/).id)).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('S16 hovers, and the link that appears can be clicked', async () => {
    await open('/hover');
    await agent.step('S16', agent.find(/Menu/).id);
    expect((await agent.step(/^link "Hidden link"/)).metadata.title).toBe('Two');
  });

  it('S16 hovers over a point', async () => {
    await open('/heat');
    const { id } = agent.find(/field/);
    await agent.step('S16', `${id}@20,20`);
    expect(title()).toBe('cold');
    await agent.step('S16', `${id}@91,61`);
    expect(title()).toBe('hot');
  });

  it('S17 drags one element onto another', async () => {
    await open('/drag');
    await agent.step('S17', `${agent.find(/Card/).id},${agent.find(/Pile/).id}`);
    expect(title()).toBe('dropped card');
  });

  it('S17 drags a shape into a box that is only drawn as a line', async () => {
    await open('/shapes');
    await agent.step('S17', `${agent.find(/circle/).id} -> ${agent.find(/drop target/).id}`);
    expect(title()).toBe('in the box');
  });

  it('S17 drags within a region in which both ends must be scrolled into view', async () => {
    await open('/day');
    const [first, second] =
      agent.lastObservation.space?.actions.filter(({ description }) => /"15:00"/.test(description)) ?? [];
    await agent.step('S17', `${first?.id} -> ${second?.id}`);
    expect(title()).toBe('15.0 to 15.5');
  });

  it.each([
    ['A', 'C', 'BCADEFGHI'],
    ['D', 'C', 'ABDCEFGHI'],
    ['B', 'H', 'ACDEFGHBI'],
  ])('S17 drags a tile of a grid to the position of another: %s to %s', async (one, other, order) => {
    await open('/tiles');
    const id = (name: string) => agent.find(new RegExp(`"${name}"`)).id;
    await agent.step('S17', `${id(one)} -> ${id(other)}`);
    expect(title()).toBe(order);
  });

  it('S17 sorts a list that waits for a press that lasts, hides the dragged entry and shows a copy of it', async () => {
    await open('/copies');
    const id = (name: string) => agent.find(new RegExp(`"${name}"`)).id;
    await agent.step('S17', `${id('D')} -> ${id('A')}`);
    expect(title()).toBe('DABC');
  });

  it('hovers over and clicks an element that never stands still', async () => {
    await open('/orbit');
    await agent.step('S16', agent.find(/"o"/).id);
    expect(title()).toBe('met');
    await agent.step(/"o"/);
    expect(title()).toBe('pressed');
  });

  it('answers ACTION_BLOCKED and clicks nothing if a moving element is covered', async () => {
    await open('/orbit-below');
    await expect(agent.step(/"Move"/)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining('covered'),
    });
    expect((await agent.observe()).metadata.title).toBe('Below');
  });

  it('S17 draws a line along several points', async () => {
    await open('/drawing');
    const { id } = agent.find(/Board/);
    await agent.step('S17', `${id}@10,10 -> ${id}@50,40 -> ${id}@10,70`);
    expect(title()).toBe('true true');
  });

  it('clicks a point of a canvas', async () => {
    await open('/canvas');
    await agent.step(/Board/, '12,34');
    expect(title()).toBe('at 12,34');
  });

  it.each([
    ['"quick brown fox"', 'quick brown fox'],
    ['"fox" -> "lazy dog."', 'fox jumps over the lazy dog.'],
  ])('S17 selects text of the page: %s', async (value, selected) => {
    await open('/text');
    await agent.step('S17', value);
    expect(title()).toBe(selected);
  });

  it('S17 selects text within the element whose id precedes it', async () => {
    await open('/twice');
    await agent.step('S17', `${agent.find(/clickable "here it is"/).id} "it"`);
    expect(title()).toBe('SPAN it');
  });

  it('S17 selects the text of an editor before the same text of the page', async () => {
    await open('/twice');
    await agent.step('S17', '"fox"');
    expect(title()).toBe('DIV fox');
  });

  it('S17 answers ACTION_BLOCKED if the page does not show the text', async () => {
    await open('/text');
    await expect(agent.step('S17', '"no such words"')).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining('no such words'),
    });
  });
});
