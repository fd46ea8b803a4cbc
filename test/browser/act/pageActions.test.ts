import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

let names = Promise.withResolvers<ServerResponse>();
let drawn = Promise.withResolvers<void>();

/** Lets the page /stale draw its buttons anew, behind the observer's back. */
async function redraw(labels: string[]): Promise<void> {
  (await names.promise).end(JSON.stringify(labels));
  await drawn.promise;
  names = Promise.withResolvers();
  drawn = Promise.withResolvers();
}

const SPIN =
  '<title>Spin</title><button onclick="for(;;);">Spin</button><button onclick="document.title=`fine`">Fine</button>';
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
    fetch('/names').then(r => r.json()).then(names => { draw(names); return fetch('/drawn') });
    draw(['First', 'Second']);
    const own = document.createElement('button'); own.textContent = 'Play'; document.body.append(own);
    own.onclick = () => { s.textContent = 'clicked ' + own.textContent };</script>`,
  '/names': (_request: unknown, response: ServerResponse) => {
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
    <button onclick="fetch('/slow', { method: 'POST', body: 'x'.repeat(4e5) }).then(r => r.text()).then(t => { document.body.append(t) })">Save</button>
    <script>document.querySelector('textarea').value = 'x'.repeat(4e5)</script>`,
  '/restless': `<title>Restless</title><p id="t"></p><button onclick="document.title='done'">Go</button>
    <script>setInterval(() => { t.textContent = performance.now() }, 20); fetch('/never')</script>`,
  '/never': () => {},
  '/frames': `<title>Frames</title><h1>Outer</h1><iframe src="/inner?same" title="Same"></iframe><iframe id="other" title="Other"></iframe>
    <script>other.src = location.href.replace('127.0.0.1', 'localhost').replace('/frames', '/inner?other')</script>`,
  '/inner':
    '<title>Inner</title><button onclick="this.textContent=\'pressed \' + location.search.slice(1)">Inner button</button>',
  '/shadow': `<title>Shadow</title><x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>';
    this.shadowRoot.querySelector('button').onclick = () => { document.title = 'shadow clicked' } } })</script>`,
  '/closed': `<title>Closed</title><x-b></x-b><script>customElements.define('x-b', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'closed' }).innerHTML = '<a href="/two">In the closed shadow</a>' } })</script>`,
  '/spin': SPIN,
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

