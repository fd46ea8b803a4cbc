import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();
const linesOf = async (body: string) => (await openHtml(body)).lines();
const icon = (name: string) =>
  `<span role="img" aria-label="${name}" class="kit-icon kit-icon-${name}"><svg width="12" height="12" aria-hidden="true"><path d="M0 0h12v12H0z"/></svg></span>`;

describe('the name of an element', () => {
  it('leaves out the technical name of an icon beside a text', async () => {
    expect(await linesOf(`<button>${icon('folder-open')} Reports</button>`)).toEqual(['button "Reports"']);
  });

  it('is the technical name of its icon if it has no text', async () => {
    expect(await linesOf(`<button>${icon('folder-open')}</button>`)).toEqual(['button "folder-open"']);
  });

  it('keeps the label of a picture that its class does not repeat', async () => {
    const picture = '<span role="img" aria-label="Warning" class="kit-icon kit-icon-triangle">!</span>';
    expect(await linesOf(`<button>${picture} Disk</button>`)).toEqual(['button "Warning Disk"']);
  });

  it('is not the label of another field before it, nor the text of a control before it', async () => {
    const box = '<label><span><input type="checkbox"></span><span>Agree</span></label>';
    const field = '<div><div><input type="number" value="3"></div></div>';
    expect(await linesOf(`<div>${box}${field}</div>`)).toEqual([
      'checkbox "Agree", not checked',
      'number field, value "3"',
    ]);
    const panel = '<div><div role="button" tabindex="0" style="cursor:pointer">Details</div></div>';
    expect(
      await linesOf(`<div>${panel}<button role="switch" aria-checked="false" id="sw"></button></div>`),
    ).toEqual(['button "Details"', 'switch "sw", not checked']);
  });

  it('of an entry of a tree is without the entries below it', async () => {
    const leaf = (name: string) => `<div role="treeitem" tabindex="0">${name}</div>`;
    expect(
      await linesOf(
        `<div role="tree"><div role="treeitem" tabindex="0" aria-expanded="true"><span>Plants</span><div role="group">${leaf('Fern')}${leaf('Moss')}</div></div></div>`,
      ),
    ).toEqual(['treeitem "Plants", expanded', 'treeitem "Fern"', 'treeitem "Moss"']);
  });

  it('is read where only the box around it has the font size 0', async () => {
    expect(
      await linesOf('<button style="font-size:0">Hidden<span style="font-size:14px">Shown</span></button>'),
    ).toEqual(['button "Shown"']);
  });

  it('is apart from the text that style rules place beside it', async () => {
    const style = '<style>#a{position:relative}#a::after{content:"press";position:absolute;right:0}</style>';
    expect(await linesOf(`${style}<button id="a">Gamma</button>`)).toEqual(['button "Gamma press"']);
  });

  it('is not the text of decoration that is hidden from screen readers', async () => {
    expect(
      await linesOf('<div><div aria-hidden="true">1 2 3</div><div contenteditable="true">code</div></div>'),
    ).toEqual(['text editor, value "code"']);
  });
});

describe('the section of a link that contains a heading', () => {
  const sectionsOf = async (body: string): Promise<string[]> => {
    const { elements } = await (await openHtml(body)).observe();
    return elements.map(({ name, category }) => `${name}: ${category}`);
  };
  const card = (title: string) => `<li><a href="/${title}"><h2>${title}</h2></a></li>`;

  it('is the one around it if the link is one of several cards', async () => {
    const cards = `<ul>${card('First')}${card('Second')}</ul>`;
    expect(await sectionsOf(`<h1>Posts</h1>${cards}<a href="/next">Next page</a>`)).toEqual([
      'First: Section "Posts"',
      'Second: Section "Posts"',
      'Next page: Section "Posts"',
    ]);
  });

  it('is its own if other actions follow below it', async () => {
    const news = '<a href="/news"><h2>News</h2></a><button>Like</button>';
    expect(await sectionsOf(`<h1>All</h1>${news}`)).toEqual(['News: Section "News"', 'Like: Section "News"']);
  });
});

describe('two boxes that are one thing', () => {
  const size = 'display:block;width:200px;height:30px';

  it('are one line if both are dragged', async () => {
    const inner = `<div draggable="true" style="${size}">Account</div>`;
    expect(await linesOf(`<div draggable="true" style="${size}">${inner}</div>`)).toEqual([
      'draggable "Account"',
    ]);
  });

  it('are one line if one takes what is dropped on the other', async () => {
    const link = `<a href="/account" style="${size}">Account</a>`;
    const outer = `<div id="o" style="${size}"><div draggable="true" style="${size}">${link}</div></div>`;
    const script = '<script>o.addEventListener("dragover", event => event.preventDefault())</script>';
    expect(await linesOf(outer + script)).toEqual(['draggable "Account"', 'link "Account"']);
  });

  it('are one line if they are buttons with the same name', async () => {
    const outer = `<span role="button" aria-expanded="false" aria-label="Headings" style="${size}">`;
    expect(await linesOf(`${outer}<button aria-label="Headings" style="${size}"></button></span>`)).toEqual([
      'button "Headings", collapsed',
    ]);
  });
});

