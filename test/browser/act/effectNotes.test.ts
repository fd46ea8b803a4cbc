import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const PAGES = {
  '/window': '<title>Window</title><button onclick="window.close()">Done</button>',
  '/': `<title>Notes</title><div draggable="true" aria-label="Card" tabindex="0">Card</div><div id="pile" tabindex="0" aria-label="Pile" style="height:60px">Pile</div><div tabindex="0" aria-label="Wall" style="height:60px">Wall</div>
    <div id="bar" tabindex="0" aria-label="Divider" style="position:absolute;left:500px;top:0;width:9px;height:90px;cursor:col-resize"></div>
    <canvas width="90" height="60" aria-label="Board" onmousedown="1"></canvas>
    <canvas id="sketch" width="90" height="60" aria-label="Sketch" onmousedown="1"></canvas>
    <div id="flow" tabindex="0" aria-label="Flow" style="width:90px;height:60px"><b style="display:block">Node</b></div>
    <div id="open" style="height:30px;width:90px">Folder</div><div id="menu" style="height:30px;width:90px">Row</div>
    <style>.gives section,.gives:hover button{display:none}.gives:hover section{display:block}.flees:hover button{display:none}</style>
    <div class="gives" style="position:absolute;left:600px;top:0;width:90px"><button>Layers</button><section style="padding:5px 0 40px"><label><input type="checkbox"> Parks</label></section></div>
    <button onclick="window.open('/window')">Window</button><div class="flees" style="position:absolute;left:700px;top:0;width:90px;height:60px"><button>Fleeing</button></div>
    <label>City <input id="city" role="combobox" aria-autocomplete="list" aria-controls="cities"></label><div id="cities" role="listbox"></div>
    <script>bar.onmousedown = () => { onmousemove = e => { if (e.buttons) bar.style.left = e.clientX + 'px' } };
    const pen = sketch.getContext('2d'); pen.fillRect(5, 5, 9, 9);
    let strokes = 0; sketch.addEventListener('mousemove', e => { if (e.buttons && strokes) pen.fillRect(e.offsetX, e.offsetY, 3, 3) }); sketch.addEventListener('mouseup', () => { strokes++ });
    flow.onmousedown = () => { flow.classList.toggle('marked') }; addEventListener('mouseup', e => { if (e.clientY > 500) document.title = 'Dropped' });
    pile.ondragover = e => e.preventDefault(); pile.ondrop = e => { e.preventDefault(); pile.append(document.querySelector('[aria-label=Card]')) };
document.getElementById('open').addEventListener('dblclick', e => { e.target.textContent = 'Folder, opened' });
    city.oninput = () => { cities.innerHTML = ['Berlin', 'Bern', 'Paris'].filter(name => city.value !== '' && name.startsWith(city.value)).map(name => '<div role="option">' + name + '</div>').join('') }; cities.onclick = e => { city.value = e.target.textContent; cities.innerHTML = '' };
    menu.addEventListener('contextmenu', e => { e.preventDefault(); e.target.textContent = 'Row with menu' })</script>`,
};

describe('A step that changes nothing', () => {
  const { pages, agent } = pageHarness(PAGES);

  const notes = () =>
    (agent.lastObservation.space?.messages ?? [])
      .filter(({ kind }) => kind === 'note')
      .map(({ text }) => text);
  const id = (pattern: RegExp) => agent.find(pattern).id;

  it('is the opening of what the arriving pointer shows in the place of a button', async () => {
    await agent.observe(pages.url);
    await agent.step(/button "Layers"/);
    expect(notes()).toEqual([
      expect.stringMatching(/^B\d+ was not pressed: it has opened under the pointer/),
    ]);
    await agent.step(/checkbox "Parks"/);
    expect(agent.find(/checkbox "Parks"/)).toMatchObject({ checked: true });
    await expect(agent.step(/Fleeing/, null, { waitMs: 200 })).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
    });
  });

  it('is not reported of a press that closes its window', async () => {
    await agent.observe(pages.url);
    await agent.step(/Window/);
    await agent.step(/Done/);
    expect(agent.lastObservation.metadata.title).toBe('Notes');
    expect(notes()).toEqual([]);
  });

  it('is reported after a drag; a drag that moved something is not', async () => {
    await agent.observe(pages.url);
    await agent.step('S17', `${id(/Card/)} -> ${id(/Wall/)}`);
    expect(notes()).toEqual(['Nothing moved: the page looks as it did before S17.']);
    await agent.step('S17', `${id(/Card/)} -> ${id(/Pile/)}`);
    expect(notes()).toEqual([]);
  });

  it('is reported after a drag on a canvas whose picture is the same; one that cannot be compared is told too', async () => {
    await agent.observe(pages.url);
    const drag = (name: RegExp) => agent.step('S17', `${id(name)}@5,5 -> ${id(name)}@50,40`);
    await drag(/Board/);
    expect(notes()).toEqual([
      'Nothing but the picture of a canvas can have changed in S17, and it cannot be compared.',
    ]);
    await drag(/Sketch/);
    expect(notes()).toEqual(['Nothing moved: the page looks as it did before S17.']);
    await drag(/Sketch/);
    expect(notes()).toEqual([]);
  });

  it('is told from a drag that changed only classes, and from one that changed something else than the dragged element', async () => {
    await agent.observe(pages.url);
    const flow = id(/Flow/);
    await agent.step('S17', `${flow}@5,5 -> ${flow}@40,30`);
    expect(notes()).toEqual(['Nothing moved: S17 only selected text of the page.']);
    await agent.step('S17', `${flow}@5,40 -> ${flow}@40,50`);
    expect(notes()).toEqual([
      'Nothing moved: S17 changed only attributes of elements, such as their classes.',
    ]);
    await agent.observe(pages.url);
    await agent.step('S17', `${id(/Flow/)}@80,55 -> @400,550`);
    expect(notes()).toEqual([`${id(/Flow/)} itself is where it was.`]);
  });

  it('is told from a drag to a point that moved the element only, with the way', async () => {
    await agent.observe(pages.url);
    const divider = id(/Divider/);
    await agent.step('S17', `${divider} -> @600,40`);
    expect(notes()).toEqual([`${divider} moved by 100,0 pixels.`]);
  });

  it('is told from text in a combobox of which no option is chosen, with the options', async () => {
    await agent.observe(pages.url);
    const city = id(/"City"/);
    await agent.step(city, 'Ber');
    expect(notes()).toEqual([
      `${city} holds "Ber", and no option is chosen yet. It offers "Berlin", "Bern".`,
    ]);
    await agent.step(/option "Bern"/);
    expect(notes()).toEqual([]);
    await agent.step(city, 'Oslo');
    expect(notes()).toEqual([`${city} holds "Oslo", and offers no option for it.`]);
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