describe('a step on a page', () => {
  const { started, pages, agent } = pageHarness(PAGES, { navigationTimeoutMs: 1_500 });

  const open = (path: string) => agent.observe(pages.url + path);
  const title = () => agent.lastObservation.metadata.title;

  it('follows a link and answers with the new page', async () => {
    await open('/');
    const { metadata } = await agent.step(/^link "Two"/);
    expect(metadata).toMatchObject({ url: `${pages.url}/two`, title: 'Two', httpStatus: 200 });
  });

  it("tells a page's own 404 as its status, not as a failure", async () => {
    await open('/');
    expect((await agent.step(/Missing/)).metadata.httpStatus).toBe(404);
  });

  it('goes back, forward and anew', async () => {
    await open('/');
    await agent.step(/^link "Two"/);
    expect((await agent.step('S4')).metadata.title).toBe('One');
    expect((await agent.step('S5')).metadata.title).toBe('Two');
    expect((await agent.step('S6')).metadata.title).toBe('Two');
    await expect(agent.step('S5')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('goes to an address', async () => {
    await open('/');
    expect((await agent.step('S1', `${pages.url}/two`)).metadata.title).toBe('Two');
    await expect(agent.step('S1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('opens a new tab as the active one; tabs are switched and closed', async () => {
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

  it('answers at once when a dialog opens, and the next step answers the dialog', async () => {
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

  it('dismisses an open dialog first when it is anything else', async () => {
    await open('/dialogs');
    const plain = agent.find(/Plain/).id;
    await agent.step(/Confirm/);
    await agent.step(plain);
    expect(await agent.text()).toContain('plain');
  });

  it('says so when there is no dialog to answer', async () => {
    await open('/dialogs');
    await expect(agent.step('S14')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('waits for what the step asked the network for', async () => {
    await open('/late');
    await agent.step(/Load/);
    expect(await agent.text()).toContain('the answer came');
  });

  it('tells the status of the page that answers a form with a long text', async () => {
    await open('/long-form');
    expect((await agent.step(/Send/)).metadata.httpStatus).toBe(404);
  });

  it('waits for the answer to a long text, too', async () => {
    await open('/long-form');
    await agent.step(/Save/);
    expect(await agent.text()).toContain('the answer came');
  });

  it('does not wait for a page that is never quiet', async () => {
    await open('/restless');
    expect((await agent.step(/Go/)).metadata.title).toBe('done');
  });

  it('acts in frames of the same and of another process', async () => {
    await open('/frames');
    const buttons = () =>
      agent.lastObservation.space?.actions.filter(action => /button "/.test(action.description)) ?? [];
    expect(buttons().map(action => action.frame?.split('?')[1])).toEqual(['same', 'other']);
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

  it('is stale when the element is gone, with the fresh list', async () => {
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

  it('keeps the id of an unmistakable twin that a re-render put in its place', async () => {
    await open('/stale');
    const first = agent.find(/"First"/).id;
    await redraw(['First', 'Second']);
    await agent.step(first);
    expect(await agent.text()).toContain('clicked First');
  });

  it('is stale when the page is another, not unknown', async () => {
    await open('/stale');
    const { id } = agent.find(/"Second"/);
    await open('/two');
    await expect(agent.step(id)).rejects.toMatchObject({ code: 'ACTION_STALE' });
  });

  it('is blocked on a covered element, and says by what', async () => {
    await open('/covered');
    const below = agent.find(/Below/);
    expect(below.status).toBe('covered');
    await expect(agent.step(below.id)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining('veil'),
    });
  });

  it('is blocked on a covered element, and names the action that lies on it', async () => {
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

  it('is not known before anything was observed', async () => {
    const fresh = await startAgentDriver(started);
    await expect(fresh.step('B1')).rejects.toMatchObject({ code: 'NOT_OBSERVED' });
    await fresh.close();
  });

  it('presses keys and chords', async () => {
    await open('/keys');
    await agent.step('S11', 'Control+b');
    expect(title()).toBe('Control+b');
    await agent.step('S11', 'Control+A');
    expect(title()).toBe('Control+a');
    await agent.step('S11', 'Shift+X');
    expect(title()).toBe('X');
    await expect(agent.step('S11', 'NoSuchKey')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('keeps a download among the files of the session', async () => {
    await open('/file');
    await agent.step(/Report/);
    const events = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'download', fileName: 'report.csv' }),
    );
  });

  it('says so when an address is a download, redirects without end, or never answers; the session goes on', async () => {
    const failing = (path: string) => agent.observe(pages.url + path);
    await expect(failing('/report.csv')).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: /download/,
    });
    await expect(failing('/loop')).rejects.toMatchObject({ code: 'NAVIGATION_FAILED', message: /redirect/ });
    await expect(failing('/never')).rejects.toMatchObject({ code: 'NAVIGATION_TIMEOUT' });
    await expect(agent.observe('http://127.0.0.1:9/')).rejects.toMatchObject({
      code: expect.stringMatching(/NAVIGATION_FAILED|URL_BLOCKED/),
    });
    expect((await open('/two')).metadata.title).toBe('Two');
  });

  it('frees a page whose script spins, and the session goes on', async () => {
    await open('/spin');
    await agent.step('B1').catch(() => {});
    await open('/two');
    expect(title()).toBe('Two');
  });

  it('ends the session when it is S8', async () => {
    const other = await startAgentDriver(started);
    await other.observe(`${pages.url}/two`);
    expect((await other.step('S8')).session.status).toBe('closed');
  });
});
