import { expect, test } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { limitActions } from '../../../src/domain/space/space.ts';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { agent, pages } = pageHarness({
  '/file.css': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/css' }).end('.lamp { top: 0 }'),
  '/': (request, response) => {
    const body = new URL(request.url ?? '', 'http://x').searchParams.get('body') ?? '';
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>t</title><body>${body}`);
  },
});

/** Returns the lines of the list of a page, without its head and the special actions. */
async function listed(body: string): Promise<readonly string[]> {
  await agent.observe(`${pages.url}/?body=${encodeURIComponent(body)}`);
  const { space } = agent.lastObservation;
  const lines = space === null ? [] : spaceMarkdown(space).split('\n').slice(2, -1);
  // A busy machine shows the page late.
  return lines.filter(line => !line.startsWith('Pending: '));
}

/** Steps on the listed page and returns the difference. */
async function changes(action: RegExp, value: string | null = null): Promise<string> {
  const { diff } = await agent.step(action, value, { diffSince: 'last' });
  return diff === null ? '' : diffMarkdown(diff);
}

const PHONE = 'Refurbished Contoso Phone Ultra Max 5G with triple camera and fast charger included,';

test('names, headings and chosen values that begin alike keep the part in which they differ', async () => {
  const card = (model: string) =>
    `<div><a href="#${model}"><h3>${PHONE} ${model}</h3></a><button>Add to cart</button></div>`;
  const options = ['red', 'blue'].map(color => `<option>${PHONE} ${color}`).join('');
  expect(
    await listed(
      `${card('128 GB')}${card('256 GB')}<h2>Choice</h2><select aria-label="Color">${options}</select>`,
    ),
  ).toEqual([
    '## L1 "Refurbished Contoso … 128 GB"',
    'B1 "Add to cart"',
    '= L2 "Refurbished Contoso … 256 GB" B2',
    '## "Choice"',
    `I1 combobox "Color", value "Refurbished Contoso … red" ("${PHONE} red"|"${PHONE} blue")`,
  ]);
});

test('a form is not named by the group of fields in it', async () => {
  const lines = await listed(
    `<form id="checkout"><fieldset><legend>Address</legend><label>Street <input></label></fieldset><button>Pay</button></form>`,
  );
  expect(lines).toEqual(['## Group "Address"', 'I1 "Street"', '## Form "checkout"', 'B1 "Pay"']);
});

test('a link without any name has the words of its address', async () => {
  const map =
    '<area shape="rect" coords="0,0,40,40" href="#west-wing"><area shape="rect" coords="50,0,90,40" href="/rooms/attic.html?x=1">';
  const lines = await listed(
    `<map name="m">${map}</map><img usemap="#m" width="100" height="50" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
  );
  expect(lines).toEqual(['## Page', 'L1 "west wing"', 'L2 "attic"']);
});

test('a label that is an id does not stand for the question of a dialog', async () => {
  const dialog =
    '<div role="dialog" aria-modal="true" aria-label="modal_9f3e2a"><p>You have unsaved work. Leave anyway?</p><button>Leave now</button></div>';
  expect((await listed(dialog)).join('\n')).not.toContain('9f3e2a');
});

test('a dialog keeps its question, and a title that is no id, in every observation', async () => {
  const dialog = `<button onclick="d.showModal()">Close account</button><dialog id="d"><p>You will lose 340 points. This cannot be undone.</p>
<button>Go back</button><button>Yes</button></dialog>`;
  await listed(dialog);
  await agent.step(/Close account/);
  for (let nth = 0; nth < 2; nth++) {
    const { space } = await agent.observe();
    expect(space === null ? '' : spaceMarkdown(space)).toContain(
      '! status "You will lose 340 points. This cannot be undone."\n## Dialog "You will lose 340 points."\nB',
    );
  }
});

