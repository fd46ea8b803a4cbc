import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({
  '/pickers': `<title>Pickers</title><button onclick="day.showPicker()">Pick a day</button><input type="date" id="day" style="opacity:0;width:0;height:0;border:0;padding:0;position:absolute">
    <button onclick="hue.click()">Pick a color</button><input type="color" id="hue" style="display:none">
    <script>for (const input of [day, hue]) input.onchange = () => { document.title = input.id + ' ' + input.value }</script>`,
  '/areas': `<title>Areas</title><p style="height:1500px">Above</p><img usemap="#plan" style="transform:rotate(90deg);margin:60px 0" width="300" height="200" alt="Plan" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">
    <map name="plan"><area shape="rect" coords="160,0,300,200" href="#kitchen" alt="Kitchen" onclick="document.title = 'kitchen'"></map>`,
});

it('A hidden field is listed while its picker is open, and takes a value', async () => {
  await agent.observe(`${pages.url}/pickers`);
  expect(agent.lastObservation.space?.actions).toHaveLength(2);
  await agent.step(/button "Pick a day"/);
  await agent.step(/date field "Pick a day"/, '2026-05-04');
  expect(agent.lastObservation.metadata.title).toBe('day 2026-05-04');
  await agent.step(/button "Pick a color"/);
  await agent.step(/color field "Pick a color"/, '#ff0000');
  expect(agent.lastObservation.metadata.title).toBe('hue #ff0000');
});

it('An area of an image map below the window is scrolled into view and pressed', async () => {
  await agent.observe(`${pages.url}/areas`);
  await agent.step(/"Kitchen"/);
  expect(agent.lastObservation.metadata.title).toBe('kitchen');
});
