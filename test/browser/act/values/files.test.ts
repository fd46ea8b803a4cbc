import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const PAGES = {
  '/inputs': `<title>Inputs</title><label>One <input type="file"></label> <label>Folder <input type="file" webkitdirectory></label>`,
  '/': `<title>Files</title><p id="out"></p><script>const show = async files => { top.document.title = (await Promise.all([...files].map(async f => f.name + ' ' + await f.text()))).join(', ') };
    const pick = multiple => { const i = document.createElement('input'); i.type = 'file'; i.multiple = multiple; i.onchange = () => show(i.files); i.click() };
    const choose = async () => { if ('showOpenFilePicker' in window) show([await (await showOpenFilePicker())[0].getFile()]); else pick(false) };
    const save = async () => { if ('showSaveFilePicker' in window) return showSaveFilePicker(); const a = document.createElement('a'); a.download = 'saved.txt'; a.href = URL.createObjectURL(new Blob(['kept'])); a.click() };</script>
    <button onclick="choose()">Open</button><button onclick="pick(true)">Attach</button><button onclick="save()">Save</button>
    <div id="zone" tabindex="0" aria-label="Drop zone" style="height:80px;border:1px solid">Drop files here</div>
    <script>zone.ondragover = e => e.preventDefault(); zone.ondrop = e => { e.preventDefault(); show(e.dataTransfer.files) }</script>`,
  '/framed': '<title>Framed</title><p>Above</p><iframe src="/" style="width:600px;height:300px"></iframe>',
  '/later': `<title>Later</title><button>Attach</button><script>document.querySelector('button').onclick = () => {
    const i = document.createElement('input'); i.type = 'file'; i.click();
    i.onchange = () => setTimeout(() => { document.title = 'took ' + i.files[0].name }, 200) }</script>`,
};

describe('Files of a session', () => {
  const { started, pages, agent } = pageHarness(PAGES);

  const upload = async (name: string, text: string): Promise<string> => {
    const { service, viewer } = started;
    const chunks = new Blob([text]).stream();
    const command = { sessionId: agent.sessionId, name, chunks, signal: new AbortController().signal };
    return (await service.uploadFile(viewer, command)).id;
  };
  const browserActions = () => agent.lastObservation.space?.browserActions.map(({ id }) => id);
  const title = () => agent.lastObservation.metadata.title;
  /** The page reads files beside its other work. */
  const becomesTitle = (text: string) =>
    expect.poll(async () => (await agent.observe()).metadata.title).toBe(text);

  it('are waited for by S25 until the page has taken them, though its input is in no document', async () => {
    await agent.observe(`${pages.url}/later`);
    const one = await upload('late.txt', 'late');
    await agent.step(/"Attach"/);
    await agent.step('S25', one);
    expect(title()).toBe('took late.txt');
  });

  it('answer a file chooser that a script opens, also in place of showOpenFilePicker', async () => {
    await agent.observe(pages.url);
    const one = await upload('one.txt', 'first');
    await agent.step(/"Open"/);
    expect(browserActions()).toContain('S25');
    expect(agent.lastObservation.space?.messages).toContainEqual(
      expect.objectContaining({ kind: 'note', text: expect.stringContaining('file chooser') }),
    );
    await agent.step('S25', one);
    expect(title()).toBe('one.txt first');
    expect(browserActions()).not.toContain('S25');
    const two = await upload('two.txt', 'second');
    await agent.step(/"Attach"/);
    await agent.step('S25', `${one}, ${two}`);
    expect(title()).toBe('one.txt first, two.txt second');
    await expect(agent.step('S25', one)).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('are refused where the input takes one file or a folder, with what it takes', async () => {
    await agent.observe(`${pages.url}/inputs`);
    const ids = [await upload('one.txt', '1'), await upload('two.txt', '2')];
    await expect(agent.step(/"One"/, ids.join('\n'))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'I1 takes one file; got 2 files.',
    });
    await expect(agent.step(/"Folder"/, ids[0] ?? '')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'I2 takes a folder; got a file: uploads are single files without folders.',
    });
  });

  it('take what a page saves, which finds no showSaveFilePicker', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Save"/);
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'download', fileName: 'saved.txt' }),
    );
  });

  it('are dropped onto the page by S17', async () => {
    await agent.observe(pages.url);
    const [one, two] = [await upload('one.txt', 'first'), await upload('two.txt', 'second')];
    await agent.step('S17', `${one},${two} -> ${agent.find(/Drop zone/).id}`);
    await becomesTitle('one.txt first, two.txt second');
    await agent.observe(pages.url);
    await agent.step('S17', `${one} -> "Drop files here"`);
    await becomesTitle('one.txt first');
    await expect(agent.step('S17', `${one} -> "No such zone"`)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
    });
    await agent.step('S17', `${one} -> @2,2`);
    expect(agent.lastObservation.space?.messages).toContainEqual(
      expect.objectContaining({
        kind: 'note',
        text: 'Nothing changed: the page did not take what S17 dropped.',
      }),
    );
    expect((await agent.observe()).metadata.title).toBe('one.txt first');
    await expect(agent.step('S17', `U99 -> ${agent.find(/Drop zone/).id}`)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await agent.observe(`${pages.url}/framed`);
    await agent.step('S17', `${one} -> ${agent.find(/Drop zone/).id}`);
    await becomesTitle('one.txt first');
    await agent.step('S17', `${two} -> @500,64`);
    expect(title()).toBe('one.txt first');
    await agent.observe(`${pages.url}/inputs`);
    await agent.step('S17', `${one} -> ${agent.find(/One/).id}`);
    expect(agent.find(/One/).description).toContain('one.txt');
  });
});