test('a frame that covers the window is a veil: what is below is one line', async () => {
  const frame = `<iframe srcdoc="<button>Accept</button>" title="Consent" style="position:fixed;inset:0;width:100%;height:100%;border:0;z-index:9"></iframe>`;
  expect(await listed(`<a href="#1">Story one</a> <a href="#2">Story two</a>${frame}`)).toEqual([
    '## Frame "Consent"',
    'B1 "Accept"',
    '… 2 covered actions below the dialog',
  ]);
});

test('a limit keeps the buttons of a dialog below its scrolled list', async () => {
  const boxes = Array.from(
    { length: 120 },
    (_, nth) => `<label style="display:block"><input type="checkbox">Brand ${nth}</label>`,
  );
  await listed(
    `<dialog id="d" open><div style="height:120px;overflow:auto">${boxes.join('')}</div><button>Apply</button></dialog><script>d.close();d.showModal()</script>`,
  );
  const { space } = agent.lastObservation;
  const kept = limitActions(space?.actions ?? [], { max: 20, min: null });
  expect(kept.map(({ name }) => name)).toContain('Apply');
});

test('the name of a header is without its controls, and says how the table is sorted', async () => {
  const head = (name: string, order = '') =>
    `<th role="columnheader" tabindex="0" onclick="1" ${order}><span>${name}</span><button aria-label="${name} column menu"></button></th>`;
  const lines = await listed(
    `<table role="grid"><tr>${head('Age', 'aria-sort="ascending"')}${head('City')}</tr><tr><td>3</td><td>Rome</td></tr></table>`,
  );
  expect(lines.join('\n')).toMatch(/^B1 clickable "Age", sorted ascending\nB2 "Age column menu"$/m);
  expect(lines.join('\n')).not.toMatch(/"Age Age/);
});

test('the name of an entry does not grow by the menu that opens in it', async () => {
  const menu = `<style>ul ul{visibility:hidden;position:absolute}li.o>ul{visibility:visible}</style><nav><ul><li id="w">Women<ul><li><a href="#c">Coats</a></li></ul></li></ul></nav>
<script>w.onmouseenter=()=>w.classList.add('o')</script>`;
  await listed(menu);
  const { space } = await agent.step('S16', '"Women"');
  expect(space?.actions.map(({ name }) => name)).toEqual(['Women', 'Coats']);
});

test('which of several buttons is chosen is told where only its color says so', async () => {
  const buttons = ['is', 'is greater than', 'is less than']
    .map(name => `<button class="css-1ab2c">${name}</button>`)
    .join('');
  await listed(`<style>.css-9zz8y{background:#426;color:#fff}</style><div id="g">${buttons}</div><script>
for (const b of g.children) b.onclick = () => { for (const x of g.children) x.className = x === b ? 'css-9zz8y' : 'css-1ab2c' }</script>`);
  await agent.step(/is greater than/);
  expect(agent.lastObservation.space?.actions.map(({ description }) => description)).toEqual([
    'button "is"',
    'button "is greater than", highlighted',
    'button "is less than"',
  ]);
  await agent.step(/"is"/);
  expect(agent.lastObservation.space?.actions.map(({ description }) => description)).toEqual([
    'button "is", highlighted',
    'button "is greater than"',
    'button "is less than"',
  ]);
});

test('an error in red above a field is an alert, and the field keeps its name', async () => {
  await listed(`<h1>Welcome</h1><div id="w"><div><input type="password" placeholder="Password"><input type="password" placeholder="Confirm password"><button>OK</button></div></div>
<script>document.querySelector('button').onclick=()=>{const s=document.createElement('span');s.style.color='red';s.textContent='Passwords do not match';w.prepend(s)}</script>`);
  for (let nth = 0; nth < 2; nth++) {
    await (nth === 0 ? agent.step(/"OK"/) : agent.observe());
    const { space } = agent.lastObservation;
    expect(space?.messages.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'alert Passwords do not match',
    ]);
    expect(space?.actions.map(({ name }) => name)).toEqual(['Password', 'Confirm password', 'OK']);
  }
});

