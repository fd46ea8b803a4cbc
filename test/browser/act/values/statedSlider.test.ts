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

const SWITCH = `<!doctype html><title>Wifi</title><h1>Wifi</h1><label>Wifi <x-switch></x-switch></label><script>
customElements.define('x-switch', class extends HTMLElement { static formAssociated = true; #own = this.attachInternals();
  connectedCallback() { this.#own.role = 'switch'; this.#own.ariaChecked = 'true'; this.tabIndex = 0; this.style.cssText = 'display:inline-block;width:40px;height:20px' } })</script>`;

describe('A switch that states its role and state only to the browser', () => {
  const { pages, agent } = pageHarness({ '/': SWITCH });

  it('is listed by its label and its state', async () => {
    await agent.observe(pages.url);
    expect(agent.find(/"Wifi"/)).toMatchObject({ role: 'switch', checked: true });
  });
});
