import { beforeEach, describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const FORM = `<!doctype html><title>Form</title><h1>Form</h1><p role="status" id="said"></p>
<script>const say = text => { said.textContent = text; }</script>
<label>Name <input id="name" onkeyup="say('key ' + event.key)" oninput="say('name ' + this.value)"></label>
<label>Story <textarea id="story" oninput="say('story ' + JSON.stringify(this.value))"></textarea></label>
<label>Size <select onchange="say('size ' + this.value)"><option value="s">Small</option><option value="m">Medium</option><option value="l" disabled>Large</option></select></label>
<label>Toppings <select multiple onchange="say('toppings ' + [...this.selectedOptions].map(o => o.value))"><option>Ham</option><option>Olives</option><option>Rocket</option></select></label>
<label><input type="checkbox" onchange="say('agree ' + this.checked)"> Agree</label>
<label><input type="radio" name="r" onchange="say('radio one')"> One</label>
<label><input type="radio" name="r" onchange="say('radio two')"> Two</label>
<label>Day <input type="date" onchange="say('day ' + this.value)"></label>
<label>Hour <input type="time" onchange="say('hour ' + this.value)"></label>
<label>Count <input type="number" min="0" max="9" oninput="say('count ' + this.value)"></label>
<label>Volume <input type="range" min="0" max="10" oninput="say('volume ' + this.value)"></label>
<label>Paint <input type="color" oninput="say('paint ' + this.value)"></label>
<div contenteditable="true" aria-label="Note" oninput="say('note ' + this.textContent)">old text</div>
<label style="display:block">Hidden box <input type="checkbox" style="position:absolute;opacity:0;width:0;height:0" onchange="say('hidden ' + this.checked)"></label>
<button type="button" disabled>Off</button>
<button type="button" onclick="say('pressed')">Press</button>
<span id="plain">A word to click</span>
<form onsubmit="say('sent ' + q.value); return false"><input id="q" aria-label="Query"></form>
<div id="slider" role="slider" tabindex="0" aria-label="Brightness" aria-valuemin="0" aria-valuemax="20" aria-valuenow="5" style="width:100px;height:10px;background:gray"></div>
<script>
document.getElementById('plain').addEventListener('click', () => say('plain'));
slider.addEventListener('keydown', e => { const d = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
  slider.setAttribute('aria-valuenow', +slider.getAttribute('aria-valuenow') + d); say('brightness ' + slider.getAttribute('aria-valuenow')); });
</script>`;

const SPINNER = `<title>Spinner</title><input role="spinbutton" aria-label="Nights" value="0" onkeydown="event.preventDefault()" oninput="document.title = value + ' nights'">`;

const COVERED = `<title>Covered</title><label style="position:absolute;top:50px"><input type="checkbox" style="display:none" onchange="document.body.append('changed')">Wi-Fi</label>
<div style="position:fixed;inset:0;background:#0008"></div>`;

/** Built like CodeMirror 5 and Ace: a script draws the lines, and a text area without size receives the keys. */
const EDITOR = `<!doctype html><title>Editor</title><div id="editor" style="position:relative;width:300px;height:80px;border:1px solid">
<div style="overflow:hidden;position:relative;width:3px;height:0"><textarea style="position:absolute;bottom:-1em;width:1px;height:1em;padding:0">what was selected</textarea></div>
<pre id="line">old text</pre></div><script>
const area = document.querySelector('textarea'); let text = 'old text', all = false;
editor.onmousedown = e => { e.preventDefault(); area.focus() };
area.onkeydown = e => { if (e.key === 'a' && e.ctrlKey) { all = true; e.preventDefault() } };
area.oninput = () => { text = all ? area.value : text + area.value; all = false; area.value = ''; line.textContent = text; document.title = text };
</script>`;

/**
 * Built like Monaco: a script draws the lines, an element without width has an `EditContext` that receives the keys, and a hidden
 * text area is for input methods. A typed bracket is closed, and a line that is typed alone is indented.
 */
const EDIT_CONTEXT = `<!doctype html><title>Editor</title><div id="editor" style="position:relative;width:300px;height:80px;overflow:hidden">
<div id="keys" role="textbox" tabindex="0" aria-multiline="true" aria-label="Code" style="position:absolute;width:0;height:18px;z-index:-10"></div>
<textarea readonly tabindex="-1" aria-hidden="true" style="position:absolute;width:99px;height:20px;z-index:-10"></textarea>
<pre id="lines" style="position:absolute;inset:0;margin:0">old text</pre></div><script>
const context = new EditContext(); let text = 'old text', all = false; keys.editContext = context;
editor.onmousedown = e => { e.preventDefault(); keys.focus() };
keys.onkeydown = e => { if (e.key === 'a' && e.ctrlKey) { all = true; e.preventDefault() } };
context.ontextupdate = e => { text = (all ? '' : text) + ({ '(': '()', '\\n': '\\n  ' }[e.text] ?? e.text); all = false;
  lines.textContent = text; document.title = JSON.stringify(text) };
</script>`;

/** An editor that draws each line in a box of its own, with its number, and marks as styles. */
const LINES = EDITOR.replace(
  /<pre.*/s,
  '<div><i>1</i><span>let a = 1</span></div><div><i>2</i><b>bold</b> words</div></div><script>document.querySelector("textarea").value = "let a = 1\\n**bold** words"</script>',
);

describe('A step on an element', () => {
  const { pages, agent } = pageHarness({
    '/': FORM,
    '/editor': EDITOR,
    '/lines': LINES,
    '/edit-context': EDIT_CONTEXT,
    '/spinner': SPINNER,
    '/covered': COVERED,
  });

  let isOpen = false;
  /** Opens the form once for all tests: each states the whole value of a field. */
  beforeEach(async () => {
    if (!isOpen) await agent.observe(pages.url);
    isOpen = true;
  });
  async function openOther(path: string): Promise<void> {
    isOpen = false;
    await agent.observe(pages.url + path);
  }

  it('clicks a button', async () => {
    await agent.step(/button "Press"/);
    expect(await agent.text()).toContain('pressed');
  });

  it('clicks an element that is interactive only by its listener', async () => {
    await agent.step(/A word to click/);
    expect(await agent.text()).toContain('plain');
  });

  it('replaces the text of a field, key by key', async () => {
    await agent.step(/"Name"/, 'Ada');
    expect(agent.find(/"Name"/).value).toBe('Ada');
    await agent.step(/"Name"/, 'Bo');
    expect(agent.find(/"Name"/).value).toBe('Bo');
    expect(await agent.text()).toContain('key o');
  });

  it('clears a text field if the value is empty', async () => {
    await agent.step(/"Name"/, 'Ada');
    await agent.step(/"Name"/, '');
    expect(agent.find(/"Name"/).value).toBe('');
  });

  it('keeps line breaks in a text area', async () => {
    await agent.step(/"Story"/, 'one\ntwo');
    expect(await agent.text()).toContain('story "one\\ntwo"');
  });

  it('enters long texts completely', async () => {
    const long = 'word '.repeat(400).trim();
    await agent.step(/"Story"/, long);
    expect(agent.find(/"Story"/).value?.length ?? 0).toBeGreaterThan(50);
    expect(await agent.text()).toContain(`story "${long}"`);
  });

  it('types into an editor that a script draws', async () => {
    await openOther('/editor');
    // The hidden field holds what the editor does not show.
    expect(agent.find(/textbox/).value).toBeNull();
    await agent.step(/textbox/, 'let x = 1;');
    expect(agent.lastObservation.metadata.title).toBe('let x = 1;');
    await openOther('/lines');
    expect(agent.find(/textbox/).value).toBe('let a = 1\n**bold** words');
  });

  it('enters code as it is into an editor that has an EditContext', async () => {
    await agent.observe(`${pages.url}/edit-context`);
    expect(agent.lastObservation.space?.totalActions).toBe(1);
    await agent.step(/"Code"/, 'foo(\n1)');
    expect(agent.lastObservation.metadata.title).toBe('"foo(\\n1)"');
  });

  it('sets a spin button that ignores keys', async () => {
    await openOther('/spinner');
    await agent.step(/"Nights"/, '3');
    expect(agent.lastObservation.metadata.title).toBe('3 nights');
  });

  it('presses Enter after filling if `enter` is true', async () => {
    await agent.step(/"Query"/, 'cats', { enter: true });
    expect(await agent.text()).toContain('sent cats');
  });

  it('selects an option by its label or its value', async () => {
    await agent.step(/"Size"/, 'Medium');
    expect(await agent.text()).toContain('size m');
    await agent.step(/"Size"/, 's');
    expect(await agent.text()).toContain('size s');
  });

  it('selects several options, one on each line', async () => {
    await agent.step(/"Toppings"/, 'Ham\nRocket');
    expect(await agent.text()).toContain('toppings Ham,Rocket');
  });

  it('answers VALIDATION_ERROR with the options if the value is none of them', async () => {
    await expect(agent.step(/"Size"/, 'Huge')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('"Small", "Medium"'),
    });
    await expect(agent.step(/"Size"/, 'Large')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('checks, unchecks and toggles a checkbox', async () => {
    await agent.step(/checkbox "Agree"/, 'true');
    expect(agent.find(/"Agree"/).checked).toBe(true);
    await agent.step(/checkbox "Agree"/, 'true');
    expect(agent.find(/"Agree"/).checked).toBe(true);
    await agent.step(/checkbox "Agree"/, 'false');
    expect(agent.find(/"Agree"/).checked).toBe(false);
    await agent.step(/checkbox "Agree"/);
    expect(agent.find(/"Agree"/).checked).toBe(true);
  });

  it('answers VALIDATION_ERROR for a checkbox if the value is neither true nor false', async () => {
    await expect(agent.step(/checkbox "Agree"/, 'maybe')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('checks a radio button', async () => {
    await agent.step(/radio "Two"/);
    expect(agent.find(/radio "Two"/).checked).toBe(true);
    expect(agent.find(/radio "One"/).checked).toBe(false);
  });

  it('checks a checkbox that is hidden behind its label', async () => {
    await agent.step(/Hidden box/, 'true');
    expect(await agent.text()).toContain('hidden true');
  });

  it.each([
    [/"Day"/, '2026-03-09', 'day 2026-03-09'],
    [/"Hour"/, '14:05', 'hour 14:05'],
    [/"Count"/, '7', 'count 7'],
    [/"Volume"/, '8', 'volume 8'],
    [/"Paint"/, '#ff8800', 'paint #ff8800'],
    [/"Note"/, 'new text', 'note new text'],
    [/"Brightness"/, '9', 'brightness 9'],
    [/"Brightness"/, '2', 'brightness 2'],
  ])('sets %s to %s', async (field, value, output) => {
    await agent.step(field, value);
    expect(await agent.text()).toContain(output);
  });

  it('answers ACTION_BLOCKED for a checkbox without a box whose label is covered', async () => {
    await openOther('/covered');
    const { id, status } = agent.find(/Wi-Fi/);
    expect(status).toBe('covered');
    await expect(agent.step(id, 'true')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect(await agent.text()).not.toContain('changed');
  });

  it('answers VALIDATION_ERROR with the format if the value is no date', async () => {
    await expect(agent.step(/"Day"/, '9.3.2026')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('2026-03-09'),
    });
  });

  it('answers ACTION_BLOCKED if the element is disabled', async () => {
    const off = agent.find(/"Off"/);
    expect(off).toMatchObject({ status: 'excluded', disabled: true });
    await expect(agent.step(off.id)).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('keeps the ids of the other elements', async () => {
    const before = agent.find(/button "Press"/).id;
    await agent.step(/"Name"/, 'Ada');
    expect(agent.find(/button "Press"/).id).toBe(before);
  });

  it('answers ACTION_NOT_FOUND for an id that was never listed', async () => {
    await expect(agent.step('B999')).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });
});