test('words that a class of colors marks, and numbers alone, are no alerts', async () => {
  await listed(
    `<span class="text-danger">Delete</span><p class="warning">to</p><span role="status">0</span><a href="#1">Link</a><p class="error">Required</p>`,
  );
  expect(agent.lastObservation.space?.messages.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'alert Required',
  ]);
});

test('the words of a control that changes do not make the text beside it new', async () => {
  await listed(
    `<code>tok-42</code> <button onclick="this.textContent='Copied!'">Copy</button> <label>Token <input></label>`,
  );
  expect((await agent.step(/"Copy"/)).space?.messages).toEqual([]);
});

test('a page that shows only an error tells it', async () => {
  await listed('<p>Application error: a client-side exception has occurred.</p>');
  expect(agent.lastObservation.space?.messages).toMatchObject([
    { kind: 'alert', text: 'Application error: a client-side exception has occurred.' },
  ]);
});

test('a step that dismisses a dialog first says so', async () => {
  await listed(`<button onclick="prompt('Your name?')">Ask</button><button>Next</button>`);
  await agent.step(/"Ask"/);
  const { space } = await agent.step('S23', 'abc');
  expect(space?.messages.map(({ text }) => text)).toEqual([
    'The step dismissed the open dialog first: prompt "Your name?". S14 and S15 answer a dialog.',
  ]);
});

test('S23 says that nothing has the focus', async () => {
  await listed('<label>Name <input></label>');
  expect((await agent.step('S23', 'abc')).space?.messages.map(({ text }) => text)).toEqual([
    'Nothing had the focus, so the keys went to the page as a whole.',
  ]);
  await agent.step(/Name/, 'Ada');
  expect((await agent.step('S23', ' L')).space?.messages).toEqual([]);
});

const HANDLE = '<span style="cursor:grab;display:inline-block;width:16px;height:16px">⠿</span>';

test.each([
  [
    'the row, its cell and its handle',
    (name: string) =>
      `<tr draggable="true"><td draggable="true" style="cursor:grab">${HANDLE}</td><td>${name}</td></tr>`,
    'B1 draggable "⠿ Ann"\nB2 draggable "⠿ Bob"',
  ],
  [
    'a handle beside a cell',
    (name: string) => `<tr><td style="cursor:grab">${HANDLE}</td><td draggable="true">${name}</td></tr>`,
    'B1 draggable "Ann", column "Name"\nB2 draggable "Bob", column "Name"',
  ],
  [
    'a handle alone, with its column',
    (name: string) => `<tr><td>${HANDLE}</td><td>${name}</td></tr>`,
    'B1 draggable "⠿", column "Move", in "Ann"\n= B2 in "Bob"',
  ],
])('what is dragged in a row is one line: %s', async (_kind, row, lines) => {
  const table = `<table><tr><th>Move</th><th>Name</th></tr>${row('Ann')}${row('Bob')}</table>`;
  expect((await listed(table)).slice(1).join('\n')).toBe(lines);
});

test('a handle that takes presses and the entry that takes drops are one thing that is dragged', async () => {
  const entry = (name: string) => `<li><span class="g" style="cursor:grab">≡</span> ${name}</li>`;
  const script = `for (const li of document.querySelectorAll('li')) { li.ondragover = li.ondrop = () => {}; li.firstChild.onpointerdown = () => {} }`;
  expect(await listed(`<ul>${entry('Ann')}${entry('Bob')}</ul><script>${script}</script>`)).toEqual([
    '## Page',
    'B1 draggable "≡ Ann"',
    'B2 draggable "≡ Bob"',
  ]);
});

