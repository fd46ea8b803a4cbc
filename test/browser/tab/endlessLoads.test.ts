import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** A timer that takes back what a step shows: a step that waits for the end of the load always answers after it. */
const SAVE = `const save = () => { told.textContent = 'Saved'; setTimeout(() => { told.textContent = 'gone' }, 3000) };`;
const page = (script: string): string =>
  `<!doctype html><title>Endless</title><button id="told" onclick="save()">Save</button><script>${SAVE}${script}</script>`;

/** A page that registers a service worker, which answers no request but those of itself and `/shows`. */
const SILENT_WORKER = {
  '/registers': `<title>Registers</title><script>navigator.serviceWorker.register('/worker.js').then(() =>
    navigator.serviceWorker.ready).then(() => { document.body.append(document.createElement('button'));
      document.querySelector('button').textContent = document.title = 'Registered' })</script>`,
  '/worker.js': (_request: unknown, response: ServerResponse) =>
    void response
      .setHeader('content-type', 'text/javascript')
      .end(
        'onfetch = event => { if (!/registers|shows/.test(event.request.url)) event.respondWith(new Promise(() => {})) }',
      ),
};

/** A busy machine starts a service worker late; the default of `waitFor` is one second. */
const WORKER_START = { timeout: 60_000 };

/** The hosts of frames: that of their page, and another site. */
const HOSTS = ['127.0.0.1', 'localhost'];

