import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const file = (_: IncomingMessage, response: ServerResponse): void => {
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="r.csv"' };
  response.writeHead(200, headers).end('a,b\n');
};
const slowFile = (request: IncomingMessage, response: ServerResponse): void => {
  setTimeout(() => file(request, response), 600);
};

const { agent, pages } = pageHarness(
  {
    '/': `<title>Files</title><a href="/file" download>Plain</a><a target="_blank" href="/file">Other tab</a>
<button onclick="window.open('/slow')">Window</button>
<button onclick="fetch('/slow').then(r => r.blob()).then(b => Object.assign(document.createElement('a'), { href: window.URL.createObjectURL(b), download: 'r.csv' }).click())">Script</button>
<a target="_blank" href="/page">Page</a>`,
    '/page': '<title>Page</title>',
    '/still': `<title>Files</title><a href="/slow" download>Slow</a> <a href="/slow"><span>Named by the server</span></a>`,
    '/held': `<title>Files</title><a href="/slow" download onclick="event.preventDefault()">Held</a>
<a href="/slow" download onclick="event.stopPropagation()">Stopped</a>`,
    '/file': file,
    '/slow': slowFile,
  },
  { agent: 'for each test' },
);

describe('A step that starts a download', () => {
  it.each([/"Plain"/, /"Other tab"/, /"Window"/, /"Script"/])(
    '%s: answers with the download and stays on the page',
    async action => {
      await agent.observe(pages.url);
      const { metadata, space } = await agent.step(action);
      expect(space?.downloads).toEqual([{ id: 'D1', name: 'r.csv', state: 'stored' }]);
      expect(metadata.tabs).toMatchObject([{ id: 'T1', title: 'Files', active: true }]);
    },
  );

  it.each([
    ['/still', /"Slow"/],
    ['/still', /"Named by/],
    ['/held', /"Stopped"/],
  ])('%s %s: waits for a server that sends the file late', async (path, action) => {
    await agent.observe(pages.url + path);
    const { space } = await agent.step(action);
    expect(space?.downloads).toMatchObject([{ name: 'r.csv' }]);
  });

  it('is not expected where the page prevents it', async () => {
    await agent.observe(`${pages.url}/held`);
    const { space } = await agent.step(/"Held"/);
    expect(space?.downloads).toEqual([]);
  });

  it('is told once, also where the page is observed again', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Plain"/);
    while (agent.lastObservation.space?.downloads[0]?.state !== 'stored') await agent.observe();
    expect((await agent.observe()).space?.downloads).toEqual([]);
  });

  it('is told only in the answer of that step; a window with a page stays open', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Plain"/);
    // On a busy machine the file is stored only after the answer: then a later one tells it.
    while (agent.lastObservation.space?.downloads[0]?.state !== 'stored') await agent.observe();
    const { metadata, space } = await agent.step(/"Page"/);
    expect(space?.downloads).toEqual([]);
    expect(metadata.tabs).toMatchObject([{ active: false }, { title: 'Page', active: true }]);
  });
});
