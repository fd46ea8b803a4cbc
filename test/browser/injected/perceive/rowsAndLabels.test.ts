import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();
const linesOf = async (body: string) => (await openHtml(body)).lines();

describe('an element in a table or grid', () => {
  it('has the text that identifies its row, and the header of its column as the name of a field', async () => {
    const row = (id: number, name: string, price: number) =>
      `<tr><td>${id}</td><td>${name}</td><td><input value="${price}"></td><td><button>Edit</button></td><td><button><i class="fa fa-trash"></i></button></td></tr>`;
    const head = '<tr><th>Number</th><th>Name</th><th>Price</th><th></th><th></th></tr>';
    expect(
      await linesOf(`<table>${head}${row(7, 'Customer 7', 10)}${row(8, 'Customer 8', 12)}</table>`),
    ).toEqual([
      'textbox "Price", value "10", in "Customer 7"',
      'button "Edit", in "Customer 7"',
      'button "trash", in "Customer 7"',
      'textbox "Price", value "12", in "Customer 8"',
      'button "Edit", in "Customer 8"',
      'button "trash", in "Customer 8"',
    ]);
  });

  it('has the header without the buttons in it, unless they come first or it has no other words', async () => {
    const head =
      '<tr><th>Age <button>Sort</button><button>Menu</button></th><th><button>Price</button> (EUR)</th><th><button>Name</button></th></tr>';
    const row = (age: number, name: string) =>
      `<tr><td onclick="">${age}</td><td onclick="">9</td><td><input value="${name}"></td></tr>`;
    expect((await linesOf(`<table>${head}${row(3, 'Ann')}${row(4, 'Ben')}</table>`)).slice(4)).toEqual([
      'clickable "3", column "Age"',
      'clickable "9", in "3", column "Price (EUR)"',
      'textbox "Name", value "Ann", in "3"',
      'clickable "4", column "Age"',
      'clickable "9", in "4", column "Price (EUR)"',
      'textbox "Name", value "Ben", in "4"',
    ]);
  });

  it('of a calendar has its date, and a day is listed beside its link and its event', async () => {
    const day = (nth: number, more = '') =>
      `<td role="gridcell" data-date="2026-03-0${nth}"><div style="height:60px"><a tabindex="0" title="Go to March ${nth}">${nth}</a>${more}</div></td>`;
    const days = [1, 2, 3, 4, 5, 6, 7].map(nth =>
      day(nth, nth === 4 ? '<div><a tabindex="0">Meeting</a></div>' : ''),
    );
    const lines = await linesOf(
      `<div id="calendar" style="width:700px"><table role="grid"><tr role="row">${days.join('')}</tr></table></div><script>document.querySelector('#calendar').addEventListener('mousedown', () => {})</script>`,
    );
    expect(lines.filter(line => /^clickable "\d/.test(line)).length).toBe(7);
    expect(lines.filter(line => line.includes('2026-03-04'))).toEqual([
      'clickable "4 Meeting", in "2026-03-04"',
    ]);
  });

  it('has two texts of its row when one does not identify it', async () => {
    const row = (id: number) =>
      `<tr><td>${id}</td><td>Ann</td><td>Rome</td><td><button>Edit</button></td></tr>`;
    const head = '<tr><th>Number</th><th>Name</th><th>City</th><th></th></tr>';
    const other = '<tr><td>9</td><td>Ben</td><td>Oslo</td><td><button>Edit</button></td></tr>';
    expect(await linesOf(`<table>${head}${row(7)}${row(8)}${other}</table>`)).toEqual([
      'button "Edit", in "Ann, 7"',
      'button "Edit", in "Ann, 8"',
      'button "Edit", in "Ben, 9"',
    ]);
  });

  it('is named by the header row without th, and never by the cell beside it', async () => {
    const row = (name: string, staff: string) =>
      `<tr><td><input type="checkbox"></td><td><a href="/${name}">${name}</a></td><td>${staff}</td><td><input value="${name}"></td></tr>`;
    const head = '<tr><td></td><td>User</td><td>Staff</td><td>Alias</td></tr>';
    expect(await linesOf(`<table>${head}${row('ann', 'True')}${row('ben', 'False')}</table>`)).toEqual([
      'checkbox, not checked, in "ann"',
      'link "ann"',
      'textbox "Alias", value "ann", in "ann"',
      'checkbox, not checked, in "ben"',
      'link "ben"',
      'textbox "Alias", value "ben", in "ben"',
    ]);
  });

  it('of roles has the row and the column by their numbers, wherever the header stands', async () => {
    const cell = (column: number, text: string) =>
      `<div role="gridcell" tabindex="-1" aria-colindex="${column}">${text}</div>`;
    const row = (n: number) =>
      `<div role="row">${cell(1, `Make ${n}`)}${cell(3, `${n}00`)}${cell(4, '<button>Buy</button>')}</div>`;
    const header = (column: number, text: string) =>
      `<div role="columnheader" aria-colindex="${column}">${text}</div>`;
    const head = `<div role="row">${header(1, 'Make')}${header(3, 'Price')}${header(4, '')}</div>`;
    expect(
      await linesOf(
        `<div role="grid"><div role="rowgroup">${head}</div><div role="rowgroup">${row(1)}${row(2)}</div></div>`,
      ),
    ).toEqual([
      'clickable "Make 1", column "Make"',
      'clickable "100", in "Make 1", column "Price"',
      'button "Buy", in "Make 1"',
      'clickable "Make 2", column "Make"',
      'clickable "200", in "Make 2", column "Price"',
      'button "Buy", in "Make 2"',
    ]);
  });
});

describe('the name of a field', () => {
  it.each([
    [
      'a label far above it',
      '<div><div><label>Date</label></div><div><div><div><div><div><input placeholder="Select"></div></div></div></div></div></div>',
      'textbox "Date", placeholder "Select"',
    ],
    [
      'no icon beside it',
      '<div><input placeholder="Select date"><span role="img" aria-label="calendar"></span></div>',
      'textbox "Select date"',
    ],
    [
      'no title of the dialog around it',
      '<div><div class="modal-title">Edit customer</div><div><input placeholder="Name"></div></div>',
      'textbox "Name"',
    ],
    [
      'no neighbour that is pressed',
      '<div><span role="button">Up</span><input name="amount"></div>',
      'textbox "amount"',
    ],
  ])('is %s', async (_what, body, line) => {
    expect((await linesOf(body)).at(-1)).toBe(line);
  });
});

describe('what tells equal elements apart', () => {
  it('is the link of an entry of a menu; the list counts the header of a post as none of the page', async () => {
    const entry = (name: string) =>
      `<li><a href="/${name}">${name}</a><ul><li><a href="/${name}/shoes">Shoes</a></li><li><a href="/${name}/all">All of ${name}</a></li></ul></li>`;
    const post = '<article><h2>News</h2><header><button>Share</button></header></article>';
    const observed = await openHtml(`<header><ul>${entry('women')}${entry('men')}</ul></header>${post}`);
    const { elements } = await observed.observe();
    expect(elements.map(({ description, category }) => [description, category])).toEqual([
      ['link "women"', 'Header'],
      ['link "Shoes", in "women"', 'Header'],
      ['link "All of women"', 'Header'],
      ['link "men"', 'Header'],
      ['link "Shoes", in "men"', 'Header'],
      ['link "All of men"', 'Header'],
      ['button "Share"', 'Section "News"'],
    ]);
  });

  it('is the month of a day, not the days beside it', async () => {
    const month = (name: string) =>
      `<div class="month"><div>${name}</div><i onclick="1">29</i><i onclick="1">30</i></div>`;
    expect(
      (await linesOf(month('April 2026') + month('May 2026'))).filter(line => line.includes('"29"')),
    ).toEqual(['clickable "29", in "April 2026"', 'clickable "29", in "May 2026"']);
  });

  it('is the title of a cell', async () => {
    const cell = (title: string) => `<td title="${title}" onclick="1"><div>1</div></td>`;
    expect(await linesOf(`<table><tr>${cell('2026-04-01')}${cell('2026-05-01')}</tr></table>`)).toEqual([
      'clickable "1", in "2026-04-01"',
      'clickable "1", in "2026-05-01"',
    ]);
  });

  it('is no generated id, and no text of half the page', async () => {
    const part = (id: string) =>
      `<div id="${id}"><p>${'Words of the page. '.repeat(20)}</p><div><button id="${id}-input">Go</button></div></div>`;
    expect(await linesOf(`${part('ag-60')}<hr>${part('ag-67')}`)).toEqual([
      'button "Go", 1st of 2',
      'button "Go", 2nd of 2',
    ]);
  });

  it('is the section above them, where there is one of each', async () => {
    const link = '<a href="#x">More</a>';
    const observed = await openHtml(`<header>${link}</header><nav>${link}</nav>`);
    const { elements } = await observed.observe();
    expect(elements.map(({ description, category }) => `${category}: ${description}`)).toEqual([
      'Header: link "More"',
      'Navigation: link "More"',
    ]);
  });
});

describe('a field with a placeholder', () => {
  it('is not named by another part of the page before it', async () => {
    const lines = await linesOf(
      `<div><header><h1>Mail</h1><ul><li>Refresh</li><li>Read all</li></ul></header><div><a href="/">Mail</a> <a href="/all">Read all</a><label>Sound</label></div><div><div><input placeholder="Search..."></div></div></div>
       <article><p>Welcome</p></article><footer><span><input placeholder="Find"></span></footer>`,
    );
    expect(lines.filter(line => line.startsWith('textbox'))).toEqual([
      'textbox "Search..."',
      'textbox "Find"',
    ]);
  });

  it('is named by the short text before it', async () => {
    expect(await linesOf('<div><span>City:</span> <input placeholder="Rome"></div>')).toEqual([
      'textbox "City", placeholder "Rome"',
    ]);
  });
});

describe('a list of choices', () => {
  it('has no value from the buttons, the list and the other widgets beside its input', async () => {
    const beside =
      '<button aria-label="Show suggestions">▾</button><ul role="listbox" aria-label="Suggestions"><li role="option">Rome</li></ul>';
    const field = '<input role="combobox" aria-label="City" aria-expanded="true">';
    expect(await linesOf(`<div>${field}${beside}</div>`)).toContain('combobox "City", expanded');
    expect(
      await linesOf(
        `<div>${field}<div role="radiogroup" aria-label="Plan"><div role="radio" tabindex="0">Free</div></div></div>`,
      ),
    ).toContain('combobox "City", expanded');
  });

  it('is the widget itself if its input is hidden from people and the keyboard', async () => {
    const unused = '<input readonly aria-hidden="true" tabindex="-1" style="width:9px;pointer-events:none">';
    expect(
      await linesOf(
        `<div role="combobox" tabindex="0" aria-expanded="false" aria-haspopup="tree">${unused}<span>Place</span></div>`,
      ),
    ).toEqual(['combobox "Place", collapsed']);
  });
});

describe('a part that lets presses through', () => {
  it('is listed for the widget around it, beside a list that the page keeps for its form', async () => {
    const field =
      '<select style="display:none"><option>Red</option></select><input role="combobox" aria-label="Shade" aria-expanded="false" style="pointer-events:none">';
    expect(
      await linesOf(
        `<div role="combobox" aria-haspopup="listbox" style="cursor:pointer;height:40px">${field}</div>`,
      ),
    ).toEqual(['combobox "Shade", collapsed']);
  });

  it('is listed for the host of its shadow tree', async () => {
    const page = await openHtml('<div role="tablist" onclick="1"><x-tab>All</x-tab><x-tab>New</x-tab></div>');
    await page.page.evaluate(() => {
      customElements.define(
        'x-tab',
        class extends HTMLElement {
          connectedCallback() {
            this.attachShadow({ mode: 'open' }).innerHTML =
              '<style>:host{display:block;width:90px}</style><button role="tab" style="pointer-events:none"><slot></slot></button>';
          }
        },
      );
    });
    expect(await page.lines()).toEqual(['tab "All"', 'tab "New"']);
  });
});

describe('a border between two panes that takes the focus', () => {
  it('is a slider', async () => {
    expect(
      await linesOf(
        '<div role="separator" tabindex="0" aria-label="Panes" aria-valuenow="30" style="width:9px;height:90px"></div>',
      ),
    ).toEqual(['slider "Panes", value "30"']);
  });
});

describe('a wheel that is hidden from screen readers', () => {
  it('lists its entries', async () => {
    const entries = ['Mon', 'Tue', 'Wed']
      .map(day => `<div class="item" style="height:20px">${day}</div>`)
      .join('');
    const page = await openHtml(
      `<div style="height:60px;overflow:hidden"><div id="wheel" aria-hidden="true" style="transform: none">${entries}</div></div><script>wheel.addEventListener('pointerdown', () => {})</script>`,
    );
    expect(await page.lines()).toEqual(['clickable "Mon"', 'clickable "Tue"', 'clickable "Wed"']);
    expect(
      await linesOf(
        '<div onmousedown="1" title="Hue" style="width:90px;height:30px"><div style="transform: none"><b class="a"></b><b class="a"></b></div></div>',
      ),
    ).toEqual(['clickable "Hue"']);
  });
});

describe('a number among numbers', () => {
  it('has no number beside it as its context', async () => {
    const days = [30, 31, 1, 2, 3]
      .map(day => `<div onclick="1" style="width:30px;height:20px">${day}</div>`)
      .join('');
    expect((await linesOf(`<div>${days}</div><div>${days}</div>`)).join()).not.toMatch(/in "[\d ]+"/);
  });

  it('is no name of the field after a dash', async () => {
    expect(
      await linesOf('<div><input aria-label="From"><span>–</span><input placeholder="Until"></div>'),
    ).toContain('textbox "Until"');
  });
});

it('counts the fields of a box again for each list', async () => {
  const page = await openHtml('<div id="row"><input id="only" name="x1"><span>Years</span></div>');
  expect(await page.lines()).toEqual(['textbox "Years"']);
  await page.page.evaluate(() => document.querySelector('#row')?.append(document.createElement('select')));
  expect(await page.lines()).toEqual(['textbox "x1"', 'combobox "Years"']);
});
