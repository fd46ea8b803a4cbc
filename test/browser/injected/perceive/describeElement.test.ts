import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml, openPath } = observerHarness();

describe('describeElement', () => {
  it('includes value, checked, expanded, selected and required', async () => {
    const observed = await openHtml(`<input aria-label="Name" value="Ann" required>
      <input type="checkbox" aria-label="Agree" checked><button aria-expanded="false">Menu</button>
      <div role="tab" aria-selected="true">First</div><button aria-pressed="true">Bold</button>`);
    expect(await observed.lines()).toEqual([
      'textbox "Name", value "Ann", required',
      'checkbox "Agree", checked',
      'button "Menu", collapsed',
      'tab "First", selected',
      'button "Bold", pressed',
    ]);
  });

  it('distinguishes equal elements by their row, their list entry or their heading', async () => {
    const row = (name: string) => `<tr><td>${name}</td><td><button>Delete</button></td></tr>`;
    const card = (name: string) => `<section><h3>${name}</h3><p>text</p><button>Buy</button></section>`;
    const observed = await openHtml(`<table>${row('Ann')}${row('Ben')}</table>${card('Tea')}${card('Milk')}`);
    expect(await observed.lines()).toEqual([
      'button "Delete", in "Ann"',
      'button "Delete", in "Ben"',
      'button "Buy", in "Tea"',
      'button "Buy", in "Milk"',
    ]);
  });

  it('distinguishes equal elements by the heading above them, across a long text', async () => {
    const part = (name: string) =>
      `<h2>${name}</h2><p>${'A long text about it. '.repeat(6)}</p><button>Buy</button>`;
    const observed = await openHtml(`<main>${part('Tea')}${part('Milk')}</main>`);
    expect(await observed.lines()).toEqual(['button "Buy", in "Tea"', 'button "Buy", in "Milk"']);
  });

  it('numbers equal elements without a distinguishing context', async () => {
    const observed = await openHtml('<button>Same</button><button>Same</button>');
    expect(await observed.lines()).toEqual(['button "Same", 1st of 2', 'button "Same", 2nd of 2']);
  });

  it('leaves the text of neighbouring buttons out of the context', async () => {
    const row = (n: string) => `<div><button>Odd</button><i>${n}</i><button>Even</button></div>`;
    const observed = await openHtml(row('3') + row('8'));
    expect(await observed.lines()).toEqual([
      'button "Odd", in "3"',
      'button "Even", in "3"',
      'button "Odd", in "8"',
      'button "Even", in "8"',
    ]);
  });

  it('adds the shared context of a few of many equal elements', async () => {
    const hour = (name: string) =>
      `<div><b>${name}</b><p><i class="slot" onclick="x()"></i><i class="slot" onclick="x()"></i></p></div>`;
    const observed = await openHtml(
      `<style>i{display:block;height:15px}</style>${hour('8am')}${hour('9am')}${hour('10am')}`,
    );
    expect((await observed.lines()).slice(0, 3)).toEqual([
      'clickable "slot", in "8am", 1st of 2',
      'clickable "slot", in "8am", 2nd of 2',
      'clickable "slot", in "9am", 1st of 2',
    ]);
  });

  it('distinguishes equal elements by an identifying attribute, unless its values only count', async () => {
    const boxes = (...names: string[]) =>
      names.map(name => `<i class="spot" ${name} onclick="x()"></i>`).join('');
    const style = '<style>i{display:inline-block;width:15px;height:15px}</style>';
    const named = await openHtml(style + boxes('id="(0,1)"', 'id="(1,-2)"'));
    expect(await named.lines()).toEqual(['clickable "spot", id "(0,1)"', 'clickable "spot", id "(1,-2)"']);
    const marked = await openHtml(style + boxes('data-square="a1"', 'data-square="h8"'));
    expect(await marked.lines()).toEqual(['clickable "spot", "square a1"', 'clickable "spot", "square h8"']);
    const counted = await openHtml(style + boxes('id="spot-1"', 'id="spot-2"'));
    expect(await counted.lines()).toEqual(['clickable "spot", 1st of 2', 'clickable "spot", 2nd of 2']);
  });

  it.each([
    ['before it', '<p><span>Year:</span><input></p>', 'textbox "Year"'],
    ['before its container', '<div>Year</div><div><input></div>', 'textbox "Year"'],
    ['below it', '<div><input><div>Year</div></div><div><input><div>City</div></div>', 'textbox "Year"'],
    ['in its cell', '<table><tr><th>Year</th><td><input></td></tr></table>', 'textbox "Year"'],
  ])('uses as the label of a field the text %s', async (_where, body, first) => {
    expect((await (await openHtml(body)).lines())[0]).toBe(first);
  });

  it('uses neither an instruction nor the label of another field as a label', async () => {
    const instruction = 'Scroll to the end of the terms, then enter your name and press the button.';
    const observed = await openHtml(
      `<div>${instruction}</div><div><textarea aria-label="Terms"></textarea><input placeholder="Name"></div>`,
    );
    expect(await observed.lines()).toEqual(['textbox "Terms", multiline', 'textbox "Name"']);
    const alone = await openHtml(`<div>${instruction}</div><div><input></div>`);
    expect(await alone.lines()).toEqual(['textbox']);
  });

  it('shows a password as eight dots', async () => {
    const observed = await openHtml('<input type="password" aria-label="Key" value="secret">');
    expect(await observed.lines()).toEqual(['password field "Key", value "••••••••"']);
  });

  it('adds what a symbol stands for', async () => {
    const observed =
      await openHtml(`<button class="add">+</button><button class="btn" aria-label="×" id="close-box"></button>
      <button class="next">Next</button>`);
    expect(await observed.lines()).toEqual(['button "+" "add"', 'button "×" "close"', 'button "Next"']);
  });

  it('numbers fields whose ids only count', async () => {
    const observed = await openHtml('<input id="tt0"><input id="tt1"><input id="tt2">');
    expect(await observed.lines()).toEqual([
      'textbox "tt0", 1st of 3',
      'textbox "tt1", 2nd of 3',
      'textbox "tt2", 3rd of 3',
    ]);
  });

  it('marks a text area as multiline', async () => {
    const observed = await openHtml('<textarea aria-label="Story"></textarea><input aria-label="Title">');
    expect(await observed.lines()).toEqual(['textbox "Story", multiline', 'textbox "Title"']);
  });

  it('does not use the heading of a form as the label of a field with a placeholder', async () => {
    const observed = await openHtml('<h2>Book a flight</h2><div><input placeholder="From"></div>');
    expect(await observed.lines()).toEqual(['textbox "From"']);
  });

  it('names a scrollable region by its title or its class, not by the text in it', async () => {
    const region = (attributes: string, inner: string) =>
      `<div ${attributes} style="height:50px;overflow-y:scroll">${inner}<p style="height:300px"></p><button>Order</button></div>`;
    const observed = await openHtml(region('', '<h3>Meals</h3>') + region('class="seats"', ''));
    const lines = await observed.lines();
    expect(lines.filter(line => line.startsWith('scrollable'))).toEqual([
      'scrollable region "Meals", at the top',
      'scrollable region "seats", at the top',
    ]);
  });

  it('keeps the grid positions of a board when one of its cells changes', async () => {
    const observed = await openHtml(
      `<style>i{display:inline-block;width:30px;height:30px}</style>${[0, 1, 2].map(() => '<div><i class="field"></i><i class="field"></i><i class="field"></i></div>').join('')}`,
    );
    await observed.page.evaluate(() => {
      for (const field of document.querySelectorAll('i')) field.addEventListener('click', () => {});
      document.querySelectorAll('i')[4]?.setAttribute('class', 'cross');
    });
    const lines = await observed.lines();
    expect(lines[4]).toBe('clickable "cross", row 2, column 2');
    expect(lines[5]).toBe('clickable "field", row 2, column 3');
  });

  it('distinguishes the arrows of a tree by the text after them', async () => {
    const observed = await openHtml(
      `<ul><li><div class="toggle" onclick="x()">▸</div><span>Books</span><ul><li><div class="toggle" onclick="x()">▸</div><span>Maps</span></li></ul></li></ul>`,
    );
    expect(await observed.lines()).toEqual([
      'clickable "▸" "toggle", in "Books"',
      'clickable "▸" "toggle", in "Maps"',
    ]);
  });

  it('includes the size of a shape relative to the text beside it, and black only when the author set it', async () => {
    const observed =
      await openHtml(`<svg width="160" height="80"><text x="10" y="30" fill="black" font-size="10">a</text>
      <text x="40" y="30" font-size="20">b</text><circle cx="90" cy="30" r="10" fill="red"/></svg>`);
    await observed.page.evaluate(() => {
      for (const shape of document.querySelectorAll('text, circle'))
        shape.addEventListener('click', () => {});
    });
    expect(await observed.lines()).toEqual([
      'clickable black text "a", small',
      'clickable text "b", large',
      'clickable red circle, large',
    ]);
  });
});

