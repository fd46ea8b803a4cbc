import { describe, expect, it } from 'vitest';
import { isPasteChord } from '../../../../src/browser/act/values/pasteContent.ts';
import { startAgentDriver } from '../../../support/agentDriver.ts';
import { pageHarness } from '../../../support/pageHarness.ts';

/** Shows what is in the fields in the title, so that a test can read it after each step. */
const SHOW = `<script>const show = () => { document.title = JSON.stringify([...document.querySelectorAll('textarea,input,[contenteditable]')].map(e => e.value ?? e.innerHTML)) }
  addEventListener('input', show); show()</script>`;
const page = (body: string) => `<!doctype html><body>${body}${SHOW}`;

const PAGES = {
  '/select': page('<textarea aria-label="Here" autofocus>a secret</textarea>'),
  '/button':
    page(`<button onclick="const t = document.createElement('textarea'); t.value = 'by button'; document.body.append(t); t.select();
    document.execCommand('copy'); t.remove()">Copy</button><textarea aria-label="Here"></textarea>`),
  '/written': page(
    `<button onclick="navigator.clipboard.writeText('by promise').then(() => { this.textContent = 'Copied' }, () => { this.textContent = 'Refused' })">Copy text</button>
    <button onclick="navigator.clipboard.write([new ClipboardItem({ 'text/html': new Blob(['<b>bold</b>'], { type: 'text/html' }), 'text/plain': new Blob(['bold'], { type: 'text/plain' }) })]).then(() => { this.textContent = 'Copied' })">Copy rich</button>
    <textarea aria-label="Here"></textarea><p id="late"></p><script>setTimeout(() => navigator.clipboard.writeText('unasked').catch(() => { late.textContent = 'denied' }))</script>`,
  ),
  '/event':
    page(`<p id="p">text</p><button onclick="getSelection().selectAllChildren(p); document.execCommand('copy')">Copy</button>
    <script>document.addEventListener('copy', e => { e.clipboardData.setData('text/plain', 'plain');
      e.clipboardData.setData('text/html', '<b>rich</b>'); e.preventDefault(); e.stopPropagation() })</script>`),
  '/rich': page('<div contenteditable aria-label="Rich" role="textbox"></div>'),
  '/empty': page('<textarea aria-label="Here" autofocus></textarea>'),
  '/reads': `<script>onload = () => { document.open();
    document.write('<title>none</title><textarea autofocus aria-label="Here"></textarea>'); document.close();
    addEventListener('paste', e => { document.title = 'read ' + e.clipboardData.getData('text/plain') }) }</script>`,
  '/grid':
    page(`<div tabindex="0" role="button" aria-label="Cell" id="cell">Cell</div><script>cell.addEventListener('paste', e => {
    cell.textContent = document.title = 'cell ' + e.clipboardData.getData('text/plain'); e.preventDefault() })</script>`),
  '/refuses': page(
    `<textarea aria-label="Here" autofocus></textarea><script>addEventListener('keydown', e => e.ctrlKey && e.preventDefault())</script>`,
  ),
  '/framed': '<iframe src="/inner" style="width:400px;height:200px"></iframe>',
  '/inner': `<input aria-label="Inside" oninput="top.document.title = this.value">`,
};

describe('The clipboard of a session', () => {
  const { pages, agent, started } = pageHarness(PAGES);
  const title = () => agent.lastObservation.metadata.title;
  const copySecret = async () => {
    await agent.observe(`${pages.url}/select`);
    await agent.step(/Here/, 'a secret');
    await agent.step('S11', 'Control+A');
    await agent.step('S11', 'Control+C');
  };

  it('has what a page of the session copied with Control+C, also in the next document', async () => {
    await copySecret();
    await agent.observe(`${pages.url}/empty`);
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('["a secret"]');
    await agent.step('S11', 'Shift+Insert');
    expect(title()).toBe('["a secreta secret"]');
  });

  it('has what a page wrote with navigator.clipboard in a step, and denies it outside of steps', async () => {
    await agent.observe(`${pages.url}/written`);
    expect(await agent.text()).toContain('denied');
    await agent.step(/Copy text/);
    expect(agent.find(/"Copied"/)).toBeDefined();
    await agent.step(/Here/, '');
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('["by promise"]');
    await agent.step(/Copy rich/);
    await agent.observe(`${pages.url}/rich`);
    await agent.step(/Rich/);
    await agent.step('S11', 'Control+V');
    expect(title()).toContain('<b>bold</b>');
  });

  it('has what a script of the page copied after a click, and what Control+X cut', async () => {
    await agent.observe(`${pages.url}/button`);
    await agent.step(/Copy/);
    await agent.step(/Here/, '');
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('["by button"]');
    await agent.step('S11', 'Control+A');
    await agent.step('S11', 'Control+X');
    expect(title()).toBe('[""]');
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('["by button"]');
  });

  it('keeps formatted text that a page sets, and pastes it where formatted text can be', async () => {
    await agent.observe(`${pages.url}/event`);
    await agent.step(/Copy/);
    await agent.observe(`${pages.url}/rich`);
    await agent.step(/Rich/, '');
    await agent.step('S11', 'Control+V');
    expect(title()).toContain('rich</b>');
    await agent.observe(`${pages.url}/empty`);
    await agent.step('S11', 'Control+Shift+V');
    expect(title()).toBe('["plain"]');
  });

  it('gives a page that handles paste events the content', async () => {
    await copySecret();
    await agent.observe(`${pages.url}/grid`);
    await agent.step(/Cell/);
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('cell a secret');
  });

  it('pastes into the frame that has the focus', async () => {
    await copySecret();
    await agent.observe(`${pages.url}/framed`);
    await agent.step(/Inside/, '');
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('a secret');
  });

  it('is not pasted if the page prevents the default action of the key', async () => {
    await copySecret();
    await agent.observe(`${pages.url}/refuses`);
    await agent.step('S11', 'Control+V');
    expect(title()).toBe('[""]');
  });

  it('is not what another session of the same browser pastes, with any keys', async () => {
    await copySecret();
    const other = await startAgentDriver(started);
    for (const path of ['/empty', '/reads']) {
      await other.observe(`${pages.url}${path}`);
      for (const chord of ['Control+V', 'Control+v', 'Control+Shift+V', 'Shift+Insert', 'ControlLeft+KeyV']) {
        await other.step(/Here/, '');
        await other.step('S11', chord);
        expect(other.lastObservation.metadata.title, chord).not.toContain('secret');
      }
    }
    await other.close();
  });
});

describe('isPasteChord', () => {
  it.each([
    'Control+V',
    'ControlOrMeta+KeyV',
    'Meta+v',
    'Control+Shift+V',
    'ShiftLeft+Insert',
    'Control+Alt+v',
  ])('is true for %s', chord => expect(isPasteChord(chord)).toBe(true));
  it.each(['V', 'Insert', 'Shift+V', 'Alt+v', 'Control+Insert', 'Control+C', 'Control+F5'])(
    'is false for %s',
    chord => expect(isPasteChord(chord)).toBe(false),
  );
});
