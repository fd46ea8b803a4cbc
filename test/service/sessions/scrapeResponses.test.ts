import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';
import { ALL_PARTS } from '../../support/scrapeHarness.ts';
import type { Page } from '../../support/servePages.ts';

const respond =
  (type: string, body: string, headers: Readonly<Record<string, string>> = {}): Page =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(body);
  };

const WHOLE = `<!doctype html><html><body><p>${'Grüße aus Köln. '.repeat(20)}</p><i>The end</i></body></html>`;

describe('a scrape of a response', () => {
  const { pages, agent } = pageHarness({
    '/note.md': respond('text/markdown', '# Über'),
    '/note.txt': respond('text/plain', 'Grüße — “so”'),
    '/latin.txt': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
    },
    '/note.html': respond('text/html', '<main>Grüße — “so”</main>'),
    '/latin.html': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(Buffer.from('<main>Gr\u00fc\u00dfe aus K\u00f6ln</main>', 'latin1'));
    },
    '/gzip': respond('text/html', '<h1>Not compressed</h1>', { 'content-encoding': 'gzip' }),
    '/cut': (_, response) => {
      const whole = gzipSync(Array.from({ length: 2_000 }, (_, at) => `<p>Line ${at * at}</p>`).join(''));
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      response.end(whole.subarray(0, whole.length / 2));
    },
    '/cut-deflate': (_, response) => {
      const whole = deflateSync(`<p>Shorter than it says</p><p class="${'abcdefgh'.repeat(9)}">More`, {
        level: 0,
      });
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' });
      response.end(whole.subarray(0, whole.length - 20));
    },
    '/short': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' });
      response.write('<p>Shorter than it says</p>', () => response.socket?.end());
    },
    '/open-text': respond(
      'text/html',
      deflateSync(`${'<p>We meet at the mill.</p>'.repeat(9)}<p>See you there, Ada`) as unknown as string,
      { 'content-encoding': 'deflate' },
    ),
    '/long-length': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' });
      response.write(`${WHOLE}${' '.repeat(60)}<!-- cached -->`, () => response.socket?.end());
    },
    '/end-in-script': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' });
      response.write(`<p>Short</p><script>let page = "</html>`, () => response.socket?.end());
    },
    '/streamed': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(WHOLE, () => response.socket?.end());
    },
    '/characters': respond('text/html', WHOLE, { 'content-length': String(WHOLE.length) }),
    '/open-script': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' });
      response.end(deflateSync(`${WHOLE.replace(/<.body.*/, '')}<script>for (let i = 0; i<9; i++) {`));
    },
    '/chart': `<svg width="90" height="90"><g role="list">${'<g role="listitem"><rect width="9" height="9"/></g>'.repeat(20)}</g></svg><p>A chart</p>`,
  });
  const textOf = async (path: string) =>
    (await agent.scrape(`${pages.url}${path}`, { data: ALL_PARTS, space: false })).data?.text;

  it.each([
    ['/note.md', '# Über'],
    ['/note.txt', 'Grüße — “so”'],
    ['/latin.txt', 'Grüße'],
    ['/note.html', 'Grüße — “so”'],
    ['/latin.html', 'Grüße aus Köln'],
  ])('without a charset reads %s as UTF-8 if it is valid UTF-8', async (path, text) => {
    expect(await textOf(path)).toBe(text);
  });

  it.each([
    // Chromium drops what it has not parsed when the connection ends.
    ['is not compressed', '/short', /^$|^Shorter than it says$/],
    ['is cut in a script that names an end tag', '/end-in-script', /^$|^Short$/],
    ['comes in chunks without the last one', '/streamed', /^$|The end$/],
    ['is cut in a tag', '/cut-deflate', /^Shorter than it says$/],
  ])('that ends early is told, and is what the browser shows of it, if it %s', async (_, path, text) => {
    const { data } = await agent.scrape(`${pages.url}${path}`, { data: ALL_PARTS, space: false });
    expect(data?.incomplete).toEqual(['end']);
    expect(data?.text).toMatch(text);
  });

  it.each([
    ['ends in an open script', '/open-script', /The end$/],
    ['leaves its last end tag out', '/open-text', /See you there, Ada$/],
    // A server that counts characters loses as many bytes as the text has more; Chromium shows the rest.
    ['counts characters in its Content-Length', '/characters', /^Grüße aus Köln/],
    ['has its end tag, and is shorter than its Content-Length', '/long-length', /The end$/],
  ])('that %s is not told as cut', async (_, path, text) => {
    const { data } = await agent.scrape(`${pages.url}${path}`, { data: ALL_PARTS, space: false });
    expect(data?.incomplete).toEqual([]);
    expect(data?.text).toMatch(text);
  });

  it('with a list drawn in SVG is read', async () => {
    expect(await textOf('/chart')).toBe('A chart');
  });

  it.each([
    ['does not have its Content-Encoding', '/gzip'],
    ['ends before its compressed data', '/cut'],
  ])('whose body %s fails', async (_, path) => {
    await expect(textOf(path)).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: expect.stringContaining('Content-Encoding'),
    });
  });
});
