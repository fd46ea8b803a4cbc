import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const inner = `<!doctype html><title>Inner</title><div style="height:900px">Above</div>
<p id="p">Words inside of a frame</p><button onclick="this.textContent = 'Selected: ' + getSelection()">Tell</button>
<script>document.addEventListener('selectionchange', () => { parent.postMessage(String(getSelection()), '*') })</script>`;
const outer = (
  frame: string,
): string => `<!doctype html><title>Outer</title><button id="told">Nothing</button>
<div style="height:120px"></div><iframe src="${frame}" style="margin-left:60px;border:7px solid;width:400px;height:300px"></iframe>
<script>addEventListener('message', ({ data }) => { told.textContent = data })</script>`;

const { agent, pages } = pageHarness({
  '/inner': inner,
  '/': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(outer('/inner'));
  },
  '/nested': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(outer('/'));
  },
  '/foreign': (request, response) => {
    const port = request.headers.host?.split(':')[1];
    response.writeHead(200, { 'content-type': 'text/html' }).end(outer(`http://localhost:${port}/inner`));
  },
});

describe('S17 with quoted text', () => {
  it.each(['/', '/foreign'])('selects text in a frame of %s', async path => {
    await agent.observe(pages.url + path);
    const { space } = await agent.step('S17', '"inside of a"');
    expect(space?.actions[0]?.name).toBe('inside of a');
  });

  it('says that a retry cannot help when no frame shows the text', async () => {
    await agent.observe(`${pages.url}/nested`);
    await expect(agent.step('S17', '"never written"')).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      retryable: false,
    });
  });
});
