import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const RATING = `<!doctype html><title>Rating</title><h1>Rating</h1><label for="stars">Stars</label> <x-rate id="stars"></x-rate>
<label for="loud">Loudness</label> <x-drag id="loud"></x-drag><script>
class Rate extends HTMLElement { static formAssociated = true; #own = this.attachInternals();
  connectedCallback() { Object.assign(this.#own, { role: 'slider', ariaValueMin: '0', ariaValueMax: '5' }); this.tabIndex = 0; this.style.cssText = 'display:inline-block;width:90px;height:20px'; this.set(2);
    this.onkeydown = event => this.set(this.now + ({ ArrowRight: 1, ArrowLeft: -1 })[event.key]) }
  set(now) { this.now = now = Math.max(0, Math.min(5, now)); this.#own.ariaValueNow = String(now); this.#own.ariaValueText = 'stars: ' + now; document.title = 'rating ' + now } }
class Drag extends HTMLElement { #own = this.attachInternals();
  connectedCallback() { Object.assign(this.#own, { role: 'slider', ariaValueMin: '0', ariaValueMax: '100', ariaValueNow: '20' }); this.tabIndex = 0; this.style.cssText = 'display:inline-block;width:300px;height:20px';
    this.onpointerdown = event => { this.setPointerCapture(event.pointerId); this.onpointermove(event) };
    this.onpointermove = event => { if (event.buttons) this.#own.ariaValueNow = String(Math.round((event.clientX - this.getBoundingClientRect().left) / 3)) } } }
customElements.define('x-rate', Rate); customElements.define('x-drag', Drag)</script>`;

describe('A slider that states its value only to the browser', () => {
  const { pages, agent } = pageHarness({ '/': RATING });

  it('lists its range, and is moved to a number', async () => {
    await agent.observe(pages.url);
    expect(agent.find(/"Stars"/).params[0]?.values).toEqual(['0..5']);
    await agent.step(/"Stars"/, '4');
    expect(agent.lastObservation.metadata.title).toBe('rating 4');
    await agent.step(/"Loudness"/, '60');
    expect(agent.find(/"Loudness"/).value).toBe('60');
  });

  it('refuses a number outside of its range', async () => {
    await agent.observe(pages.url);
    await expect(agent.step(/"Stars"/, '9')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('takes a number from 0 to 5'),
    });
  });
});

const STATED = `<!doctype html><title>Wifi</title><h1>Wifi</h1><label>Wifi <x-switch></x-switch></label>
<x-size>Small</x-size><x-size>Large</x-size><x-size>Huge</x-size><x-list aria-label="Drinks">${['Milk', 'Juice', 'Cider', 'Water', 'Cocoa', 'Tea'].map(name => `<x-entry>${name}</x-entry>`).join('')}</x-list><div id="rows"></div><script>
const define = (name, role, connected) => customElements.define(name, class extends HTMLElement { static formAssociated = true; own = this.attachInternals();
  connectedCallback() { this.own.role = role; this.style.cssText = 'display:inline-block;width:40px;height:20px'; connected(this) } });
define('x-switch', 'switch', one => { one.own.ariaChecked = 'true'; one.tabIndex = 0 });
define('x-size', 'radio', one => { const isFirst = one.textContent === 'Small'; one.own.ariaChecked = String(isFirst); one.tabIndex = isFirst ? 0 : -1 });
define('x-list', 'listbox', one => { one.tabIndex = 0 });
define('x-entry', 'option', () => {});
const renew = () => { rows.innerHTML = Array.from({ length: 40 }, (_, nth) => '<x-switch aria-label="Row ' + nth + '"></x-switch>').join('') };
renew();
</script><button onclick="renew()">Renew</button>`;

describe('Custom elements that state their role and state only to the browser', () => {
  const { pages, agent } = pageHarness({ '/': STATED });

  it('are listed by their label and their state, also those out of the tab order, and those of a long list that is drawn anew', async () => {
    await agent.observe(pages.url);
    expect(agent.find(/"Wifi"/)).toMatchObject({ role: 'switch', checked: true });
    expect(agent.find(/"Small"/)).toMatchObject({ role: 'radio', checked: true });
    for (const name of [/"Large"/, /"Huge"/])
      expect(agent.find(name)).toMatchObject({ role: 'radio', checked: false });
    expect(agent.find(/"Tea"/).role).toBe('option');
    expect(agent.find(/"Row 39"/)).toMatchObject({ role: 'switch', checked: true });
    await agent.step(/"Renew"/);
    expect(agent.find(/"Row 39"/)).toMatchObject({ role: 'switch', checked: true });
  });
});
