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

describe('a scrape of a response', () => {
  const { pages, agent } = pageHarness({
    '/note.md': respond('text/markdown', '# Über'),
    '/note.txt': respond('text/plain', 'Grüße — “so”'),
    '/latin.txt': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
    },
    '/gzip': respond('text/html', '<h1>Not compressed</h1>', { 'content-encoding': 'gzip' }),
  });
  const textOf = async (path: string) =>
    (await agent.scrape(`${pages.url}${path}`, { data: ALL_PARTS, space: false })).data?.text;

  it.each([
    ['/note.md', '# Über'],
    ['/note.txt', 'Grüße — “so”'],
    ['/latin.txt', 'Grüße'],
  ])('without a charset reads %s as UTF-8 if it is valid UTF-8', async (path, text) => {
    expect(await textOf(path)).toBe(text);
  });

  it('whose body does not have its Content-Encoding fails', async () => {
    await expect(textOf('/gzip')).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: expect.stringContaining('Content-Encoding'),
    });
  });
});
