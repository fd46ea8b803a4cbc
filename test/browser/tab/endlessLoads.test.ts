import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** A timer that takes back what a step shows: only a step that waits for the end of the load answers after it. */
const SAVE = `const save = () => { told.textContent = 'Saved'; setTimeout(() => { told.textContent = 'gone' }, 1800) };`;
const page = (script: string): string =>
  `<!doctype html><title>Endless</title><button id="told" onclick="save()">Save</button><script>${SAVE}${script}</script>`;

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
    { operationTimeoutMs: 6_000 },
  );

  it.each([
    ['a frame whose document is never closed', 'frame'],
    ['HTML that never ends', 'html'],
  ])('is waited for once, not at each step: %s', async (_, path) => {
    const agent = await startAgentDriver(started);
    await agent.observe(`${pages.url}/${path}`);
    await agent.step(/"Save"/);
    expect(agent.lastObservation.space?.actions[0]?.name).toBe('Saved');
    await agent.close();
  });
});
