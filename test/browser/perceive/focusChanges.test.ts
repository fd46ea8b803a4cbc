import { expect, test } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { spaceDiff } from '../../../src/domain/space/spaceDiff.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** A picture of 20 by 20 pixels. */
const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2220%22 height=%2220%22/%3E';

const { pages, agent } = pageHarness({
  '/': `<!doctype html><html lang="en"><title>t</title><body><label>Name <input id="i" value="Ada Lovelace"></label>
    <canvas id="c" width="600" height="300" aria-label="Board" onclick="0"></canvas>
    <button onmousedown="event.preventDefault()" onclick="i.focus(); i.setSelectionRange(0, 3)">Select</button>
    <button onclick="c.getContext('2d').fillRect(300, 100, 3, 3)">Draw</button></body></html>`,
  '/layers': `<!doctype html><html lang="en"><title>t</title><body style="margin:0"><canvas id="c" width="600" height="300" style="position:absolute"></canvas>
    <div style="position:absolute;width:600px;height:300px" title="Cells" onclick="c.getContext('2d').fillRect(300, 100, 3, 3)"></div></body></html>`,
  '/looks': `<!doctype html><html lang="en"><title>t</title><body onmousedown="event.preventDefault()">
    <button aria-label="Playback" onclick="const p = this.querySelector('path'); p.setAttribute('d', p.getAttribute('d') === 'M1 1' ? 'M9 9' : 'M1 1')"><svg width="9" height="9"><path d="M1 1"></path></svg></button>
    <button aria-label="Sound" onclick="this.firstChild.className = 'fa fa-volume-mute'"><i class="fa fa-volume-up">.</i></button>
    <button aria-label="Favourite" class="star css-hover" onmouseenter="this.classList.add('is-hovered')" onclick="this.classList.toggle('is-starred')">☆</button>
    <button aria-label="Nothing" class="plain" onmouseenter="this.classList.add('hover')" onclick="this.classList.add('ripple-wave')">.</button>
    <button aria-label="Copy" onclick="this.className = 'copied'; setTimeout(() => { this.className = '' }, 3100)">.</button></body></html>`,
  '/words': `<!doctype html><html lang="en"><title>t</title><body onmousedown="event.preventDefault()">
    <button title="Not saved" onmouseenter="this.removeAttribute('title')" onclick="this.title = 'All changes saved'">Save</button>
    <button aria-label="Next" onclick="this.firstChild.alt = 'Page 2'"><img alt="Page 1" src="${PICTURE}"></button>
    <button onclick="cat.alt = 'A dog'; dot.title = 'online'">Change</button>
    <img id="cat" alt="A cat" src="${PICTURE}"><i id="dot" title="offline" style="display:block;height:9px"></i>
    <button onclick="add('A map')">Map</button><button onclick="cat.outerHTML = cat.outerHTML">Render</button><button onclick="['1', '2', '3', '4'].forEach(add)">List</button>
    <script>const add = alt => document.body.append(Object.assign(new Image(), { alt, src: cat.src }))</script></body></html>`,
  '/editor': `<!doctype html><html lang="en"><title>t</title><body onmousedown="event.preventDefault()">
    <div contenteditable="true" role="textbox" aria-label="Body" id="e"><p>Hello <span>world</span></p></div>
    <button onclick="const s = e.querySelector('span'); s.outerHTML = '<strong>' + s.textContent + '</strong>'">Bold</button>
    <button onclick="e.firstChild.style.textAlign = 'center'">Center</button>
    <button onclick="e.innerHTML = '<p>' + e.textContent + '</p>'">Plain</button>
    <button onclick="e.firstChild.append(' again')">More</button></body></html>`,
  '/app': `<!doctype html><html lang="en"><title>Orders</title><body>
    <nav><a href="/">Start</a> <a href="/looks">Looks</a></nav>
    <button role="switch" aria-checked="false" onclick="this.ariaChecked = this.ariaChecked !== 'true'">Dark mode</button>
    <label><input type="checkbox"> Remember me</label>
    <p><label>Search the orders of all customers <input id="q" oninput="count.textContent = q.value.length + ' characters'"></label> <p><span id="count"></span><p>
    <button aria-expanded="false" aria-haspopup="menu" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = !menu.hidden">File</button>
    <div id="menu" role="menu" hidden>${['New', 'Open', 'Save', 'Save as', 'Print', 'Close'].map(name => `<button role="menuitem">${name}</button>`).join('')}</div>
    <select aria-label="Size"><option>Small<option>Large</select>
    <div role="tablist"><button role="tab" aria-selected="true">All</button> <button role="tab" aria-selected="false" onclick="this.ariaSelected = true; this.previousElementSibling.ariaSelected = false">Open</button></div>
    <table><tbody id="rows"></tbody></table>
    <button onclick="show(++at)">Next page</button><output id="o"></output>
    <script>let at = 1; const show = page => { o.textContent = 'Page ' + page; rows.innerHTML = Array.from({ length: 8 }, (_, n) => '<tr><td>Order ' + (page * 100 + n) + '</td><td><button>Edit</button> <button>Delete</button></td></tr>').join(''); }; show(1);</script></body></html>`,
});

