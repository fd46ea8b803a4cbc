import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const PAGES = {
  '/': `<title>Notes</title><div draggable="true" aria-label="Card" tabindex="0">Card</div><div id="pile" tabindex="0" aria-label="Pile" style="height:60px">Pile</div><div tabindex="0" aria-label="Wall" style="height:60px">Wall</div>
    <div id="bar" tabindex="0" aria-label="Divider" style="position:absolute;left:500px;top:0;width:9px;height:90px;cursor:col-resize"></div>
    <canvas width="90" height="60" aria-label="Board" onmousedown="1"></canvas>
    <div id="open" style="height:30px;width:90px">Folder</div><div id="menu" style="height:30px;width:90px">Row</div>
    <script>bar.onmousedown = () => { onmousemove = e => { if (e.buttons) bar.style.left = e.clientX + 'px' } };
    pile.ondragover = e => e.preventDefault(); pile.ondrop = e => { e.preventDefault(); pile.append(document.querySelector('[aria-label=Card]')) };
document.getElementById('open').addEventListener('dblclick', e => { e.target.textContent = 'Folder, opened' });
    menu.addEventListener('contextmenu', e => { e.preventDefault(); e.target.textContent = 'Row with menu' })</script>`,
};

describe('A step that changes nothing', () => {
  const { pages, agent } = pageHarness(PAGES);

  const notes = () =>
    (agent.lastObservation.space?.messages ?? [])
      .filter(({ kind }) => kind === 'note')
      .map(({ text }) => text);
  const id = (pattern: RegExp) => agent.find(pattern).id;

  it('is reported after a drag; a drag that moved something, or on a canvas, is not', async () => {
    await agent.observe(pages.url);
    await agent.step('S17', `${id(/Card/)} -> ${id(/Wall/)}`);
    expect(notes()).toEqual(['Nothing moved: the page looks as it did before S17.']);
    await agent.step('S17', `${id(/Card/)} -> ${id(/Pile/)}`);
    expect(notes()).toEqual([]);
    await agent.step('S17', `${id(/Board/)}@5,5 -> ${id(/Board/)}@50,40`);
    expect(notes()).toEqual([]);
  });

  it('is told from a drag to a point that moved the element only, with the way', async () => {
    await agent.observe(pages.url);
    const divider = id(/Divider/);
    await agent.step('S17', `${divider} -> @600,40`);
    expect(notes()).toEqual([`${divider} moved by 100,0 pixels.`]);
  });

  it('is reported after a click on an element that reacts only to another gesture, with that gesture', async () => {
    await agent.observe(pages.url);
    const folder = id(/Folder/);
    await agent.step(folder);
    expect(notes()).toEqual([`Nothing changed: ${folder} reacts only to a double click, which is S18.`]);
    await agent.step('S18', folder);
    expect(notes()).toEqual([]);
    expect(agent.find(/Folder/).description).toContain('opened');
    const row = id(/Row/);
    await agent.step(row);
    expect(notes()).toEqual([`Nothing changed: ${row} reacts only to a right click, which is S19.`]);
  });
});
