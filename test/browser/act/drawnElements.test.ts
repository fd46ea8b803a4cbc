import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const { agent, pages } = pageHarness({
  '/clock': `<title>Clock</title><div style="position:relative;width:200px;height:200px"><div id="face" style="position:absolute;inset:0;cursor:pointer"></div>
    <div role="listbox" style="position:absolute;inset:0;pointer-events:none"><span role="option" style="position:absolute;left:150px;top:90px;width:30px;height:30px;pointer-events:none">3</span>
    <span role="option" style="position:absolute;left:90px;top:150px;width:30px;height:30px;pointer-events:none">6</span></div></div>
    <script>face.addEventListener('mousedown', event => { document.title = event.offsetX + ',' + event.offsetY })</script>`,
  '/week': `<title>Week</title><div role="grid" id="g" style="position:relative"><table style="position:absolute;top:0;width:300px;height:240px"><tr role="row"><td role="gridcell" data-date="2026-04-14"></td><td role="gridcell" data-date="2026-04-15"></td></tr></table>
    <div id="slots" style="position:absolute;top:0;width:300px;height:240px"></div></div>
    <script>document.addEventListener('mousedown', event => { document.title = event.offsetX + ',' + event.offsetY })</script>`,
  '/hover': `<title>Hover</title><style>.tools { visibility: hidden } tr:hover .tools { visibility: visible }</style><table><tr><td>Ann</td><td><span class="tools"><button onclick="document.title = 'filtered'">Filter</button></span></td></tr></table>`,
  '/sheet': `<title>Sheet</title><div style="position:relative;width:300px;height:200px"><canvas tabindex="0" aria-label="Cells" width="300" height="200"></canvas>
    <div id="scroller" style="position:absolute;inset:0;overflow:auto"><div style="height:900px"></div></div></div>
    <script>addEventListener('dblclick', event => { document.title = event.clientX - scroller.getBoundingClientRect().left + ',' + event.offsetY })</script>`,
  '/event': `<title>Event</title><style>#event i{position:absolute;left:0;right:0;height:12px;cursor:ns-resize}</style><div id="day" style="position:relative;height:400px">
    <div id="event" role="button" tabindex="0" style="position:absolute;top:40px;width:90px;height:50px"><i style="top:0"></i><b>Lunch</b><i style="bottom:0"></i></div></div>
    <script>let from; day.onmousedown = e => { from = [e.clientY, e.target.localName] };
    onmouseup = e => { if (from) document.title = (from[1] === 'i' ? 'resized' : 'moved') + ' by ' + Math.round(e.clientY - from[0]) }</script>`,
  '/week-below': `<title>Week</title><div style="height:260px;width:300px;overflow:auto"><div style="position:sticky;top:0;z-index:1;display:flex;background:white;height:60px;padding-left:60px">${['Mon 9', 'Tue 10'].map(day => `<div style="width:100px"><div style="height:30px"></div><div>${day}</div></div>`).join('')}</div>
    <div style="display:flex;height:480px"><div style="width:60px;position:relative">${Array.from({ length: 12 }, (_, n) => `<span style="position:absolute;top:${n * 40}px">${8 + n}:00</span>`).join('')}</div>
    <div id="days" style="display:flex">${'<div class="kit-day" style="width:100px"></div>'.repeat(2)}</div></div></div>
    <script>days.onclick = e => { const box = days.getBoundingClientRect(); document.title = Math.floor((e.clientX - box.left) / 100) + ' at ' + (8 + Math.floor((e.clientY - box.top) / 40)) }</script>`,
  '/handle': `<title>Handle</title><style>.k-slider-handle{position:absolute}.k-slider-handle::before{content:'';position:absolute;width:12px;height:12px;margin-left:-6px;background:teal}</style><p>Price</p><div class="k-slider" style="position:relative;width:200px;height:12px">${[10, 50].map(at => `<div class="k-slider-handle" tabindex="0" style="left: ${at}%;"><input type="range" readonly tabindex="-1" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${at}" style="position:absolute;clip:rect(0 0 0 0);width:1px"></div>`).join('')}</div>
    <script>for (const handle of document.querySelectorAll('.k-slider-handle')) handle.onkeydown = e => { const input = handle.firstElementChild;
      const now = +input.getAttribute('aria-valuenow') + (e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0); input.setAttribute('aria-valuenow', now); handle.style.left = now + '%' }</script>`,
  '/slotted': `<title>Slotted</title><x-choice><div role="option">Cat</div><div role="option">Dog</div></x-choice>
    <script>customElements.define('x-choice', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML =
      '<input role="combobox" aria-label="Animal" aria-autocomplete="list" aria-controls="list"><div role="listbox" id="list"><slot></slot></div>' } })</script>`,
});

const title = () => agent.lastObservation.metadata.title;

describe('A step on an element whose press something else receives', () => {
  it('presses the number of a clock on the face of the clock', async () => {
    await agent.observe(`${pages.url}/clock`);
    await agent.step(agent.find(/"6"/).id);
    expect(title()).toBe('105,165');
  });

  it('presses a button that appears when the pointer is over its row', async () => {
    await agent.observe(`${pages.url}/hover`);
    await agent.step(agent.find(/Filter/).id);
    expect(title()).toBe('filtered');
  });

  it('presses a point of a day on the slots above it', async () => {
    await agent.observe(`${pages.url}/week`);
    const day = agent.find(/2026-04-15/);
    expect(day.status).toBe('valid');
    await agent.step(day.id, '20,30');
    expect(title()).toMatch(/^17\d(\.\d+)?,3\d(\.\d+)?$/);
  });

  it('double-clicks a point of a canvas through the box that scrolls it', async () => {
    await agent.observe(`${pages.url}/sheet`);
    const { id, status } = agent.find(/Cells/);
    expect(status).toBe('valid');
    await agent.step('S18', `${id}@100,90`);
    expect(title()).toBe('100,90');
  });

  it('drags an event by itself, not by the edge that resizes it', async () => {
    await agent.observe(`${pages.url}/event`);
    const { id } = agent.find(/Lunch/);
    await agent.step('S17', `${id} -> ${id}@45,225`);
    expect(title()).toBe('moved by 200');
  });

  it('presses a time that is scrolled below the row of the days', async () => {
    await agent.observe(`${pages.url}/week-below`);
    await agent.step(/"Tue 10", takes a time/, '15:00');
    expect(title()).toBe('1 at 15');
  });

  it('sets handles that keep a hidden input for what they hold', async () => {
    await agent.observe(`${pages.url}/handle`);
    const values = () => agent.lastObservation.space?.actions.map(({ value, name }) => `${name} ${value}`);
    expect(values()).toEqual(['Price 10', 'Price 50']);
    await agent.step('I2', '55');
    expect(values()).toEqual(['Price 10', 'Price 55']);
  });

  it('tells the options in the slots of a list of choices', async () => {
    await agent.observe(`${pages.url}/slotted`);
    await agent.step(/"Animal"/, 'dog');
    expect(agent.lastObservation.space?.messages.map(({ text }) => text)).toContain(
      'I1 holds "dog", and no option is chosen yet. It offers "Cat", "Dog".',
    );
  });
});