describe('a generated id', () => {
  it.each(['react-aria-_r_2c_', 'radix-:r1f:', 'downshift-«r0»-toggle-button'])('%s is no name', async id => {
    const [line = ''] = await linesOf(`<button id="${id}" style="width:30px;height:30px"></button>`);
    expect(line).toMatch(/^button(?! "(?:react|radix|downshift|r)\b)/);
  });
});

describe('an entry of a tree', () => {
  const entry = (text: string) =>
    `<div role="treeitem" aria-expanded="false" style="display:flex;width:400px">
       <span onclick="1" style="cursor:pointer;width:20px;height:20px" class="switcher"></span><span onclick="1" style="cursor:pointer"><span>${text}</span></span></div>`;

  it('is listed with its arrow, and pressed at its label', async () => {
    const page = await openHtml(`<div role="tree">${entry('Fruit')}</div>`);
    expect(await page.lines()).toEqual(['clickable "switcher"', 'treeitem "Fruit", collapsed']);
  });
});

describe('a box that only shows what its single control does', () => {
  it('is not listed beside the input of a list of choices', async () => {
    const select =
      '<div style="cursor:pointer" onclick="1"><span>Jack</span><input role="combobox" aria-label="Name" aria-expanded="false"></div>';
    expect(await linesOf(select)).toEqual(['combobox "Name", value "Jack", collapsed']);
  });

  it('is not listed beside the input in the box of an older list of choices', async () => {
    const box =
      '<div role="combobox" tabindex="0" aria-expanded="false"><label for="c">City</label><input id="c" role="combobox" aria-expanded="false"></div>';
    expect(await linesOf(box)).toEqual(['combobox "City", collapsed']);
  });

  it('is not listed beside the slider whose rail or handle it is', async () => {
    const slider =
      '<div style="cursor:grab;width:200px" onmousedown="1"><div onmousedown="1" style="height:8px"></div><div role="slider" aria-label="Volume" aria-valuenow="3" tabindex="0" style="width:12px;height:12px"><i onmousedown="1" style="display:block;width:12px;height:12px"></i></div></div>';
    expect(await linesOf(slider)).toEqual(['slider "Volume", value "3"']);
  });

  it('is not listed as the drawn tick of an option, nor as the text that labels a control', async () => {
    const option = '<div role="option" aria-selected="true"><input type="checkbox" checked>Red</div>';
    expect(await linesOf(`<div role="listbox">${option}</div>`)).toEqual(['option "Red", selected']);
    const labelled =
      '<span id="lb" onclick="1">City</span><button aria-labelledby="lb" aria-haspopup="listbox">▾</button>';
    expect(await linesOf(labelled)).toEqual(['button "City", opens a menu']);
  });

  it('is not listed for what it shows on hover if that is listed', async () => {
    const style =
      '<style>.n span{opacity:0;cursor:pointer}.n:hover span{opacity:1}.n{display:block;width:200px}</style>';
    const arrows = '<span class="up" onclick="1">+</span><span class="down" onclick="1">-</span>';
    expect(
      await linesOf(
        `${style}<div class="n"><input type="number" aria-label="Hour" value="1">${arrows}</div>`,
      ),
    ).toEqual(['number field "Hour", value "1"', 'clickable "+" "up"', 'clickable "-" "down"']);
  });
});

describe('a calendar', () => {
  it('names no day by another day of its week, and its columns by the whole name of the day', async () => {
    const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const head = names
      .map(name => `<span role="columnheader" aria-label="${name}">${name[0]}</span>`)
      .join('');
    const week = (first: number) =>
      names.map((_, day) => `<button role="gridcell" tabindex="-1">${first + day}</button>`).join('');
    const month = `<div role="grid"><div role="row">${head}</div><div role="row">${week(5)}</div><div role="row">${week(12)}</div></div>`;
    const lines = await linesOf(month);
    expect(lines[0]).toBe('clickable "5", column "Sunday"');
    expect(lines[13]).toBe('clickable "18", column "Saturday"');
    expect(lines.join()).not.toContain('in "');
  });
});

describe('a section without a title', () => {
  it('takes the heading before it, not a later one', async () => {
    const page = await openHtml(
      '<h2>Files</h2><div role="tree"><div role="treeitem" tabindex="0">a.txt</div></div><h2>Mail</h2><p>…</p>',
    );
    expect((await page.observe()).elements.map(({ category }) => category)).toEqual(['Tree "Files"']);
  });
});

describe('a list that takes presses and drops', () => {
  it('lists its entries as draggable', async () => {
    const list =
      '<ul id="l"><li>First</li><li>Second</li><li>Third</li></ul><script>for (const type of ["pointerdown", "dragover", "dragenter"]) l.addEventListener(type, () => {});</script>';
    expect(await linesOf(list)).toEqual(['draggable "First"', 'draggable "Second"', 'draggable "Third"']);
  });
});

describe('a field that people see as its widget', () => {
  const chosen = '<div style="position:absolute;inset:0;background:white">Oslo</div>';
  const widget = (input: string, more = '') =>
    `<div onclick="1" style="position:relative;width:200px;height:32px;overflow:hidden">${more}<input role="combobox" aria-label="City" aria-expanded="false" ${input}></div>`;

  it('is listed with what the widget shows as chosen, under it, transparent, or outside of the page', async () => {
    const line = 'combobox "City", value "Oslo", collapsed';
    for (const input of [
      '',
      'style="opacity:0;width:1px;height:1px"',
      'style="position:absolute;left:-9999px"',
    ])
      expect(await linesOf(widget(input, input === '' ? chosen : 'Oslo'))).toEqual([line]);
  });

  it('has no value while the widget shows a placeholder', async () => {
    expect(await linesOf(widget('', '<span class="kit-placeholder">Pick one</span>'))).toEqual([
      'combobox "City", collapsed',
    ]);
  });

  it('is listed for a drawn radio button, and not for a native field that the page keeps for itself', async () => {
    const stars = [1, 2]
      .map(
        star =>
          `<div onclick="1" style="width:20px;height:20px"><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"><input type="radio" name="s" aria-label="${star} stars"></span>☆</div>`,
      )
      .join('');
    const kept =
      '<select tabindex="-1" aria-label="Kept" style="position:absolute;width:1px;height:20px;border:0;padding:0;appearance:none"><option>1</select>';
    expect(await linesOf(stars + kept)).toEqual([
      'radio "1 stars", not checked',
      'radio "2 stars", not checked',
    ]);
  });
});

describe('a custom element around a field', () => {
  it('gives the field its label', async () => {
    const page = await openHtml('<label for="m">Mail</label><x-box id="m"></x-box>');
    await page.page.evaluate(() => {
      document.querySelector('x-box')?.attachShadow({ mode: 'open' }).append(document.createElement('input'));
    });
    expect(await page.lines()).toEqual(['textbox "Mail"']);
  });
});

describe('a widget in the place of a native list', () => {
  it('has the label of the list that it replaces, and the chosen option as its value', async () => {
    const hidden = 'style="position:absolute;width:1px;height:1px;padding:0;border:0" tabindex="-1"';
    const beside = `<label for="c">City</label><select id="c" ${hidden}><option>Oslo</select><span><span role="combobox" aria-labelledby="v" tabindex="0" aria-expanded="false"><span id="v">Oslo</span></span></span>`;
    expect(await linesOf(beside)).toEqual(['combobox "City", value "Oslo", collapsed']);
  });

  it('has no value if it shows only the icon of its button', async () => {
    const empty = `<div style="width:200px"><input role="combobox" aria-label="Author" aria-expanded="false"><button tabindex="-1" aria-label="Open" title="Open"><svg width="9" height="9"><path d="M0 0h9v9H0z"/></svg></button></div>`;
    expect(await linesOf(empty)).toEqual(['combobox "Author", collapsed', 'button "Open"']);
  });
});

describe('the day of a calendar', () => {
  it('is one line if its cell has a label of its button and a rule for the pointer over it', async () => {
    const style = '<style>.d:hover > .popup{opacity:1}</style>';
    const day = '<div class="d" role="gridcell"><button aria-label="March 5, 2026">5</button></div>';
    expect(await linesOf(style + day)).toEqual(['button "March 5, 2026"']);
  });

  it('is not said to be in the row of another day', async () => {
    const day = (date: number) => `<td><button aria-label="March ${date}, 2026">${date}</button></td>`;
    const week = (first: number) => `<tr>${[0, 1, 2, 3, 4, 5, 6].map(nth => day(first + nth)).join('')}</tr>`;
    const lines = await linesOf(`<table>${week(1)}${week(8)}${week(15)}</table>`);
    expect(lines[8]).toBe('button "March 9, 2026"');
  });
});

describe('a button that is not rendered until the pointer is over its row', () => {
  it('is listed in its row, as shown on hover', async () => {
    const row = (name: string) =>
      `<div class="row">${name} <span class="acts"><button>Delete</button></span></div>`;
    const style = '<style>.acts{display:none}.row:hover .acts{display:inline}</style>';
    expect(await linesOf(`${style}${row('Ann')}${row('Bob')}`)).toEqual([
      'button "Delete", shown on hover, in "Ann"',
      'button "Delete", shown on hover, in "Bob"',
    ]);
  });
});
