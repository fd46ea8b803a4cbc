import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const TEXT = 'red\nblue\n\ngreen';
const LONG = `${'word '.repeat(30)}end\nsecond\nthird`;

const EDITORS = `<!doctype html><title>Editors</title><h1>Editors</h1>
<div contenteditable aria-label="Paragraphs"><p><br></p></div>
<div contenteditable aria-label="Filled"><p>old</p></div>
<div contenteditable aria-label="Blocks"><div><br></div></div>
<div contenteditable aria-label="Empty"></div>
<div contenteditable="plaintext-only" aria-label="Plain"></div>
<div contenteditable aria-label="Chat" onkeydown="sent(event)" onkeypress="sent(event)"><p><br></p></div>
<div contenteditable aria-label="Joining" onbeforeinput="if (event.inputType === 'insertParagraph') event.preventDefault()"></div>
<div contenteditable role="textbox" aria-multiline="false" aria-label="Single"></div>
<label>Area <textarea></textarea></label><label>Line <input></label>
<label>Glued <input oninput="this.value = this.value.replaceAll(' ', '')"></label>
<button onclick="document.title = JSON.stringify([...document.querySelectorAll('[contenteditable], input, textarea')].map(one => one.value ?? one.innerHTML))">Show</button>
<script>const sent = event => { if (event.key === 'Enter') document.title = 'sent' }</script>`;

const LOSING = `<!doctype html><title>Loses</title>
<div contenteditable aria-label="Losing" onbeforeinput="if (event.inputType === 'insertParagraph') { this.textContent = ''; event.preventDefault() }"></div>`;

const PASTED = `<!doctype html><title>Pasted</title>
<div contenteditable aria-label="Blocks" onbeforeinput="if (/^insert(Paragraph|LineBreak)$/.test(event.inputType)) event.preventDefault()"
  onpaste="event.preventDefault(); this.innerHTML = event.clipboardData.getData('text').split('\\n').map(line => '<p>' + line + '</p>').join(''); document.title = this.innerHTML"></div>`;

const BLANK = `<!doctype html><title>Blank</title><div contenteditable aria-label="Code" style="white-space:pre-wrap"
  onbeforeinput="if (event.inputType === 'insertParagraph') { event.preventDefault(); document.execCommand('insertText', false, '\\n\\n'); getSelection().modify('move', 'backward', 'character') }"
  oninput="document.title = JSON.stringify(this.innerText)"></div>`;

/** An editor that has a blank paragraph at first, and makes one more with the first new line. */
const SPARE = `<!doctype html><title>Spare</title><div contenteditable aria-label="Note" onbeforeinput="if (event.inputType === 'insertParagraph' && !this.more) {
  this.more = true; event.preventDefault(); for (const one of [1, 2]) document.execCommand('insertParagraph'); getSelection().modify('move', 'backward', 'line') }"
  oninput="document.title = this.innerText"><p><br></p></div>`;

/** An editor of blocks, whose button to add one comes below the text. */
const BLOCKS = `<!doctype html><title>Blocks</title><div contenteditable aria-label="Page" oninput="if (!this.querySelector('svg') && /blue/.test(this.textContent))
  this.insertAdjacentHTML('beforeend', '<div contenteditable=false><svg width=12 height=12></svg></div>'); document.title = this.innerText.trim()"><p><br></p></div>`;

/** An editor that always ends with an empty paragraph, and pastes all lines as one. */
const TRAILING = `<!doctype html><title>Trailing</title><div contenteditable aria-label="Post" onpaste="event.preventDefault(); document.execCommand('insertText', false, 'pasted')"><p><br></p></div><script>
const post = document.querySelector('div'); document.execCommand('defaultParagraphSeparator', false, 'p');
new MutationObserver(() => { if (post.lastElementChild?.textContent !== '') post.insertAdjacentHTML('beforeend', '<p><br></p>'); document.title = post.innerHTML }).observe(post, { childList: true, subtree: true, characterData: true })</script>`;

/** An editor that a script draws: a hidden field takes its keys, and keeps what was selected. */
const DRAWN = `<!doctype html><title>Drawn</title><div style="position:relative;width:300px;height:80px;border:1px solid"><div style="overflow:hidden;position:relative;width:3px;height:0"><textarea aria-label="Code" style="position:absolute;width:900px;height:1em;outline:none"></textarea></div><pre>old</pre></div>
<script>const area = document.querySelector('textarea'); area.value = 'old';
area.onpaste = event => { event.preventDefault(); const text = event.clipboardData.getData('text'); document.querySelector('pre').textContent += '1' + text.replace('\\n', '2'); document.title = document.querySelector('pre').textContent }</script>`;

