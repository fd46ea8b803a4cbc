import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../../support/servePages.ts';
import { type StartedService, startService } from '../../../support/startService.ts';

/** A named image hides a property of the document, a named input one of its form; in isolated worlds too. */
const hidingDocument =
  `scrollingElement documentElement body createElement createTreeWalker querySelectorAll elementFromPoint defaultView`
    .split(' ')
    .map(name => `<img name="${name}" alt="">`)
    .join('');
const hidingForm =
  `click focus parentElement scrollHeight clientHeight scrollTop scrollBy getAttribute getBoundingClientRect`
    .split(' ')
    .map(name => `<input name="${name}" hidden>`)
    .join('');

const PAGES = {
  '/': `<title>Hides</title>${hidingDocument}
    <label>Number <input type="number" oninput="document.title = 'number ' + this.value"></label>
    <div><form role="slider" tabindex="0" aria-label="Slider" aria-valuenow="3" style="width:50px;height:20px"
      onkeydown="const to = Number(this.ariaValueNow) + (event.key === 'ArrowRight'); this.ariaValueNow = to; document.title = 'slider ' + to">${hidingForm}</form></div>
    <form aria-label="Region" style="height:60px;overflow-y:scroll" onscroll="document.title = 'region scrolled'">${hidingForm}${'<p>Line</p>'.repeat(30)}<button type="button">In it</button></form>
    <p style="height:3000px">Long words here</p><script>addEventListener('scroll', () => { document.title = 'page scrolled' })</script>`,
};

let pages: ServedPages;
let started: StartedService;
let agent: AgentDriver;
beforeAll(async () => {
  [pages, started] = await Promise.all([servePages(PAGES), startService()]);
  agent = await startAgentDriver(started);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await agent.observe(`${pages.url}/`);
});
const title = () => agent.lastObservation.metadata.title;

describe('a page whose images and fields hide DOM properties', () => {
  it('can be scrolled', async () => {
    await agent.step('S9');
    expect(title()).toBe('page scrolled');
  });

  it('can have its number fields set', async () => {
    await agent.step(/number field "Number"/, '12');
    expect(title()).toBe('number 12');
  });

  it('gets VALIDATION_ERROR for a value that is not a number', async () => {
    await expect(agent.step(/number field "Number"/, 'twelve')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('can have its slider moved', async () => {
    await agent.step(/slider "Slider"/, '5');
    expect(title()).toBe('slider 5');
  });

  it('can have its regions scrolled', async () => {
    await agent.step('S9', agent.find(/scrollable region/).id);
    expect(title()).toBe('region scrolled');
  });

  it('can have its text selected', async () => {
    await agent.step('S17', '"Long words"');
    expect(agent.lastObservation.space).not.toBeNull();
  });
});