describe('classifyPage', () => {
  it('returns form, manage-cookies and auth for such pages', async () => {
    const kinds: string[] = [];
    for (const path of ['/forms', '/modal']) kinds.push((await (await openPath(path)).observe()).category);
    const login = await openHtml('<form><input aria-label="User"><input type="password"></form>');
    kinds.push((await login.observe()).category);
    expect(kinds).toEqual(['form', 'manage-cookies', 'auth']);
  });
});

describe('SectionNames', () => {
  it('names a section by its label, caption or heading', async () => {
    const observed = await openHtml(`<nav aria-label="Top"><a href="/a">A</a></nav>
      <form aria-label="Login"><button>Go</button></form>
      <table><caption>Users</caption><tr><th>N</th></tr><tr><td><button>Edit</button></td></tr></table>
      <h2>Prices</h2><button>Order</button>`);
    const { elements } = await observed.observe();
    expect(elements.map(({ category }) => category)).toEqual([
      'Navigation "Top"',
      'Form "Login"',
      'Table "Users"',
      'Section "Prices"',
    ]);
  });
});

describe('paramsOf', () => {
  it('returns the possible values of a field', async () => {
    const { elements } = await (await openPath('/forms')).observe();
    const params = Object.fromEntries(elements.map(({ name, params: [first] }) => [name, first]));
    expect(params.Size).toEqual({
      name: 'value',
      type: 'option',
      default: 'Medium',
      values: ['Small', 'Medium', 'Large'],
    });
    expect(params.Toppings).toMatchObject({ type: 'options', values: ['Cheese', 'Ham'] });
    expect(params.Amount).toMatchObject({ type: 'number', values: ['1..9 step 2'], default: '3' });
    expect(params.Day).toMatchObject({ type: 'date', values: ['YYYY-MM-DD'] });
    expect(params.Volume).toMatchObject({ type: 'range', values: ['0..50'] });
  });
});