test('each place of a board is a drop target, whether it is full or empty', async () => {
  const column = (title: string, cards: string) =>
    `<div class="col"><h3>${title}</h3><div class="cards" style="min-height:40px">${cards}</div></div>`;
  const card = (name: string) => `<div draggable="true">${name}</div>`;
  const board = column('Todo', card('Fix') + card('Ship')) + column('Done', '');
  const script = `for (const box of document.querySelectorAll('.col,.cards')) box.ondragover = box.ondrop = () => {}`;
  expect(await listed(`${board}<script>${script}</script>`)).toEqual([
    '## "Todo"',
    'B1 drop target "cards"',
    'B2 draggable "Fix"',
    'B3 draggable "Ship"',
    '## "Done"',
    'B4 drop target "cards"',
  ]);
});

test('a part without a name is told by its row and column, without its number among others', async () => {
  const cell = '<div role="gridcell" tabindex="0" style="width:40px;height:20px"></div>';
  const lines = await listed(
    `<div role="grid">${`<div role="row" style="display:flex">${cell}${cell}</div>`.repeat(2)}</div>`,
  );
  expect(lines.slice(1)).toEqual(
    [1, 2].flatMap(row =>
      [1, 2].map(column => `B${(row - 1) * 2 + column} clickable, row ${row}, column ${column}`),
    ),
  );
});

test('the submit button of a form stands after all of its fields, in and outside of a group', async () => {
  const group = '<fieldset><legend>Address</legend><label>Street <input></label></fieldset>';
  const lines = await listed(
    `<form id="checkout"><label>Email <input></label>${group}<button>Pay</button></form><a href="#1">Help</a>`,
  );
  expect(lines).toEqual([
    '## Form "checkout"',
    'I1 "Email"',
    '## Group "Address"',
    'I2 "Street"',
    '## Form "checkout"',
    'B1 "Pay"',
    '## Page',
    'L1 "Help"',
  ]);
});

test('the name of a section is what people see of its labels, without what is only for screen readers', async () => {
  const hidden = (id: string) =>
    `<span id="${id}" style="position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden">Contains 2 tokens</span>`;
  const list = (label: string, own = '') =>
    `<div role="listbox" id="own" ${own} aria-labelledby="${label}"><button>Show all</button></div>`;
  const parts = `${hidden('count')}<span id="label">Colors</span>`;
  expect((await listed(parts + list('count own label', 'aria-label="Tokenizer"')))[0]).toBe(
    '## Listbox "Colors"',
  );
  expect((await listed(hidden('count') + list('count')))[0]).toBe('## Listbox "Contains 2 tokens"');
});

test('a step that changes only attributes of what is not listed tells them, unless it has changed more', async () => {
  await listed(`<style>b { display:inline-block; width:20px; height:20px }</style><p><b></b><b class="free"></b></p>
    <button onclick="document.querySelectorAll('b')[1].className = 'taken'">Seat</button>
    <button onclick="document.querySelector('b').dataset.on = 'yes'; document.title = 'Lit'">Light</button>
    <button onclick="document.querySelector('b').classList.toggle('is-hover')">Point</button>
    <button onclick="for (let i = 0; i < 100; i++) document.querySelector('b').setAttribute('a' + i + 'x'.repeat(50), i)">Many</button>`);
  expect(await changes(/Seat/)).toMatch(
    /^! note "The step changed attributes of 1 element: b at \d+,\d+ \(class 'taken', no class 'free'\)\."\n~ B1/,
  );
  expect(await changes(/Light/)).toBe('Title "Lit"\n~ B2 "Light" (focused)');
  expect(await changes(/Point/)).toBe('~ B3 "Point" (focused)');
  expect(await changes(/Many/)).toMatch(
    /1 element: b at \d+,\d+ \(a0x{21}… '0', a1x{21}… '1', a2x{21}… '2', …\)\."/,
  );
});

