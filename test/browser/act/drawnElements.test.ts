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
});
