import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';
import { ALL_PARTS } from '../../support/scrapeHarness.ts';

const INNER =
  '<!doctype html><h2>Tide</h2><p>High water at <a href="https://tide.example/six">six</a>.</p><table><tr><th>Port</th><th>m</th></tr><tr><td>Lind</td><td>3</td></tr></table>';
const ESCAPED = INNER.replaceAll('"', '&quot;');

describe('a scrape through the service reads the content of a frame at its place', () => {
  const { pages, agent } = pageHarness({
    '/inner': INNER,
    '/outer': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(decodeURIComponent((request.url ?? '').split('?')[1] ?? ''));
    },
    '/middle': '<p>Middle</p><iframe src="/inner" width=300 height=150></iframe>',
  });
  const kinds: readonly (readonly [string, (site: { otherOrigin: string }) => string])[] = [
    ['of the same origin', () => '<iframe src="/inner" width=400 height=200></iframe>'],
    [
      'of another origin',
      ({ otherOrigin }) => `<iframe src="${otherOrigin}/inner" width=400 height=200></iframe>`,
    ],
    [
      'of another origin in one of another origin',
      ({ otherOrigin }) => `<iframe src="${otherOrigin}/middle" width=400 height=300></iframe>`,
    ],
    ['with sandbox', () => '<iframe sandbox src="/inner" width=400 height=200></iframe>'],
    [
      'with sandbox that allows scripts',
      () => '<iframe sandbox="allow-scripts" src="/inner" width=400 height=200></iframe>',
    ],
    [
      'with sandbox, of another origin',
      ({ otherOrigin }) => `<iframe sandbox src="${otherOrigin}/inner" width=400 height=200></iframe>`,
    ],
    ['with sandbox and a frame in it', () => '<iframe sandbox src="/middle" width=400 height=300></iframe>'],
    ['in an object', () => '<object data="/inner" width=400 height=200>no frame</object>'],
    ['in an embed', () => '<embed src="/inner" type="text/html" width=400 height=200>'],
    [
      'of another origin in an object',
      ({ otherOrigin }) => `<object data="${otherOrigin}/inner" width=400 height=200></object>`,
    ],
    [
      'that is loaded when it comes into view',
      () =>
        '<div style="height:9000px"></div><iframe loading=lazy src="/inner" width=400 height=200></iframe>',
    ],
    ['with srcdoc', () => `<iframe srcdoc="${ESCAPED}" width=400 height=200></iframe>`],
    ['with srcdoc and sandbox', () => `<iframe sandbox srcdoc="${ESCAPED}" width=400 height=200></iframe>`],
    [
      'with a data: URL',
      () => `<iframe src="data:text/html,${encodeURIComponent(INNER)}" width=400 height=200></iframe>`,
    ],
    [
      'that a script wrote',
      () =>
        `<iframe id=w width=400 height=200></iframe><script>w.contentDocument.write(${JSON.stringify(INNER)});w.contentDocument.close()</script>`,
    ],
    [
      'in a closed shadow root',
      ({ otherOrigin }) =>
        `<x-frame></x-frame><script>customElements.define('x-frame',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<iframe src="${otherOrigin}/inner" width=400 height=200></iframe>'}})</script>`,
    ],
  ];

  it.each(kinds)('%s', async (_, markup) => {
    const page = `<title>Outer</title><main><h1>Outer</h1><p>Before.</p>${markup(pages)}<p>After.</p></main>`;
    const { data } = await agent.scrape(`${pages.url}/outer?${encodeURIComponent(page)}`, {
      data: ALL_PARTS,
      space: false,
    });
    expect(data?.text).toMatch(
      /Before\.\s+(Middle\s+)?Tide\s+High water at six\.\s+Port\tm\s+Lind\t3\s+After\./,
    );
    expect(data?.markdown).toContain('| Lind | 3 |');
    expect(data?.links?.map(({ text }) => text)).toEqual(['six']);
    expect(data?.incomplete).toEqual([]);
  });
});
