import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

let names = Promise.withResolvers<ServerResponse>();
let drawn = Promise.withResolvers<void>();

/** Makes the page /stale re-render its buttons without an observation. */
async function redraw(labels: string[]): Promise<void> {
  (await names.promise).end(`data: ${JSON.stringify(labels)}\n\n`);
  await drawn.promise;
  names = Promise.withResolvers();
  drawn = Promise.withResolvers();
}

const PAGES = {
  '/': '<title>One</title><a href="/two">Two</a> <a href="/two" target="_blank">New tab</a> <a href="/missing">Missing</a>',
  '/two': '<title>Two</title><p>The second page</p><a href="/">One</a>',
  '/dialogs': `<title>Dialogs</title><p role="status" id="s"></p>
    <button onclick="alert('hello')">Alert</button>
    <button onclick="s.textContent = confirm('sure?') ? 'yes' : 'no'">Confirm</button>
    <button onclick="s.textContent = 'name ' + prompt('name?', 'Bob')">Prompt</button>
    <button onclick="s.textContent = 'plain'">Plain</button>`,
  '/stale': `<title>Stale</title><div id="r"><button>First</button><button>Second</button></div><p role="status" id="s"></p><script>
    const draw = names => { r.replaceChildren(...names.map(n => { const b = document.createElement('button'); b.textContent = n;
      b.onclick = () => { s.textContent = 'clicked ' + n }; return b })) };
    new EventSource('/names').onmessage = event => { event.target.close(); draw(JSON.parse(event.data)); fetch('/drawn') };
    draw(['First', 'Second']);
    const own = document.createElement('button'); own.textContent = 'Play'; document.body.append(own);
    own.onclick = () => { s.textContent = 'clicked ' + own.textContent };</script>`,
  '/names': (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    names.resolve(response);
  },
  '/drawn': (_request: unknown, response: ServerResponse) => {
    response.end();
    drawn.resolve();
  },
  '/covered': `<title>Covered</title><button style="position:absolute;top:50px;left:20px">Below</button>
    <div id="veil" style="position:fixed;inset:0;background:#0008"></div>`,
  '/banner': `<title>Banner</title><button style="position:absolute;top:50px;left:20px">Below</button>
    <button style="position:fixed;inset:0;opacity:.9" onclick="this.remove()">Dismiss</button>`,
  '/late': `<title>Late</title><button onclick="fetch('/slow').then(r => r.text()).then(t => { document.body.append(t) })">Load</button>`,
  '/slow': (_request: unknown, response: ServerResponse) => {
    setTimeout(() => response.end('the answer came'), 150);
  },
  '/long-form': `<title>Form</title><form method="post" action="/missing"><textarea name="t"></textarea><button>Send</button></form>
    <button onclick="fetch('/slow', { method: 'POST', body: 'x'.repeat(1e5) }).then(r => r.text()).then(t => { document.body.append(t) })">Save</button>
    <script>document.querySelector('textarea').value = 'x'.repeat(1e5)</script>`,
  '/restless': `<title>Restless</title><p id="t"></p><button onclick="document.title='done'">Go</button>
    <script>setInterval(() => { t.textContent = performance.now() }, 20)</script>`,
  '/frames': `<title>Frames</title><h1>Outer</h1><iframe src="/inner?same" title="Same"></iframe><iframe id="other" title="Other"></iframe>
    <script>other.src = location.href.replace('127.0.0.1', 'localhost').replace('/frames', '/inner?other')</script>`,
  '/inner':
    '<title>Inner</title><button onclick="this.textContent=\'pressed \' + location.search.slice(1)">Inner button</button>',
  '/shadow': `<title>Shadow</title><x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>';
    this.shadowRoot.querySelector('button').onclick = () => { document.title = 'shadow clicked' } } })</script>`,
  '/closed': `<title>Closed</title><x-b></x-b><script>customElements.define('x-b', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'closed' }).innerHTML = '<a href="/two">In the closed shadow</a>' } })</script>`,
  '/spin':
    '<title>Spin</title><button onclick="for(;;);">Spin</button><button onclick="document.title=`fine`">Fine</button>',
  '/keys': `<title>Keys</title><script>addEventListener('keydown', e => { document.title = (e.ctrlKey ? 'Control+' : '') + e.key })</script>`,
  '/file': `<title>File</title><a href="/report.csv">Report</a><input type="file" aria-label="Picture">`,
  '/report.csv': (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="report.csv"',
    });
    response.end('a,b\n1,2\n');
  },
  '/loop': (_request: unknown, response: ServerResponse) => {
    response.writeHead(302, { location: '/loop' });
    response.end();
  },
};

