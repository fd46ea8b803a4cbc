import { describe, expect, it, test } from 'vitest';
import { stripCredentials } from '../../../src/domain/webAddress.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import { ALL_PARTS } from '../../support/scrapeHarness.ts';

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
])('stripCredentials turns %s into %s', (url, stripped) => expect(stripCredentials(url)).toBe(stripped));

describe('The user and password of an opened address', () => {
  const PICTURE = '<img src="/p.svg" srcset="/p.svg 2x" alt="Picture">';
  const { started, pages, agent } = pageHarness({
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
  });

  const withCredentials = (path: string, origin = pages.url) => origin.replace('//', '//me:secret@') + path;
  const scrape = (url: string) => agent.scrape(url, { data: { ...ALL_PARTS, onlyMainContent: false } });
  const storedEvents = async () =>
    JSON.stringify(await started.store.sessions.events(agent.sessionId, 0, 1_000));

  it('are sent to the server and are not in the URLs of the result', async () => {
    const { metadata, session } = await agent.observe(withCredentials('/'));
    const home = `${pages.url}/`;
    expect([metadata.url, session.url, metadata.tabs[0]?.url]).toEqual([home, home, home]);
  });

  it('are not in the events of tabs', async () => {
    await agent.observe(withCredentials('/'));
    await agent.step(/Open/);
    await agent.step('S13');
    expect(await storedEvents()).not.toContain('secret');
  });

  it.each([
    ['NAVIGATION_FAILED', () => withCredentials('/', 'http://nope.invalid')],
    ['URL_BLOCKED', () => withCredentials('/', 'http://10.0.0.1')],
  ])('are not in the message of %s, nor in its event', async (code, url) => {
    await expect(agent.observe(url())).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('secret'),
    });
    expect(await storedEvents()).toContain(code);
    expect(await storedEvents()).not.toContain('secret');
  });

  it('are not in the links and images of the page; credentials in its own links stay', async () => {
    const answer = await scrape(withCredentials('/text'));
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(answer.data?.links?.map(({ url }) => url)).toEqual([
      `${pages.url}/next`,
      'http://you:word@site.example/',
    ]);
    expect(answer.data?.images?.[0]?.url).toBe(`${pages.url}/p.svg`);
  });

  it('are not in the URL of a frame', async () => {
    const seen = await agent.observe(withCredentials('/framed'));
    const { data } = await scrape(withCredentials('/framed'));
    expect(agent.find(/Inner/).frame).toBe(`${pages.url}/inner`);
    expect(JSON.stringify([seen, data])).not.toContain('secret');
  });

  it('are not in the URL of a downloaded file', async () => {
    const answer = await scrape(withCredentials('/file'));
    expect(answer.metadata.url).toBe(`${pages.url}/file`);
    expect(await storedEvents()).not.toContain('secret');
  });
});