test('a step that changes only style sheets or a canvas that is not listed tells it', async () => {
  await listed(`<p>Lamp</p><canvas id="c" width="40" height="20"></canvas><button onclick="c.getContext('2d').fillRect(0, 0, 9, 9)">Draw</button>
    <button onclick="sheet.replaceSync('p { color: ' + (colors = colors.toReversed())[0] + ' }')">Paint</button><button onclick="document.styleSheets[0].insertRule('p { font-size: 40px }')">Enlarge</button>
    <style>i { color: red }</style><script>let colors = ['red', 'blue']; const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet]; sheet.replaceSync('p { color: red }')</script>`);
  expect(await changes(/Draw/)).toMatch(/^! note "The step changed the picture of canvas at \d+,\d+\."/);
  expect(await changes(/Paint/)).toMatch(/^! note "The step changed the style sheets\."/);
  expect(await changes(/Enlarge/)).toMatch(/^! note "The step changed the style sheets\."/);
  expect(await changes(/Enlarge/)).not.toContain('canvas');
});

test('a step that adds or removes rules that no element has tells no change of style sheets', async () => {
  await listed(`<link rel="stylesheet" href="/file.css"><style id="s">p { color: red }</style><p class="lamp">Lamp</p>
    <button onclick="s.sheet.insertRule('.x-' + s.sheet.cssRules.length + ':hover i { color: red }'); s.sheet.insertRule('@media (min-width: 1px) { .gone { color: red } }')">Insert</button>
    <button onclick="s.textContent += ' .unused { top: 0 }'">Write</button><button onclick="s.sheet.insertRule('@media (min-width: 1px) { .lamp::before { color: red } }')">Shade</button>
    <button onclick="document.styleSheets[0].cssRules[0].style.color = 'red'">Repaint</button>`);
  expect(await changes(/Insert/)).toBe('~ B1 "Insert" (focused)');
  expect(await changes(/Write/)).toBe('~ B2 "Write" (focused)');
  expect(await changes(/Shade/)).toMatch(/^! note "The step changed the style sheets\."/);
  expect(await changes(/Repaint/)).toMatch(/^! note "The step changed the style sheets\."/);
});

test('a style sheet that many shadow trees share is read once, so that a change in a later one is told', async () => {
  await listed(
    `<button onclick="own.insertRule('b { color: red }')">Repaint</button><script>
    const shared = new CSSStyleSheet(), own = new CSSStyleSheet(); shared.replaceSync('.a { color: red } '.repeat(100));
    for (let n = 0; n < 30; n++) { const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      root.innerHTML = '<b>Text</b>'; root.adoptedStyleSheets = n < 29 ? [shared] : [shared, own] }</script>`,
  );
  expect(await changes(/Repaint/)).toMatch(/^! note "The step changed the style sheets\."/);
});

test('a hidden heading names no section, and a list of choices holds its words without the buttons in it', async () => {
  expect(
    await listed(`<label id="l">Tags</label><span role="combobox" tabindex="0" aria-labelledby="l" aria-expanded="false"><span title="green"><button tabindex="-1" title="Remove item"><span aria-hidden="true">×</span></button><span>green</span></span><textarea aria-label="Search"></textarea></span>
    <div style="visibility:hidden"><h2>Your cart</h2></div><button>Send</button>`),
  ).toEqual(expect.arrayContaining(['B1 combobox "Tags", value "green", collapsed', '## Page']));
});

test('a list of choices that a script draws has the label of the native one, or the words before it, and no hint as its value', async () => {
  const lines = await listed(
    `<label for="w">Speed</label><select style="display:none"><option>Slow</select><span id="w" role="combobox" tabindex="0">Slow</span>
    <label for="n">Size</label><select id="n" style="display:none"><option>S<option>M</select><div><a onclick="go()"><span>S</span></a></div>
    <p><b>Colour</b><span><span role="combobox" tabindex="0" aria-label="Red">Red</span></span></p><p>Town <span><span role="combobox" tabindex="0" aria-label="Choose" class="placeholder">Choose</span></span></p>
    <label for="m">Pets</label><select id="m" multiple style="display:none"><option>Cat</select><div><ul><li>Cat</li><li><input value="Pick"></li></ul></div>
    <label>Volume: <output>40</output> <input type="range" value="40"></label>`,
  );
  expect(lines.slice(1)).toEqual([
    'B1 combobox "Speed", value "Slow"',
    'B2 combobox "Size", value "S"',
    'B3 combobox "Colour", value "Red"',
    'B4 combobox "Town"',
    'I1 "Pets", value "Pick"',
    'I2 slider "Volume", value "40" ("0..100")',
  ]);
});

