import { describe, expect, it } from 'vitest';
import type { ObservedPage } from '../../../support/observedPage.ts';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();
const linesOf = async (body: string) => (await openHtml(body)).lines();

/** Gives the elements of a selector handlers of these event types; `document` for the document. */
const listen = (observed: ObservedPage, selector: string, ...types: string[]) =>
  observed.page.evaluate(
    ([where, names]) => {
      const targets = where === 'document' ? [document] : Array.from(document.querySelectorAll(where));
      for (const target of targets) for (const name of names) target.addEventListener(name, () => {});
    },
    [selector, types] as const,
  );

describe('an element whose handlers an ancestor or the document has, is listed', () => {
  it('if it takes touches itself, as what is dragged', async () => {
    const observed = await openHtml(
      '<div style="touch-action:none;width:90px;height:40px">Drag me</div><p>Text</p>',
    );
    await listen(observed, 'document', 'pointerdown', 'pointermove');
    expect(await observed.lines()).toEqual(['draggable "Drag me"']);
  });

  it('if it is an entry of a list and the root has the handlers, as what is dragged', async () => {
    const observed = await openHtml(
      '<div class="list"><div>A</div><div>B</div><div>C</div></div><div class="list"><div>D</div></div><p>One</p><p>Two</p><p>Three</p>',
    );
    await listen(observed, 'html', 'mousedown', 'touchstart');
    expect(await observed.lines()).toEqual(['A', 'B', 'C', 'D'].map(name => `draggable "${name}"`));
  });

  it('if it is one of two entries of a list beside another list, and the root has the handlers', async () => {
    const observed = await openHtml('<div><div><div>A</div><div>B</div></div><div><div>C</div></div></div>');
    await listen(observed, 'html', 'mousedown', 'touchstart');
    expect(await observed.lines()).toEqual(['A', 'B', 'C'].map(name => `draggable "${name}"`));
  });

  it('if it is a day in the calendar of a picker', async () => {
    const days = Array.from({ length: 35 }, (_, nth) => `<td>${nth < 31 ? nth + 1 : nth - 30}</td>`);
    const weeks = [0, 7, 14, 21, 28].map(from => `<tr>${days.slice(from, from + 7).join('')}</tr>`);
    const head = '<tr><th>Mo</th><th>Tu</th><th>We</th><th>Th</th><th>Fr</th><th>Sa</th><th>Su</th></tr>';
    const foot = '<tfoot style="display:none"><tr><th colspan="7">Today</th></tr></tfoot>';
    const observed = await openHtml(
      `<div id="picker"><p>May 2026</p><table><thead>${head}</thead><tbody>${weeks.join('')}</tbody>${foot}</table></div>`,
    );
    await listen(observed, '#picker', 'click');
    const lines = await observed.lines();
    expect(lines).toHaveLength(35);
    expect(lines).toContain('clickable "21", column "Su"');
  });

  it('if its cursor becomes a hand while the pointer is over it', async () => {
    const style = '<style>.node:hover{cursor:move}.tile:hover{cursor:pointer}</style>';
    const observed = await openHtml(
      `${style}<div class="node">Node</div><div class="tile">Tile</div><p>Text</p>`,
    );
    expect(await observed.lines()).toEqual(['draggable "Node"', 'clickable "Tile"']);
  });

  it('but not as what is dragged if it only prevents that', async () => {
    const observed = await openHtml('<div id="slide"><p id="text">Slide</p></div>');
    await listen(observed, '#slide, #text', 'dragstart');
    expect(await observed.lines()).toEqual([]);
  });

  it('if an attribute of a library marks it as a drop target', async () => {
    const observed = await openHtml('<div data-drop-target-for-element="true">Bin</div>');
    expect(await observed.lines()).toEqual(['drop target "Bin"']);
  });

  it('if it is a cell of a spreadsheet', async () => {
    const row = (y: number) =>
      `<tr><td data-x="0" data-y="${y}">a${y}</td><td data-x="1" data-y="${y}"></td></tr>`;
    const observed = await openHtml(`<table>${row(0)}${row(1)}</table>`);
    await listen(observed, 'document', 'mousedown', 'dblclick');
    expect(await observed.lines()).toHaveLength(4);
  });

  it('if it is a day of a calendar, by its date', async () => {
    const day = (n: number) => `<td role="gridcell" data-date="2026-04-0${n}" style="height:90px"></td>`;
    const observed = await openHtml(
      `<table role="grid"><tr role="row">${[1, 2, 3].map(day).join('')}</tr></table>`,
    );
    await listen(observed, 'document', 'mousedown');
    expect(await observed.lines()).toEqual([1, 2, 3].map(n => `clickable "2026-04-0${n}"`));
  });

  it('not as a cell if the row has the handlers', async () => {
    const row = '<div role="row"><div role="gridcell">Ann</div><div role="gridcell">Rome</div></div>';
    const observed = await openHtml(`<div role="grid">${row}</div>`);
    await listen(observed, '[role=row]', 'click');
    expect(await observed.lines()).toEqual(['clickable "Ann Rome"']);
  });
});

