import { expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DAYS = ['2026-03-09', '2026-03-10', '2026-03-11'];

/** The rows of the times, each half an hour, lie above the days, and the page is taller than the window. */
const WEEK = `<!doctype html><title>Week</title><style>table { border-collapse: collapse; width: 100% } td, th { padding: 0 } .body { position: relative; height: 1152px } .slots { position: relative; z-index: 1 } .cols { position: absolute; inset: 0 } .cols table { height: 100% } .slots td { height: 24px }</style>
<h1>Week</h1><div style="height:900px">Intro</div><table><tr><th style="width:60px"></th>${DAYS.map(day => `<th data-date="${day}">${day}</th>`).join('')}</tr></table>
<div class="body"><div class="slots"><table>${HOURS.flatMap(hour => ['00', '30'].map(minutes => `<tr><td style="width:60px" data-time="${String(hour).padStart(2, '0')}:${minutes}:00">${minutes === '00' ? `${hour % 12 || 12}${hour < 12 ? 'am' : 'pm'}` : ''}</td><td data-time="${String(hour).padStart(2, '0')}:${minutes}:00"></td></tr>`)).join('')}</table></div>
<div class="cols"><table><tr><td style="width:60px"></td>${DAYS.map(day => `<td class="day-col" data-date="${day}"></td>`).join('')}</tr></table></div></div><div style="height:900px">End</div>
<script>document.querySelector('.body').onclick = event => { const top = event.currentTarget.getBoundingClientRect().top; const half = Math.floor((event.clientY - top) / 24); document.title = Math.floor(half / 2) + ':' + (half % 2 ? '30' : '00') };
let from; const day = event => document.elementsFromPoint(event.clientX, event.clientY).find(element => element.matches('.day-col')).dataset.date.slice(-2) + ' ' + Math.floor((event.clientY - document.querySelector('.body').getBoundingClientRect().top) / 48);
onmousedown = event => { from = day(event) }; onmouseup = event => { if (day(event) !== from) document.body.dataset.way = from + ' to ' + day(event) }; document.body.onclick = () => { document.querySelector('h1').textContent = document.body.dataset.way }</script>`;

const { pages, agent } = pageHarness({ '/': WEEK });

it.each(['16:30', '2:00', '0:30', '23:00'])(
  'A day of a week view takes the time %s below its rows of times, on a page taller than the window',
  async time => {
    await agent.observe(pages.url);
    await agent.step(/"2026-03-11".*takes a time/, time);
    expect(agent.lastObservation.metadata.title).toBe(time);
  },
);

it('A drag takes times of days, and other words in its value are refused', async () => {
  await agent.observe(pages.url);
  const [, day, other] = DAYS.map(date => agent.find(new RegExp(`"${date}".*takes a time`)).id);
  await agent.step('S17', `${day} 22:00 -> ${other} 23:30`);
  await agent.step('S21', '@5,5');
  expect(await agent.text()).toMatch(/^10 22 to 11 23/);
  await expect(agent.step('S17', `${day} at noon -> ${other}`)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});