/** The difference that a step makes, as text. */
async function differenceOf(step: () => Promise<unknown>): Promise<string> {
  const observed = () => {
    const { space, metadata } = agent.lastObservation;
    return { url: metadata.url, actions: space?.actions ?? [], messages: space?.messages ?? [] };
  };
  const before = observed();
  await step();
  return diffMarkdown(spaceDiff(before, observed()));
}

test('the focus, the selection and the picture of a canvas are changes', async () => {
  await agent.observe(`${pages.url}/`);
  expect(await differenceOf(() => agent.step(/"Select"/))).toBe(
    '~ I1 "Name", value "Ada Lovelace" (focused, caret 3, selected "Ada")',
  );
  expect(await differenceOf(() => agent.observe())).toBe('Nothing has changed.');
  expect(await differenceOf(() => agent.step(/"Draw"/))).toMatch(
    /^~ \w+ canvas "Board"[^\n]* \((?:"x,y", )?new picture\)/m,
  );
});

test('the picture of a canvas below the element that takes its presses is told with that element', async () => {
  await agent.observe(`${pages.url}/layers`);
  expect(await differenceOf(() => agent.step(/"Cells"/))).toBe('~ B1 canvas "Cells" (new picture)');
});

test('another icon and another class of a control are changes, and their names are told', async () => {
  await agent.observe(`${pages.url}/looks`);
  const press = (name: RegExp) => differenceOf(() => agent.step(name));
  expect(await press(/"Playback"/)).toBe('~ B1 "Playback" (new icon)');
  expect(await press(/"Playback"/)).toBe('~ B1 "Playback" (new icon)');
  expect(await press(/"Sound"/)).toBe('~ B2 "Sound" (new icon "volume mute")');
  expect(await press(/"Favourite"/)).toBe('~ B3 "Favourite" (new class "is-starred")');
  expect(await press(/"Favourite"/)).toBe('~ B3 "Favourite" (no class "is-starred")');
  expect(await press(/"Nothing"/)).toBe('Nothing has changed.');
  // Not waited for until the page takes it back.
  expect(await press(/"Copy"/)).toBe('~ B5 "Copy" (new class "copied")');
});

test('another tooltip of a control, and other words of a picture or a new one, are changes', async () => {
  await agent.observe(`${pages.url}/words`);
  const press = (name: RegExp) => differenceOf(() => agent.step(name));
  expect(await press(/"Save"/)).toBe('~ B1 "Save" (new title "All changes saved")');
  expect(await press(/"Save"/)).toBe('Nothing has changed.');
  expect(await press(/"Next"/)).toBe('~ B2 "Next" (new alt "Page 2")');
  expect(await press(/"Change"/)).toBe('! appeared "A dog"\n! appeared "online"');
  expect(await press(/"Map"/)).toBe('! appeared "A map"');
  expect(await press(/"Render"/)).toBe('Nothing has changed.');
  expect(await press(/"List"/)).toBe('Nothing has changed.');
});

test('formatting in an editor is a change, and its name is told', async () => {
  await agent.observe(`${pages.url}/editor`);
  const press = (name: RegExp) => differenceOf(() => agent.step(name));
  expect(await press(/"Bold"/)).toBe(
    '~ I1 text editor "Body", value "Hello world" (new formatting "strong")',
  );
  expect(await differenceOf(() => agent.observe())).toBe('Nothing has changed.');
  expect(await press(/"Center"/)).toBe(
    '~ I1 text editor "Body", value "Hello world" (new formatting "text-align: center")',
  );
  expect(await press(/"Plain"/)).toBe(
    '~ I1 text editor "Body", value "Hello world" (no formatting "text-align: center, strong")',
  );
  expect(await press(/"More"/)).toBe('~ I1 text editor "Body", value "Hello world again"');
});

test('the difference of one change has at most 150 bytes, and that of new rows 48 for each', async () => {
  await agent.observe(`${pages.url}/app`);
  const steps = {
    'a switch': () => agent.step(/"Dark mode"/),
    'a checkbox': () => agent.step(/"Remember me"/, 'true'),
    text: () => agent.step(/"Search the orders/, 'Lovelace'),
    'a menu': () => agent.step(/"File"/),
    'a choice': () => agent.step(/"Size"/, 'Large'),
    'a tab': () => agent.step(/tab "Open"/),
  };
  for (const [name, step] of Object.entries(steps)) {
    const text = await differenceOf(step);
    expect.soft(Buffer.byteLength(text), `${name}: ${text}`).toBeLessThanOrEqual(150);
  }
  const page = await differenceOf(() => agent.step(/"Next page"/));
  expect(page).toContain('+ in "Order 200":\n+  B27 "Edit"\n+  B28 "Delete"\n+ = B29 B30 in "Order 201"\n');
  expect(Buffer.byteLength(page), page).toBeLessThanOrEqual(8 * 48);
});