describe('a region with handlers of its own', () => {
  it.each([
    ['that scrolls', 'overflow:auto', ['click', 'scroll']],
    ['that moves its content with the wheel', 'overflow:hidden', ['wheel']],
  ])('%s is a scrollable region', async (_what, style, types) => {
    const observed = await openHtml(
      `<div id="r" style="height:80px;${style}"><div style="height:900px"><div>Row 1</div><div>Row 2</div></div></div>`,
    );
    await listen(observed, '#r', ...types);
    expect((await observed.lines()).filter(line => line.startsWith('scrollable'))).toHaveLength(1);
    expect((await observed.observe()).scrollableDown).toBe(820);
  });
});

describe('a page that is edited as a whole', () => {
  it.each([
    [
      'contenteditable',
      '<p>Draft</p><a href="/x">Link</a><script>document.body.contentEditable = "true"</script>',
    ],
    ['designMode', '<p>Draft</p><script>document.designMode = "on"</script>'],
  ])('by %s is a text editor', async (_how, body) => {
    const observed = await openHtml(body);
    expect((await observed.lines())[0]).toMatch(/^text editor.*, value "Draft/);
    expect(await observed.lines()).toHaveLength(1);
  });
});

describe('one line for one thing', () => {
  it('for a slider that a library draws, which nothing covers', async () => {
    const slider =
      '<input type="range" aria-label="Volume" style="position:absolute;width:100%;height:100%;clip:rect(0 0 0 0)">';
    const observed = await openHtml(
      `<div style="cursor:pointer;width:200px;height:9px;position:relative"><span class="rail"></span><span class="thumb" style="position:absolute;width:20px;height:20px;background:red">${slider}</span></div>`,
    );
    const { elements } = await observed.observe();
    expect(elements.map(({ description, status }) => [description, status])).toEqual([
      ['slider "Volume", value "50"', 'valid'],
    ]);
  });

  it('for a cell, its check box and the boxes around it', async () => {
    const observed = await openHtml(
      '<div class="cell"><span class="box"><span class="ring"></span><input type="checkbox" aria-label="Select row"></span></div>',
    );
    await listen(observed, '.cell, .box', 'click');
    expect(await observed.lines()).toEqual(['checkbox "Select row", not checked']);
  });

  it('for a row that repeats the cells in it', async () => {
    const observed = await openHtml(
      '<div class="row"><div class="a">Ann</div><div class="b">Rome</div></div>',
    );
    await listen(observed, '.row, .a, .b', 'click');
    expect(await observed.lines()).toEqual(['clickable "Ann"', 'clickable "Rome"']);
  });

  it('for a box around several controls, without the hand as cursor', async () => {
    const observed = await openHtml(
      '<div class="panel"><p>Sure?</p><button>Yes</button><button>No</button></div>',
    );
    await listen(observed, '.panel', 'mousedown', 'keydown');
    expect(await observed.lines()).toEqual(['button "Yes"', 'button "No"']);
  });

  it('for a card with a hand as cursor and a button, both', async () => {
    const observed = await openHtml(
      '<div class="card" style="cursor:pointer"><h3>Tea</h3><p>Fine</p><button>Buy</button></div>',
    );
    await listen(observed, '.card', 'click');
    expect(await observed.lines()).toEqual(['clickable "Tea Fine"', 'button "Buy"']);
  });

  it('for the picture, the title and the text of a card with one address', async () => {
    const card =
      '<article><a href="/tea"><img alt=""></a><a href="/tea">Tea</a><a href="/tea">Tea</a></article>';
    expect(await (await openHtml(`<style>img{width:9px;height:9px}</style>${card}`)).lines()).toEqual([
      'link "Tea"',
    ]);
  });

  it('for the line that changes the size of a column: in the header, not in each row', async () => {
    const bar =
      '<i class="resizer" style="display:inline-block;width:5px;height:20px;cursor:col-resize"></i>';
    const observed = await openHtml(
      `<table><tr><th>Name${bar}</th></tr><tr><td>Ann${bar}</td></tr><tr><td>Ben${bar}</td></tr></table>`,
    );
    expect(await observed.lines()).toHaveLength(1);
  });
});

describe('parts that are no things of their own', () => {
  it('are the cells of a table that draws the edges of one button', async () => {
    const cell = '<td><i>&#160;</i></td>';
    const button = (text: string) =>
      `<table class="x-btn"><tr>${cell}<td></td>${cell}</tr><tr>${cell}<td><em><button>${text}</button></em></td>${cell}</tr></table>`;
    const style =
      '<style>.x-btn { cursor: pointer } i { display: block; width: 3px; height: 3px; overflow: hidden }</style>';
    const listen = `<script>for (const one of document.querySelectorAll('.x-btn')) one.addEventListener('mousedown', () => {})</script>`;
    expect(await linesOf(style + button('Yes') + button('Log in') + listen)).toEqual([
      'button "Yes"',
      'button "Log in"',
    ]);
  });

  it('are the texts of an option that take no clicks, but not what takes them', async () => {
    expect(
      await linesOf(
        `<div role="listbox"><div role="option" tabindex="0">${'<span class="t">File</span> <span class="t">Text</span> <span class="x">Remove</span>'}</div></div>
         <script>for (const one of document.querySelectorAll('.t')) one.addEventListener('mousedown', () => {});
         document.querySelector('.x').addEventListener('click', () => {})</script>`,
      ),
    ).toEqual(['option "File Text Remove"', expect.stringContaining('clickable "Remove"')]);
  });
});