test('a label of the page names no field of a shadow tree, and a slider keeps the words of its author', async () => {
  const lines = await listed(
    `<label for="q">Go</label><x-field></x-field><input type="range" aria-label="Channel 2" value="2" max="9"><label>Part 2 <input type="range" value="2"></label>
    <script>document.querySelector('x-field').attachShadow({ mode: 'open' }).innerHTML = '<input id="q" placeholder="Street">'</script>`,
  );
  expect(lines.slice(1)).toEqual([
    'I1 "Street"',
    'I2 slider "Channel 2", value "2" ("0..9")',
    'I3 slider "Part 2", value "2" ("0..100")',
  ]);
});

test('a card whose title is its only link is one line, and a row of a table with a link is not', async () => {
  const card = (n: number) =>
    `<div onclick="open()" style="width:400px"><a href="/p${n}">Product ${n}</a><p>Nice thing</p><button>Add ${n}</button></div>`;
  const row = (n: number) =>
    `<tr onclick="open()"><td><a href="/u${n}">User ${n}</a><td>Since May<td><button>Edit ${n}</button>`;
  const lines = await listed(`${card(1)}${card(2)}<table>${row(1)}${row(2)}</table>`);
  expect(lines.filter(line => line.includes('clickable'))).toEqual([
    expect.stringContaining('"User 1 Since May"'),
    expect.stringContaining('"User 2 Since May"'),
  ]);
});

test('a row with handlers of its own is listed beside the controls in it, and named without them', async () => {
  const row = (name: string) =>
    `<div onclick="open()" style="width:400px"><input type="checkbox" aria-label="Select ${name}">${name}: Hello <button>Star</button></div>`;
  expect(
    await listed(
      `${row('Ada')}${row('Bob')}<div role="button" tabindex="0" onclick="open()">Shipping <button>Edit</button></div>`,
    ),
  ).toEqual([
    '## Page',
    'B1 clickable "Ada: Hello"',
    'I1 checkbox "Select Ada"',
    'B2 "Star", in "Ada: Hello"',
    'B3 clickable "Bob: Hello"',
    'I2 checkbox "Select Bob"',
    'B4 "Star", in "Bob: Hello"',
    'B5 "Shipping"',
    'B6 "Edit"',
  ]);
});

test.each([
  ['sign of an icon font', '.on::before { content: "\\e013" }'],
  ['line below it', '.on { border-bottom: 3px solid red }'],
])('a %s tells the chosen one of several', async (_, style) => {
  const lines = await listed(
    `<style>${style}</style><div onclick="for (const b of this.children) b.classList.toggle('on', b === event.target)">${['Day', 'Week', 'Month'].map(name => `<button>${name}</button>`).join('')}</div>`,
  );
  expect(lines).toEqual(['## Page', 'B1–B3 "Day" "Week" "Month"']);
  expect(await changes(/Week/)).toBe('~ B2 "Week", highlighted (focused)');
});

test('a dialog is named by its heading, or by its question, where its label is an id, and a question beside a button by its words', async () => {
  expect(
    (
      await listed(
        '<div role="dialog" aria-label="dialog-1727"><h5>Unsaved changes</h5><button>Save</button></div><div role="dialog" aria-label="dialog-1728"><p>Delete it? It cannot come back.</p><button>Delete</button></div><div role="tooltip"><p>Sure to archive?</p><button>Yes</button></div>',
      )
    ).filter(line => line.startsWith('##')),
  ).toEqual(['## Dialog "Unsaved changes"', '## Dialog "Delete it?"', '## Dialog "Sure to archive?"']);
});