describe.concurrent('A page that never finishes loading', () => {
  const { pages, started } = pageHarness(
    {
      '/frame': page(`const frame = document.body.appendChild(document.createElement('iframe'));
      frame.contentDocument.open(); frame.contentDocument.write('<p>half');`),
      '/html': (_request: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write(`${page('')}<p>more follows`);
      },
    },
    { operationTimeoutMs: 10_000 },
  );
  /** A busy machine may answer one step as late as a step that waits. */
  const MAX_STEPS = 6;

  it.each([
    ['a frame whose document is never closed', 'frame'],
    ['HTML that never ends', 'html'],
  ])('is waited for once, not at each step: %s', async (_, path) => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/${path}`);
    const names: (string | null | undefined)[] = [];
    while (names.at(-1) !== 'Saved' && names.length < MAX_STEPS) {
      await agent.step(/^button/);
      names.push(agent.lastObservation.space?.actions[0]?.name);
    }
    expect(names.at(-1)).toBe('Saved');
    await agent.close();
  });
});

describe.concurrent('A page whose server never answers', () => {
  const REQUEST = `const request = new XMLHttpRequest(); request.open('GET', '/never', false); request.send();`;
  const html = (script: string): string =>
    `<!doctype html><title>Waits</title><button>Fine</button><script>${script}</script>`;
  const { pages, started } = pageHarness(
    {
      '/requests': html('for (let i = 0; i < 100; i++) fetch("/never?" + i)'),
      '/waits-again': html(
        `for (;;) { ${REQUEST.replace('request.send()', 'try { request.send() } catch {}')} }`,
      ),
      '/never': () => {},
      '/calm': '<title>Calm</title>',
      ...SILENT_WORKER,
      '/leads': `<title>Leads</title><form method="post" action="/posted"><button>Send</button></form><script>
        navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'Registered' })</script>`,
      '/shows': `<title>Shows</title><body><script>const [how, path] = decodeURIComponent(location.hash).slice(1).split(',');
        const add = () => { for (const host of ${JSON.stringify(HOSTS)}) document.body.append(Object.assign(document.createElement('iframe'),
          { src: '//' + host + ':' + location.port + path })) };
        if (how === 'at once') add(); else document.body.innerHTML = '<button onclick="add()">Add</button>';</script>`,
      '/framed': '<button>Inside</button>',
      '/posted': (request: IncomingMessage, response: ServerResponse) =>
        void response.setHeader('content-type', 'text/html').end(`<title>${request.method}</title>`),
      '/frames': `<title>Frames</title><button>Press</button><script>
        setInterval(() => { document.title = 'Runs' }, 20);
        for (let i = 0; i < 12; i++) document.body.append(Object.assign(document.createElement('iframe'),
          { srcdoc: '<script>for (;;);<' + '/script>' }));</script>`,
    },
    { operationTimeoutMs: 50_000, navigationTimeoutMs: 40_000, scriptTimeoutMs: 150 },
  );

  it('is read although its script asks the server again and again', async () => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/waits-again`);
    expect(agent.find(/^button "Fine"/).name).toBe('Fine');
    await agent.observe(`${pages.url}/calm`);
    expect(agent.lastObservation.metadata.title).toBe('Calm');
    await agent.close();
  });

  it('is read with its scripts paused if one after another runs without end, which goes on after the operation', async ({
    expect,
  }) => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/frames`);
    expect(agent.find(/^button "Press"/).name).toBe('Press');
    expect(agent.lastObservation.space?.messages.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/all its scripts were stopped/),
    );
    await expect.poll(async () => (await agent.observe()).metadata.title).toBe('Runs');
    await agent.close();
  });

  it('is loaded without a silent service worker when a step is repeated, also by a form', async () => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/leads`);
    await vi.waitFor(
      async () => expect((await agent.observe()).metadata.title).toBe('Registered'),
      WORKER_START,
    );
    await agent.step(/^button "Send"/);
    expect(agent.lastObservation.metadata.title).toBe('Registered');
    expect(agent.lastObservation.space?.messages.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/service worker .* did not answer/),
    );
    await agent.step(/^button "Send"/);
    expect(agent.lastObservation.metadata.title).toBe('POST');
    await agent.close();
  });

  it.each([
    ['from the start', 'at once'],
    ['that a step adds', 'later'],
  ])('has frames %s, which are loaded without a silent service worker of theirs', async (_, when) => {
    const agent = await startAgentDriver(started);
    const open = (path: string, how: string) => agent.observe(`${pages.url}/shows?${path}#${how},/${path}`);
    /** Returns the names of the actions, once the frames have some: a busy machine loads them later than an operation waits for them. */
    const namesOf = async (name: string): Promise<readonly string[]> => {
      for (;;) {
        const { actions = [], messages = [] } = agent.lastObservation.space ?? {};
        for (const { text } of messages) notes.add(text);
        const names = actions.map(action => action.name ?? '');
        if (names.filter(one => one === name).length === HOSTS.length) return names;
        await agent.observe();
      }
    };
    const notes = new Set<string>();
    await open('registers', 'at once');
    await namesOf('Registered');
    await open('framed', when);
    if (when === 'later') await agent.step(/^button "Add"/);
    expect(await namesOf('Inside')).toEqual([...(when === 'later' ? ['Add'] : []), 'Inside', 'Inside']);
    expect([...notes]).toEqual([expect.stringMatching(/service worker of a frame did not answer/)]);
    await agent.close();
  });

  it('can be left for another page of the server, although its requests hold all connections', async () => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/requests`);
    await agent.observe(`${pages.url}/calm`);
    expect(agent.lastObservation.metadata.title).toBe('Calm');
    await agent.close();
  });
});

describe.concurrent('A page that begins to load another one by itself, which never answers', () => {
  const LEAVES = {
    'a refresh': '<meta http-equiv="refresh" content="0;url=/never">',
    'a reload': '<script>location.reload()</script>',
    'a form': '<form method="post" action="/never"></form><script>document.forms[0].submit()</script>',
  };
  const leaving = Object.entries(LEAVES).map(([how, html]) => {
    let requests = 0;
    const path = `/${how.replaceAll(' ', '-')}`;
    const page = (_request: unknown, response: ServerResponse): void => {
      if (++requests > 1 && how === 'a reload') return;
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>Leaves</title><button>Fine</button>${html}`);
    };
    return { how, path, page };
  });
  const { pages, started } = pageHarness(
    {
      ...Object.fromEntries(leaving.map(({ path, page }) => [path, page])),
      '/back': '<title>Back</title><script>history.back()</script>',
      '/never': () => {},
      '/calm': '<title>Calm</title>',
      ...SILENT_WORKER,
      // V8 looks at no request to end its script in here.
      '/native': '<title>Native</title><script>[].includes.call({ length: 2 ** 53 - 1 }, 1)</script>',
    },
    // A busy machine must open a page that answers in less.
    { navigationTimeoutMs: 6_000, operationTimeoutMs: 60_000, scriptTimeoutMs: 150 },
  );

  // One test: each waits for the whole time, and few tests run at once.
  it('is read after the time in which a page must answer: by a refresh, a reload, a form', async () => {
    const read = leaving.map(async ({ how, path }) => {
      const agent = await startAgentDriver(started);
      await agent.observe(pages.url + path);
      expect(agent.find(/^button "Fine"/).name, how).toBe('Fine');
      const texts = agent.lastObservation.space?.messages.map(({ text }) => text);
      expect(texts, how).toContainEqual(expect.stringMatching(/began to load ".*", which did not answer/));
      await agent.close();
    });
    await Promise.all(read);
  });

  it('is a failure if it goes back to the blank page', async () => {
    const agent = await startAgentDriver(started);
    await expect(agent.observe(`${pages.url}/back`)).rejects.toMatchObject({ code: 'NAVIGATION_FAILED' });
    await agent.close();
  });

  it('is read without its service worker if that never answers, with a note', async ({ expect }) => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/registers`);
    await expect.poll(async () => (await agent.observe()).metadata.title).toBe('Registered');
    for (const messages of [[expect.stringMatching(/service worker .* did not answer/)], []]) {
      await agent.observe(`${pages.url}/calm`);
      expect(agent.lastObservation.metadata.title).toBe('Calm');
      expect(agent.lastObservation.space?.messages.map(({ text }) => text)).toEqual(messages);
    }
    await agent.close();
  });

  it('is a failure if nothing ends its script, and the session goes on with another page', async () => {
    const agent = await startAgentDriver(started);
    await expect(agent.observe(`${pages.url}/native`)).rejects.toMatchObject({
      code: 'BROWSER_CRASHED',
      message: expect.stringMatching(/did not answer although its scripts were ended/),
    });
    await agent.observe(`${pages.url}/calm`);
    expect(agent.lastObservation.metadata.title).toBe('Calm');
    await agent.close();
  });
});