describe('A text of several lines', () => {
  const { pages, agent } = pageHarness({
    '/': EDITORS,
    '/losing': LOSING,
    '/pasted': PASTED,
    '/blank': BLANK,
    '/drawn': DRAWN,
    '/trailing': TRAILING,
    '/spare': SPARE,
    '/blocks': BLOCKS,
  });
  const held = async (): Promise<readonly string[]> => {
    await agent.step(/"Show"/);
    return JSON.parse(agent.lastObservation.metadata.title) as string[];
  };

  it('arrives as lines in every editor, also in one that sends at Enter', async () => {
    await agent.observe(pages.url);
    for (const editor of ['Paragraphs', 'Filled', 'Blocks', 'Empty', 'Plain', 'Chat', 'Area'])
      await agent.step(new RegExp(`"${editor}"`), TEXT);
    const paragraphs = '<p>red</p><p>blue</p><p><br></p><p>green</p>';
    expect(await held()).toEqual([
      paragraphs,
      paragraphs,
      '<div>red</div><div>blue</div><div><br></div><div>green</div>',
      'red<div>blue</div><div><br></div><div>green</div>',
      TEXT,
      paragraphs,
      '',
      '',
      TEXT,
      '',
      '',
    ]);
  });

  it('arrives as lines if it is long, and with line breaks of Windows', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Paragraphs"/, LONG);
    await agent.step(/"Area"/, TEXT.replaceAll('\n', '\r\n'));
    const [paragraphs] = await held();
    expect(paragraphs).toBe(
      LONG.split('\n')
        .map(line => `<p>${line}</p>`)
        .join(''),
    );
  });

  it.each([
    ['Line', TEXT, 9, 'red blue green'],
    ['Line', LONG, 9, LONG.replaceAll('\n', ' ')],
    ['Single', TEXT, 7, 'red blue green'],
  ])('is one line with spaces in a field of one line: %s', async (field, text, index, expected) => {
    await agent.observe(pages.url);
    await agent.step(new RegExp(`"${field}"`), text);
    expect((await held())[index]).toBe(expected);
  });

  it('is pasted into an editor that breaks lines only at the key Enter and for pasted text', async () => {
    await agent.observe(`${pages.url}/pasted`);
    const { metadata } = await agent.step(/"Blocks"/, 'red\nblue');
    expect(metadata.title).toBe('<p>red</p><p>blue</p>');
  });

  it.each([
    ['no blank line more if the editor adds one', 'blank', /"Code"/, JSON.stringify('red\nblue..')],
    ['no blank line more if the editor adds some', 'spare', /"Note"/, 'red blue..'],
    ['all its signs if the editor adds a button', 'blocks', /"Page"/, 'red blue..'],
  ])('has %s at its end', async (_, path, editor, title) => {
    await agent.observe(`${pages.url}/${path}`);
    const { metadata } = await agent.step(editor, 'red\nblue..');
    expect(metadata.title).toBe(title);
  });

  it('is not pasted into an editor that always ends with a blank line', async () => {
    await agent.observe(`${pages.url}/trailing`);
    const { metadata } = await agent.step(/"Post"/, 'red\nblue');
    expect(metadata.title).toBe('<p>red</p><p>blue</p><p><br></p>');
  });

  it('is pasted once into an editor whose field holds only what was selected', async () => {
    await agent.observe(`${pages.url}/drawn`);
    const { metadata } = await agent.step(/"Code"/, 'red\nblue');
    expect(metadata.title).toBe('old1red2blue');
  });

  it('is refused where the page loses a line', async () => {
    await agent.observe(`${pages.url}/losing`);
    await expect(agent.step(/"Losing"/, 'red\nblue')).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
      message: expect.stringContaining('It holds "blue" now.'),
    });
  });

  it.each(['Joining', 'Glued'])('is refused where the page joins its lines: %s', async field => {
    await agent.observe(pages.url);
    await expect(agent.step(new RegExp(`"${field}"`), 'red\nblue')).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
      message: expect.stringContaining('It holds "redblue" now.'),
    });
  });
});
