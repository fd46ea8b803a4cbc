import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

describe('the handlers of an element', () => {
  it('name the only gesture that it reacts to', async () => {
    const observed = await openHtml(`<div id="a">File</div><div id="b">Folder</div><div id="c">Both</div>`);
    await observed.page.evaluate(() => {
      const listen = (id: string, ...types: string[]) => {
        for (const type of types) document.getElementById(id)?.addEventListener(type, () => {});
      };
      listen('a', 'dblclick');
      listen('b', 'contextmenu');
      listen('c', 'click', 'dblclick', 'contextmenu');
    });
    const { elements } = await observed.observe();
    expect(elements.map(({ description, gesture }) => [description, gesture])).toEqual([
      ['clickable "File", double click', 'double click'],
      ['clickable "Folder", right click', 'right click'],
      ['clickable "Both"', null],
    ]);
  });

  it('of every type are those of a framework, which say nothing about the element', async () => {
    const observed = await openHtml(`<div id="root"><p>Text</p><span class="rail"></span><a>Note</a>
      <button>Save</button><div id="card">Card</div></div>`);
    await observed.page.evaluate(() => {
      const types =
        `click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend
        mouseover mousemove dragstart drag dragover drop keydown keyup input change wheel`.split(/\s+/);
      for (const type of types) document.getElementById('root')?.addEventListener(type, () => {});
      // React marks what it handles clicks for with an empty handler.
      document.getElementById('card')?.addEventListener('click', () => {});
    });
    expect(await observed.lines()).toEqual(['button "Save"', 'clickable "Card"']);
  });
});

describe('style rules for :hover', () => {
  it('with lists inside of them are read', async () => {
    const observed =
      await openHtml(`<style>.a:not(.b, .c) .d:hover > .e, .f:is(.g:hover, .h) .i, li:hover > ul { display: block }
      ul ul { display: none }</style><ul><li>Menu<ul><li><a href="/x">Inner</a></li></ul></li></ul>`);
    expect(await observed.lines()).toEqual(['hoverable "Menu"']);
  });
});

