import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

/** Rule, HTML with one listed element, its name. */
const NAMES: ReadonlyArray<readonly [rule: string, markup: string, name: string]> = [
  ['content', '<button> Save  <b>all</b> </button>', 'Save all'],
  ['aria-label before content', '<button aria-label="Close">x</button>', 'Close'],
  [
    'aria-labelledby before aria-label, in order',
    '<span id="a">One</span><span id="b">Two</span><button aria-label="no" aria-labelledby="b a">x</button>',
    'Two One',
  ],
  [
    'a hidden label by reference',
    '<span id="h" hidden>Hidden words</span><button aria-labelledby="h">x</button>',
    'Hidden words',
  ],
  ['content without hidden parts', '<button>Go <span style="display:none">never</span></button>', 'Go'],
  ['content without aria-hidden parts', '<button><i aria-hidden="true">★</i> Star</button>', 'Star'],
  ['the alternative text of an image', '<button><img alt="Print" width="9" height="9"></button>', 'Print'],
  ['the title of a drawing', '<button><svg width="9" height="9"><title>Gear</title></svg></button>', 'Gear'],
  ['blocks, separated by a space', '<a href="/"><div>One</div><div>Two</div></a>', 'One Two'],
  ['inline parts, joined', '<a href="/">un<b>fold</b></a>', 'unfold'],
  ['a label around the field', '<label>Name <input></label>', 'Name'],
  ['a label by id', '<label for="x">Name</label><input id="x">', 'Name'],
  [
    'the text of an entry whose label is only its state',
    '<div role="option" aria-label="active">Monday</div>',
    'Monday',
  ],
  ['a label that is only a state without text', '<button aria-label="Active"></button>', 'Active'],
  [
    'a title without the access key at its end',
    '<button accesskey="e" title="Edit this page [E]"></button>',
    'Edit this page',
  ],
  [
    'the words of its custom element for the only control of a shadow tree',
    '<x-icon icon="home-page"><template shadowrootmode="open"><svg role="button" tabindex="0" class="x-icon-root" width="9" height="9"></svg></template></x-icon>',
    'home page',
  ],
  [
    'the label around a custom element for its drawn field',
    '<label>Night <x-field><template shadowrootmode="open"><div role="switch" tabindex="0" aria-checked="false" style="width:30px;height:20px"></div></template></x-field></label>',
    'Night',
  ],
  ['the title attribute last', '<button title="Tip"></button>', 'Tip'],
  ['a placeholder if there is nothing else', '<input placeholder="Search here">', 'Search here'],
  ['the value of a submit button', '<input type="submit" value="Send it">', 'Send it'],
  ['the default of a submit button without a value', '<input type="submit">', 'Submit'],
  ['generated text', '<style>b::before{content:"New "}</style><button><b>mail</b></button>', 'New mail'],
  ['text beside a field', '<p>Age: <input></p>', 'Age'],
  ['text after a check box', '<input type="checkbox"> Agree', 'Agree'],
  [
    'the hint of a list of choices whose field lets presses through',
    '<div role="combobox" tabindex="0"><span><input tabindex="-1" placeholder="Fruit" style="pointer-events:none"></span></div>',
    'Fruit',
  ],
  [
    'the hint that a list of choices shows beside its field',
    '<div style="cursor:pointer"><div style="opacity:0"><input role="combobox" readonly></div><div class="kit-placeholder"><span>Choose a city</span></div></div>',
    'Choose a city',
  ],
  [
    'the label before the track of a slider',
    '<div><label>Volume</label><div><span>0</span><div><div class="track"><div role="slider" id="thumb" aria-valuenow="3" style="width:9px;height:9px"></div></div></div></div></div>',
    'Volume',
  ],
  ['class words', '<button class="btn btn-icon icon-trash"></button>', 'trash'],
  ['the icon file', '<button><img src="/img/zoom-in.png" width="9" height="9"></button>', 'zoom in'],
  [
    'the color of a box without text',
    '<div onclick="1" style="width:9px;height:9px;background:red"></div>',
    'red',
  ],
  [
    'color and shape',
    '<svg width="50" height="50"><circle onclick="1" cx="20" cy="20" r="10" fill="teal"/></svg>',
    'teal circle',
  ],
];