describe('A step', () => {
  const { started, pages, agent } = pageHarness(PAGES, { scriptTimeoutMs: 300 });

  const open = (path: string) => agent.observe(pages.url + path);
  const title = () => agent.lastObservation.metadata.title;

  it('on a link answers with the new page', async () => {
    await open('/');
    const { metadata } = await agent.step(/^link "Two"/);
    expect(metadata).toMatchObject({ url: `${pages.url}/two`, title: 'Two', httpStatus: 200 });
  });

  it('to a page with status 404 reports the status, not a failure', async () => {
    await open('/');
    expect((await agent.step(/Missing/)).metadata.httpStatus).toBe(404);
  });

  it('S4, S5 and S6 go back, go forward and reload', async () => {
    await open('/');
    await agent.step(/^link "Two"/);
    expect((await agent.step('S4')).metadata.title).toBe('One');
    expect((await agent.step('S5')).metadata.title).toBe('Two');
    expect((await agent.step('S6')).metadata.title).toBe('Two');
    await expect(agent.step('S5')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('S1 opens an address', async () => {
    await open('/');
    expect((await agent.step('S1', `${pages.url}/two`)).metadata.title).toBe('Two');
    await expect(agent.step('S1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('that opens a tab makes it the active one; S12 switches tabs and S13 closes one', async () => {
    await open('/');
    const { metadata } = await agent.step(/New tab/);
    expect(metadata.title).toBe('Two');
    expect(metadata.tabs.map(tab => tab.active)).toEqual([false, true]);
    const [first, second] = metadata.tabs.map(tab => tab.id);
    expect((await agent.step('S12', first)).metadata.title).toBe('One');
    expect((await agent.step('S12', second)).metadata.title).toBe('Two');
    const after = await agent.step('S13');
    expect(after.metadata).toMatchObject({ title: 'One', tabs: [{ id: first, active: true }] });
    await expect(agent.step('S13')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('that opens a dialog answers at once; S14 and S15 answer the dialog', async () => {
    await open('/dialogs');
    const { space } = await agent.step(/Confirm/);
    expect(space?.dialog).toEqual({ kind: 'confirm', message: 'sure?', defaultValue: null });
    expect(space?.browserActions.map(action => action.id)).toEqual(['S14', 'S15']);
    await agent.step('S14');
    expect(await agent.text()).toContain('yes');
    await agent.step(/Confirm/);
    await agent.step('S15');
    expect(await agent.text()).toContain('no');
    await agent.step(/Prompt/);
    expect(agent.lastObservation.space?.dialog?.defaultValue).toBe('Bob');
    await agent.step('S14', 'Ada');
    expect(await agent.text()).toContain('name Ada');
  });

  it('other than S14 and S15 dismisses an open dialog first', async () => {
    await open('/dialogs');
    const plain = agent.find(/Plain/).id;
    await agent.step(/Confirm/);
    await agent.step(plain);
    expect(await agent.text()).toContain('plain');
  });

  it('S14 answers ACTION_BLOCKED if no dialog is open', async () => {
    await open('/dialogs');
    await expect(agent.step('S14')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('waits for the requests that it causes', async () => {
    await open('/late');
    await agent.step(/Load/);
    expect(await agent.text()).toContain('the answer came');
  });

  it('waits for the response to a request with a long body, and reports the status of that to a form with a long text', async () => {
    await open('/long-form');
    await agent.step(/Save/);
    expect(await agent.text()).toContain('the answer came');
    expect((await agent.step(/Send/)).metadata.httpStatus).toBe(404);
  });

  it('does not wait for a page that changes without end', async () => {
    await open('/restless');
    expect((await agent.step(/Go/)).metadata.title).toBe('done');
  });

  it('acts in frames of the same process and of another', async () => {
    await open('/frames');
    const buttons = () =>
      agent.lastObservation.space?.actions.filter(action => /button "/.test(action.description)) ?? [];
    const frames = () => buttons().map(action => action.frame?.split('?')[1]);
    // A process that has just started may answer later than the observation waits for a frame.
    for (let left = 5; left > 0 && frames().length < 2; left--) await agent.observe();
    expect(frames()).toEqual(['same', 'other']);
    for (const { id } of buttons()) await agent.step(id);
    expect(buttons().map(action => action.name)).toEqual(['pressed same', 'pressed other']);
  });

  it('acts in an open shadow root', async () => {
    await open('/shadow');
    await agent.step(/In the shadow/);
    expect(title()).toBe('shadow clicked');
  });

  it('acts in a closed shadow root', async () => {
    await open('/closed');
    expect((await agent.step(/In the closed shadow/)).metadata.title).toBe('Two');
  });

  it('answers ACTION_STALE with a fresh space if the element is gone', async () => {
    await open('/stale');
    const first = agent.find(/"First"/).id;
    const playing = agent.find(/"Play"/).id;
    await redraw(['Third', 'Fourth']);
    await expect(agent.step(first)).rejects.toMatchObject({
      code: 'ACTION_STALE',
      context: { space: { actions: expect.arrayContaining([expect.objectContaining({ name: 'Third' })]) } },
    });
    await agent.step(playing);
    expect(await agent.text()).toContain('clicked Play');
  });

  it('acts on the element that replaced the listed one in a re-render', async () => {
    await open('/stale');
    const first = agent.find(/"First"/).id;
    await redraw(['First', 'Second']);
    await agent.step(first);
    expect(await agent.text()).toContain('clicked First');
  });

  it('answers ACTION_STALE, not ACTION_NOT_FOUND, after a navigation', async () => {
    await open('/stale');
    const { id } = agent.find(/"Second"/);
    await open('/two');
    await expect(agent.step(id)).rejects.toMatchObject({ code: 'ACTION_STALE' });
  });

  it('answers ACTION_BLOCKED with a description of the covering element', async () => {
    await open('/covered');
    const below = agent.find(/Below/);
    expect(below.status).toBe('covered');
    await expect(agent.step(below.id)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining('veil'),
    });
  });

  it('answers ACTION_BLOCKED with the id of a covering element that is listed', async () => {
    await open('/banner');
    const dismiss = agent.find(/Dismiss/).id;
    const below = agent.find(/Below/).id;
    await expect(agent.step(below)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining(`listed as ${dismiss}`),
    });
    await agent.step(dismiss);
    await agent.step(below);
  });

  it('answers NOT_OBSERVED before the first observation', async () => {
    const fresh = await startAgentDriver(started);
    for (const [id, value] of [['B1'], ['S6'], ['S11', 'Enter']] as const)
      await expect(fresh.step(id, value)).rejects.toMatchObject({ code: 'NOT_OBSERVED' });
    await fresh.close();
  });

  it('S11 presses keys and chords', async () => {
    await open('/keys');
    await agent.step('S11', 'Control+b');
    expect(title()).toBe('Control+b');
    await agent.step('S11', 'Control+A');
    expect(title()).toBe('Control+a');
    await agent.step('S11', 'Shift+X');
    expect(title()).toBe('X');
    await expect(agent.step('S11', 'NoSuchKey')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('stores a download among the files of the session', async () => {
    await open('/file');
    await agent.step(/Report/);
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'download', fileName: 'report.csv' }),
    );
  });

  it('S1 answers NAVIGATION_FAILED for a file and endless redirects; the session goes on', async () => {
    await expect(open('/report.csv')).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: /download/,
    });
    await expect(open('/loop')).rejects.toMatchObject({ code: 'NAVIGATION_FAILED', message: /redirect/ });
    await expect(agent.observe('http://127.0.0.1:9/')).rejects.toMatchObject({
      code: expect.stringMatching(/NAVIGATION_FAILED|URL_BLOCKED/),
    });
    expect((await open('/two')).metadata.title).toBe('Two');
  });

  it('ends a script in an endless loop and says so; the page and the session go on', async () => {
    await open('/spin');
    const notes = () => agent.lastObservation.space?.messages.filter(({ kind }) => kind === 'note');
    await agent.step('B1');
    expect(notes()).toContainEqual(expect.objectContaining({ text: expect.stringContaining('was ended') }));
    await agent.step('B2');
    expect([title(), notes()]).toEqual(['fine', []]);
  });

  it('S8 ends the session', async () => {
    const other = await startAgentDriver(started);
    await other.observe(`${pages.url}/two`);
    expect((await other.step('S8')).session.status).toBe('closed');
  });
});