describe('what draws a field or an icon', () => {
  const listened = async (body: string): Promise<string[]> => {
    const observed = await openHtml(body);
    await observed.page.evaluate(() => {
      for (const one of document.querySelectorAll('[data-on]'))
        for (const type of one.getAttribute('data-on')?.split(' ') ?? [])
          one.addEventListener(type, () => {});
    });
    return observed.lines();
  };
  const icon = (name: string) =>
    `<i class="kit-icon ${name}" data-on="click" style="display:inline-block"><svg width="14" height="14" data-on="click"><path d="M0 0h14v14z"/><path d="M2 2h4v4z"/></svg></i>`;

  it.each([
    [
      'the arrow of a list of choices',
      `<div class="kit-select"><input role="combobox" aria-label="City">${icon('arrow-down')}</div>`,
      ['combobox "City"'],
    ],
    [
      'but not the icon that empties it',
      `<div class="kit-select"><input role="combobox" aria-label="City">${icon('clear')}</div>`,
      ['combobox "City"', 'clickable "kit clear"'],
    ],
    [
      'nor the icon beside a field for text',
      `<div class="kit-input"><input aria-label="Name">${icon('magnifier')}</div>`,
      ['textbox "Name"', 'clickable "kit magnifier"'],
    ],
    [
      'the track and the label of a switch',
      '<div data-on="click" style="width:60px"><input type="checkbox" role="switch" aria-label="Wifi"><span style="cursor:pointer" class="core"><b class="dot"></b></span></div>',
      ['switch "Wifi", not checked'],
    ],
    [
      'but not the icon in the row of a check box',
      `<div style="width:400px"><input type="checkbox" aria-label="Milk">${icon('bin')}</div>`,
      ['checkbox "Milk", not checked', 'clickable "kit bin"'],
    ],
    [
      'the shapes of an icon',
      '<div><svg class="chevron" width="16" height="16" data-on="click"><path d="M0 0h16v16z"/><path d="M2 2h4v4z"/></svg></div>',
      ['clickable "chevron"'],
    ],
    [
      'the halves of a star',
      '<div role="radio" aria-checked="false" aria-label="Good" style="width:30px;height:20px;display:flex"><i data-on="click mousemove" style="width:15px"></i><i data-on="click mousemove" style="width:15px"></i></div>',
      ['radio "Good", not checked'],
    ],
    [
      'the label of a group of controls',
      '<label id="stars" data-on="click">Stars</label><div role="radiogroup" aria-labelledby="stars"><div role="radio" aria-checked="false" aria-label="Good">*</div></div>',
      ['radio "Good", not checked'],
    ],
    [
      'cells of a table that follow the pointer',
      '<table><tr><td data-on="mouseenter">Ann</td><td data-on="mouseenter">30</td></tr></table>',
      [],
    ],
    [
      'the cell around the handle of a row',
      '<table><tr><td data-on="click"><i class="grip" draggable="true" style="display:inline-block;width:20px;height:20px"></i></td><td>Ann</td></tr></table>',
      ['draggable "grip"'],
    ],
    [
      'an empty cell before the first day of a month',
      `<table data-on="click"><tr>${['', '', '1', '2', '3', '4', '5'].map(day => `<td style="height:20px;width:20px">${day}</td>`).join('')}</tr></table>`,
      ['1', '2', '3', '4', '5'].map(day => `clickable "${day}"`),
    ],
    [
      'not a list of custom elements whose box has the handler, but its entries',
      '<div data-on="click"><x-entry style="display:block">Apple</x-entry><x-entry style="display:block">Pear</x-entry></div>',
      ['clickable "Apple"', 'clickable "Pear"'],
    ],
    [
      'the link in the box of an entry of a menu',
      '<ul role="menubar"><li role="menuitem"><div data-on="click mouseenter"><a href="#"><span>File</span></a></div></li></ul>',
      ['menuitem "File"'],
    ],
    [
      'the touch area and the ripple of a button',
      '<button style="position:relative;width:90px;height:36px"><span class="kit-ripple" data-on="mousedown" style="position:absolute;inset:0"></span>Save<span class="kit-touch-target" data-on="click" style="position:absolute;inset:-6px"></span></button>',
      ['button "Save"'],
    ],
    [
      'a box that two buttons fill',
      '<div data-on="click" style="cursor:pointer;width:200px;display:flex"><button style="flex:1">Ann</button><button style="flex:1" aria-label="Remove Ann">Remove Ann</button></div>',
      ['button "Ann"', 'button "Remove Ann"'],
    ],
  ])('is listed once: %s', async (_what, body, lines) => {
    expect(await listened(body)).toEqual(lines);
  });

  it.each([
    [
      'the input of a drawn check box',
      '<div role="checkbox" tabindex="0" aria-checked="true" aria-label="Agree" style="width:90px"><div>✓</div><input type="checkbox" tabindex="-1" style="opacity:0"></div>',
      ['checkbox "Agree", checked'],
    ],
    [
      'the hidden input beside a drawn switch',
      '<label>Wifi <span role="switch" tabindex="0" aria-checked="false" aria-label="Wifi" style="display:inline-block;width:30px;height:16px"></span><input type="checkbox" aria-hidden="true" tabindex="-1" style="position:absolute;opacity:0"></label>',
      ['switch "Wifi", not checked'],
    ],
    [
      'a button that is the border between two panes',
      '<button role="separator" tabindex="0" aria-label="Resize" aria-valuenow="50" aria-valuemin="0" aria-valuemax="100" style="width:8px;height:60px"></button>',
      ['slider "Resize", value "50"'],
    ],
    [
      'a border between two panes that takes only presses',
      '<div style="display:flex"><div>A</div><div class="gutter" data-on="mousedown" style="width:10px;height:60px;cursor:col-resize"></div><div>B</div></div>',
      ['draggable "gutter"'],
    ],
    [
      'a field below the scale of a slider',
      '<div><div><span>0</span> <span>5</span> <span>10</span></div><div><input name="guests"></div></div>',
      ['textbox "guests"'],
    ],
    [
      'a slider that a library draws without a role',
      '<div class="t-slider" data-on="click" style="position:relative;width:200px;height:12px"><div class="t-slider__track" style="height:4px"></div><div class="t-slider__button-wrapper" data-on="mousedown" style="position:absolute;left:20%;width:12px;height:12px"><div class="t-slider__button"></div></div></div>',
      ['slider, value "20%"'],
    ],
    [
      'the cells of a spreadsheet, whose presses a box on its canvas takes',
      '<div style="position:relative"><canvas width="400" height="200"></canvas><div class="overlay" data-on="mousedown" style="position:absolute;inset:0;width:400px;height:200px"><div><input aria-label="Cell"></div></div></div>',
      ['canvas "overlay"', 'textbox "Cell"'],
    ],
    [
      'a list of choices whose button people do not see',
      '<x-select data-on="click" style="display:block;width:200px;height:40px"><template shadowrootmode="open"><label style="display:block;height:40px"><div class="wrapper" style="height:40px">Red<button aria-label="Colour, Red" aria-haspopup="dialog" aria-expanded="false" style="position:absolute;opacity:0;clip:rect(0 0 0 0);width:200px;height:40px"></button></div></label></template></x-select>',
      ['button "Colour, Red", collapsed'],
    ],
    [
      'an option that a class and the cursor disable',
      '<ul data-on="click"><li class="kit-option">Red</li><li class="kit-option kit-is-disabled" style="cursor:not-allowed">Blue</li></ul>',
      ['clickable "Red"', 'clickable "Blue", disabled'],
    ],
  ])('or is drawn is listed as what it is: %s', async (_what, body, lines) => {
    expect(await listened(body)).toEqual(lines);
  });

  it('in a calendar of roles are its days, told apart by their dates', async () => {
    const day = (date: string) =>
      `<div role="cell"><time datetime="${date}">${Number(date.slice(-2))}</time></div>`;
    expect(
      await listened(
        `<div data-on="pointerdown"><div>${day('2026-05-01')}${day('2026-05-31')}${day('2026-06-01')}</div></div>`,
      ),
    ).toEqual(['clickable "1", in "2026-05-01"', 'clickable "31"', 'clickable "1", in "2026-06-01"']);
  });

  it('states numbers only as the range of its values', async () => {
    const { elements } = await (
      await openHtml('<input type="number" aria-label="Count" min="undefined" max="9">')
    ).observe();
    expect(elements[0]?.params[0]?.values).toEqual(['..9']);
  });
});
