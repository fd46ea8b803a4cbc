import { describe, expect, test } from 'vitest';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import { parseSpaceMarkdown } from '../../support/parseSpaceMarkdown.ts';

const { pages, started, agent } = pageHarness({
  '/': `<!doctype html><html lang="en"><title>Orders</title><body>
    <nav aria-label="Main"><a href="/a">Home</a></nav>
    <main><h1>Orders of May</h1><p>Two orders are <b>open</b>. See the <a href="/help">help</a>.</p>
    <table><tr><th>Customer</th><th>Price</th><th></th></tr>
    <tr><td>Ann</td><td>12 €</td><td><button>Edit</button></td></tr>
    <tr><td>Bob</td><td>9 €</td><td><button>Edit</button></td></tr></table>
    <p style="display:none">not rendered</p><p style="opacity:0">unseen</p><p aria-hidden="true">decor</p>
    <p style="position:absolute;left:-9999px">off screen</p><p style="color:#fefefe">white on white</p><p style="font-size:0">tiny</p>
    <div style="height:0;overflow:hidden"><p>collapsed</p></div><p style="color:transparent">transparent</p>
    <p style="position:absolute;width:1px;height:1px;overflow:hidden">for readers</p>
    <section style="background:#000"><p style="color:#fff">White on black</p></section>
    <h2>Notes</h2><ul><li>First note</li><li>Second note</li></ul></main>
    <nav aria-label="Main"><a href="/b">Imprint</a></nav><p>Done "quoted".</p></body></html>`,
  '/frame': `<!doctype html><html lang="en"><body><p>Outside</p><iframe title="Inner" srcdoc="<p>Inside</p><button>In</button><p>Inside after</p>"></iframe>
    <button>After</button><p>End</p></body></html>`,
});

const observe = async (path: string, maxTokens: number | null = null) => {
  const { space } = await started.service.observe(started.viewer, {
    keepAlive: null,
    timeoutMinutes: null,
    screenshot: false,
    signal: new AbortController().signal,
    sessionId: agent.sessionId,
    url: `${pages.url}${path}`,
    limits: { max: 100, min: null, text: true, maxTokens },
    data: null,
    space: true,
  });
  if (space === null) throw new Error('There is no space.');
  return space;
};
const bodyOf = (markdown: string): string[] =>
  markdown.split('\n').filter(line => /^(?:> |## |in | ?[LBI]\d)/.test(line));

describe('observe() with text', () => {
  test('puts the visible text of the page between the actions, in document order', async () => {
    expect(bodyOf(spaceMarkdown(await observe('/')))).toEqual([
      '## Navigation "Main"',
      'L1 "Home"',
      '> heading "Orders of May"',
      '> "Two orders are open. See the help."',
      '## "Orders of May"',
      'L2 "help"',
      '> row "Customer | Price"',
      '> row "Ann | 12 €"',
      expect.stringMatching(/^## /),
      expect.stringMatching(/^B1 "Edit"/),
      '> row "Bob | 9 €"',
      expect.stringMatching(/^B2 "Edit"/),
      '> "White on black"',
      '> heading "Notes"',
      '> "First note"',
      '> "Second note"',
      '## Navigation "Main"',
      'L3 "Imprint"',
      `> "Done 'quoted'."`,
    ]);
  });

  test('returns the same blocks in JSON, each with the action after it', async () => {
    const space = await observe('/');
    const parsed = parseSpaceMarkdown(spaceMarkdown(space));
    expect(parsed.textBlocks).toEqual(
      space.textBlocks?.map(block => ({ ...block, text: block.text.replaceAll('"', "'") })),
    );
    expect(space.textBlocks).toContainEqual({ kind: 'row', text: 'Bob | 9 €', before: 'B2' });
  });

  test('keeps the text of a frame where the frame is', async () => {
    const texts = (await observe('/frame')).textBlocks?.map(({ text, before }) => [text, before]);
    expect(texts).toEqual([
      ['Outside', 'B1'],
      ['Inside', 'B1'],
      ['Inside after', 'B2'],
      ['End', null],
    ]);
  });

  test('cuts text and actions at max_tokens', async () => {
    const space = await observe('/', 100);
    expect(spaceMarkdown(space, 100).length).toBeLessThanOrEqual(100 * 3.5);
    expect(space.textBlocks?.length).toBeLessThan(7);
  });
});

test('without text, the list has none and is grouped by category', async () => {
  await agent.observe(`${pages.url}/`);
  const { space } = agent.lastObservation;
  expect(space?.textBlocks).toBeUndefined();
  expect(space?.actions.map(({ id }) => id)).toEqual(['L1', 'L3', 'L2', 'B1', 'B2']);
});
