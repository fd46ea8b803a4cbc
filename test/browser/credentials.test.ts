import { describe, expect, it, test } from 'vitest';
import { withoutCredentials } from '../../src/browser/withoutCredentials.ts';
import { EVERYTHING } from '../support/scrapeBench.ts';
import { stage } from '../support/stage.ts';

test.each([
  ['http://me:secret@site.example/a@b?c@d', 'http://site.example/a@b?c@d'],
  ['https://me@site.example/', 'https://site.example/'],
  ['http:me:secret@site.example', 'http://site.example/'],
  ['ftp://me:secret@site.example/', 'ftp://site.example/'],
  ['view-source:http://me:secret@site.example/', 'view-source:http://site.example/'],
  ['blob:http://me:secret@site.example/1', 'blob:http://site.example/1'],
  ['https://me:secret@no host/', 'https://no host/'],
  ['https://site.example/@me', 'https://site.example/@me'],
  ['mailto:me@site.example', 'mailto:me@site.example'],
  ['data:text/html,me@site', 'data:text/html,me@site'],
  ['', ''],
])('%s is told as %s', (url, told) => expect(withoutCredentials(url)).toBe(told));

describe('the user and password of an address that is opened', () => {
  const PICTURE = '<img src="/p.svg" srcset="/p.svg 2x" alt="Picture">';
  const { started, pages, player } = stage(
    {
      '/': `<title>Home</title><button onclick="window.open('/next')">Open</button>`,
      '/next': '<title>Next</title>',
      '/text': `<main><p>A page with <a href="next">a link</a>, <a href="//you:word@site.example/">another's</a> and a picture.</p>${PICTURE}</main>`,
      '/p.svg': (_request, response) => {
        response.setHeader('content-type', 'image/svg+xml');
        response.end('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"/>');
      },
      '/file': (_request, response) => {
        response.setHeader('content-disposition', 'attachment; filename="a.txt"');
        response.end('kept');
      },
      '/framed':
        '<title>Framed</title><iframe src="/inner"></iframe><form action="/next"><button>Go</button></form>',
      '/inner': '<button>Inner</button><a href="/next">Next</a>',
      '/never': () => {},
    },
    { player: 'for each test', navigationTimeoutMs: 1_000 },
  );

  const secretly = (path: string, origin = pages.url) => origin.replace('//', '//me:secret@') + path;
  const scrape = (url: string) =>
    started.service.scrape(started.viewer, {
      sessionId: player.sessionId,
      url,
      keepAlive: null,
      timeoutMinutes: null,
      screenshot: false,
      limits: { max: 50, min: null },
      data: { ...EVERYTHING, onlyMainContent: false },
      space: true,
      signal: new AbortController().signal,
    });
  const told = async () => JSON.stringify(await started.store.sessions.events(player.sessionId, 0, 1_000));

  it('are used, and no part of where the page is', async () => {
    const { metadata, session } = await player.observe(secretly('/'));
    const home = `${pages.url}/`;
    expect([metadata.url, session.url, metadata.tabs[0]?.url]).toEqual([home, home, home]);
  });

  it('are in no event of its tabs', async () => {
    await player.observe(secretly('/'));
    await player.step(/Open/);
    await player.step('S13');
    expect(await told()).not.toContain('secret');
  });

  it.each([
    ['NAVIGATION_FAILED', () => secretly('/', 'http://nope.invalid')],
    ['NAVIGATION_TIMEOUT', () => secretly('/never')],
    ['URL_BLOCKED', () => secretly('/', 'http://10.0.0.1')],
  ])('are not told by %s, nor kept with it', async (code, url) => {
    await expect(player.observe(url())).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('secret'),
    });
    expect(await told()).toContain(code);
    expect(await told()).not.toContain('secret');
  });

  it('are no part of the links and pictures of the page, whose own stay', async () => {
    const answer = await scrape(secretly('/text'));
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(answer.data?.links?.map(({ url }) => url)).toEqual([
      `${pages.url}/next`,
      'http://you:word@site.example/',
    ]);
    expect(answer.data?.images?.[0]?.url).toBe(`${pages.url}/p.svg`);
  });

  it('are no part of where a frame is', async () => {
    const seen = await player.observe(secretly('/framed'));
    const { data } = await scrape(secretly('/framed'));
    expect(player.find(/Inner/).frame).toBe(`${pages.url}/inner`);
    expect(JSON.stringify([seen, data])).not.toContain('secret');
  });

  it('are no part of where a file came from', async () => {
    const answer = await scrape(secretly('/file'));
    expect(answer.metadata.url).toBe(`${pages.url}/file`);
    expect(await told()).not.toContain('secret');
  });
});