describe('the name of an element', () => {
  it('is no label of another field that is seen, but one of a hidden field', async () => {
    const named = async (body: string) =>
      (await (await openHtml(`<div>${body}</div>`)).observe()).elements.map(({ name }) => name);
    const field = '<div><input role="combobox"></div>';
    expect(await named(`<input id="day"><label for="day">Day</label>${field}`)).toEqual(['Day', '']);
    expect(await named(`<label for="list">City</label>${field}<select id="list" hidden></select>`)).toEqual([
      'City',
    ]);
  });

  for (const [rule, markup, name] of NAMES)
    it(`comes from ${rule}`, async () => {
      const observed = await openHtml(markup);
      const { elements } = await observed.observe();
      expect(elements.map(element => element.name)).toEqual([name]);
    });

  it('has no empty box, arrow or state of a field that a style rule draws beside the words, but a tick and a sign', async () => {
    const style = `<style>i::before{content:"☐ "}:checked+i::before,.on::before{content:"☑ "}b::before{content:"€ "}
      .up::before{content:"+"}.open::after{content:" ▾"}</style>`;
    const page = await openHtml(
      `${style}<label><input type="checkbox" checked><i>Gift</i></label><button><b>5</b></button><button><i></i></button>
      <button class="on">Red</button><button class="up">15</button><button class="up">More</button><button class="open">Sort</button>`,
    );
    const { elements } = await page.observe();
    const names = elements.map(({ name }) => name);
    expect(names).toEqual(['Gift', '€ 5', '☐', '☑ Red', '+15', 'More', 'Sort']);
  });

  it('is no text of an editor before it', async () => {
    const block = (text: string) => `<div><div contenteditable="true">${text}</div></div>`;
    const { elements } = await (await openHtml(`<div>${block('First')}${block('Second')}</div>`)).observe();
    expect(elements.map(({ name, value }) => [name, value])).toEqual([
      ['', 'First'],
      ['', 'Second'],
    ]);
  });
});

describe('the name of a button without words', () => {
  it.each([
    [
      'its tooltip',
      '<button class="x1 tool" data-bs-original-title="Bold text"><i class="fa fa-b"></i></button>',
      'Bold text',
    ],
    ['its tips', '<button class="x1 tool" data-tips="Undo (Ctrl+Z)"></button>', 'Undo (Ctrl+Z)'],
    [
      'no size of its icon',
      '<button class="MuiIconButton-root css-b14wyw" data-testid="header-search"><svg class="MuiSvgIcon-root MuiSvgIcon-fontSizeMedium css-q7mezt"></svg></button>',
      'header search',
    ],
    ['no state of a framework', '<button class="ng-scope ng-pristine tool-crop"></button>', 'tool crop'],
    ['the box in it', '<button><div class="torrent_resume"></div></button>', 'torrent resume'],
    [
      'the text that describes it',
      '<button aria-describedby="t"><svg></svg></button><div id="t" hidden>Strike out</div>',
      'Strike out',
    ],
    [
      'its icon',
      '<button class="MuiButtonBase-root css-1ab2c3"><svg class="MuiSvgIcon-root" data-testid="DeleteIcon"></svg></button>',
      'delete',
    ],
    [
      'the symbol that its icon uses',
      '<button class="btn-x9"><svg><use href="#icon-save"></use></svg></button>',
      'save',
    ],
    ['its data', '<button class="toolbar-item" data-command="undo"></button>', 'undo'],
    ['no letter that all its classes begin with', '<button class="p-tool p-trash"></button>', 'tool trash'],
    [
      'no class that a style library makes',
      '<button class="css-mncuj7 sc-bdVaJa" id="zoom-in"></button>',
      'zoom in',
    ],
  ])('is %s', async (_what, body, name) => {
    expect((await (await openHtml(`<style>button{width:20px;height:20px}</style>${body}`)).lines())[0]).toBe(
      `button "${name}"`,
    );
  });
});
