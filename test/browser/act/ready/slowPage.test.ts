import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../../support/agentDriver.ts';
import { pageHarness } from '../../../support/pageHarness.ts';

/** The main thread is busy for 230 of 250 milliseconds: the page draws four frames a second. */
const BUSY = `<script>setInterval(() => { for (const end = performance.now() + 230; performance.now() < end;); }, 250);
const say = text => { document.getElementById('said').textContent = text };</script><button id="said">Silent</button>`;

const { started, pages } = pageHarness({
  '/': `<!doctype html><title>Slow</title>${BUSY}<input aria-label="Name" oninput="say('entered ' + this.value)">
<select aria-label="Size" onchange="say('chose ' + this.value)"><option>Small<option>Large</select>
<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="1" aria-valuemin="0" aria-valuemax="5" onkeydown="this.ariaValueNow = Number(this.ariaValueNow) + 1; say('volume ' + this.ariaValueNow)">Volume</div>
<div style="height:3000px"></div>
<button onclick="say('pressed far')">Far</button>`,
  '/later': `<!doctype html><title>Later</title><button id="said">Silent</button>
<button onclick="said.textContent = 'pressed covered'">Covered</button><button id="off" disabled onclick="said.textContent = 'pressed disabled'">Disabled</button>
<div id="veil" style="position:fixed;inset:0;background:#fff8"></div>
<script>setTimeout(() => { off.disabled = false; veil.remove() }, 2500)</script>`,
});

describe('A page at four frames a second', () => {
  it('takes a value, an option, a slider and a click below the fold', async () => {
    const agent = await startAgentDriver(started);
    await agent.observe(pages.url);
    const entered = await agent.step(/"Name"/, 'Ada');
    expect(entered.space?.actions[0]?.name).toBe('entered Ada');
    const chosen = await agent.step(/"Size"/, 'Large');
    expect(chosen.space?.actions[0]?.name).toBe('chose Large');
    const moved = await agent.step(/"Volume"/, '2');
    expect(moved.space?.actions[0]?.name).toBe('volume 2');
    const pressed = await agent.step(/"Far"/);
    expect(pressed.space?.actions[0]?.name).toBe('pressed far');
    await agent.close();
  });
});

describe.concurrent('wait_ms', () => {
  it.each([
    [/"Covered"/, 'pressed covered'],
    [/"Disabled"/, 'pressed disabled'],
  ])('is also the patience for an element that is not ready: %s', async (action, result) => {
    const agent = await startAgentDriver(started);
    const { space } = await agent.observe(`${pages.url}/later`);
    const actionId = space?.actions.find(({ description }) => action.test(description))?.id ?? '';
    const answer = await started.service.step(started.viewer, {
      sessionId: agent.sessionId,
      actionId,
      value: null,
      enter: false,
      params: {},
      keepAlive: null,
      timeoutMinutes: null,
      screenshot: false,
      signal: new AbortController().signal,
      limits: { max: 100, min: null },
      data: null,
      waitMs: 5_000,
    });
    expect(answer.space?.actions[0]?.name).toBe(result);
    await agent.close();
  });
});