describe('an element in a table that is made of boxes', () => {
  const linesOf = async (body: string) => (await openHtml(body)).lines();
  const style =
    '<style>.line{display:flex}.line>*,.cells>*{width:160px;height:24px}.cells{display:grid;grid-template-columns:repeat(3,160px)}</style>';
  const line = (cells: readonly string[], name = 'line') =>
    `<div class="${name}">${cells.map(cell => `<div>${cell}</div>`).join('')}</div>`;
  const values = (name: string, price: number) => [
    name,
    `<input value="${price}">`,
    '<button>Delete</button>',
  ];
  const expected = [
    'textbox "Price", value "10", in "Lamp"',
    'button "Delete", in "Lamp"',
    'textbox "Price", value "12", in "Chair"',
    'button "Delete", in "Chair"',
  ];
  const rows = `${line(values('Lamp', 10))}${line(values('Chair', 12))}`;
  const titles = ['Article', 'Price', 'Actions'];

  it.each([
    ['by a class name', `${line(titles, 'line list-header')}${rows}`],
    ['by how they look', `${line(titles.map(title => `<b>${title}</b>`))}${rows}`],
    ['before the box of the rows', `<div>${line(titles)}</div><div>${rows}</div>`],
    [
      'in the first line of a grid without rows',
      `<div class="cells">${[...titles.map(title => `<b>${title}</b>`), ...values('Lamp', 10), ...values('Chair', 12)].map(cell => `<div>${cell}</div>`).join('')}</div>`,
    ],
    [
      'with rows that have no box',
      `<div class="cells"><style>.row{display:contents}</style>${[titles.map(title => `<b>${title}</b>`), values('Lamp', 10), values('Chair', 12)].map(cells => line(cells, 'row')).join('')}</div>`,
    ],
  ])('has its row and its column, with headers %s', async (_where, body) => {
    expect(await linesOf(`${style}<section>${body}</section>`)).toEqual(expected);
  });

  it('that is pressed itself has them too, in a row whose cells are in another box', async () => {
    const row = (name: string, seats: number) =>
      `<div class="row"><div class="line"><div>${name}</div><div onclick="1">${seats}</div><div>Rome</div></div></div>`;
    const head =
      '<div class="row thead"><div class="line"><div>Name</div><div>Seats</div><div>City</div></div></div>';
    expect(await linesOf(`${style}<section>${head}${row('Ann', 3)}${row('Ben', 3)}</section>`)).toEqual([
      'clickable "3", in "Ann", column "Seats"',
      'clickable "3", in "Ben", column "Seats"',
    ]);
  });

  it('has none in a list of cards, whose first one is bold, nor in boxes below each other', async () => {
    const card = (name: string, size: string) => line([name, 'Offer', `<button>Buy ${size}</button>`]);
    const cards = `<div style="font-weight:bold">${card('Lamp', 'now')}</div>${card('Chair', 'two')}${card('Desk', 'three')}`;
    const stacked = `<div><div>Name</div><div>Price</div><div>City</div></div>`.repeat(2);
    const fields = '<div><p>Lamp</p><p>Count</p><p><input></p></div>'.repeat(2);
    expect(
      await linesOf(`${style}<section>${cards}</section><section>${stacked}${fields}</section>`),
    ).toEqual([
      'button "Buy now"',
      'button "Buy two"',
      'button "Buy three"',
      'textbox "Count", 1st of 2',
      'textbox "Count", 2nd of 2',
    ]);
  });
});
