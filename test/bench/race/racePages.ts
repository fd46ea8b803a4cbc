import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds after which the single-page application's server sends its data. */
export const DATA_DELAY_MS = 1_500;
/** Milliseconds after which the server responds to what a click on the page `/saves` sends. */
const SAVE_DELAY_MS = 30;
const LINKS = 2_000;
/** 1,000 rows of nine cells: 10,000 elements. */
const ROWS = 1_000;
const COLUMNS = 9;

const times = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join('\n');

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

const paragraph = (n: number): string =>
  `<p>Paragraph ${n} of plain text, long enough to be read as the content of a page. <a href="/p/${n}">Link ${n}</a></p>`;

/** A static page with `count` links, a button and an input. */
const staticPage = (count: number): string =>
  page(
    'A static page',
    `<nav><a href="/">Home</a><a href="/about">About</a></nav><main><h1>A static page</h1>
    ${times(count, paragraph)}<button type="button">Press</button><label>Name <input name="n"></label></main>`,
  );

const links = (count: number): string =>
  page('Links', `<main><h1>Links</h1>${times(count, paragraph)}</main>`);

const table = (rows: number): string =>
  page(
    'A table',
    `<main><h1>A table</h1><table><tbody>${times(rows, row => `<tr>${times(COLUMNS, column => `<td>${row}.${column}</td>`)}</tr>`)}</tbody></table></main>`,
  );

const nodes = (count: number): string =>
  page(
    'Many nodes',
    `<main>${times(count / 2, n => `<div><span>${n}</span></div>`)}<button>Press</button></main>`,
  );

const actions = (count: number): string =>
  page('Many actions', `<main>${times(count, n => `<p><button>Do ${n}</button></p>`)}</main>`);

const application = page(
  'An application',
  `<main><h1>Orders</h1><ul id="list">Loading…</ul></main><script>
  fetch('/data').then(r => r.json()).then(rows => {
    document.querySelector('#list').innerHTML = rows.map(r => '<li><button>' + r + '</button></li>').join('');
  });</script>`,
);

/** The static page, whose button asks the server and shows that it has answered. */
const saving = `${staticPage(40)}<output></output><script>
  let saved = 0;
  document.querySelector('button').onclick = async () => {
    const answer = await (await fetch('/save', { method: 'POST' })).text();
    document.querySelector('output').textContent = answer + ' ' + ++saved;
  };</script>`;

/** The pages by path; `count` is 0 for the size of the table of the race. */
const PAGES: Readonly<Record<string, (count: number) => string>> = {
  '/small': () => staticPage(40),
  '/saves': () => saving,
  '/links': count => links(count || LINKS),
  '/table': count => table(count || ROWS),
  '/application': () => application,
  '/nodes': nodes,
  '/actions': actions,
};

/** A server for the pages of the race. */
export interface RaceSite {
  readonly url: string;
  /** The time at which the data of the application was last sent, on the clock of `performance.now()`. */
  readonly dataSentAt: number;
  close(): void;
}

/** Serves the pages: `/small`, `/saves`, `/links?n=`, `/table?n=`, `/application`, `/nodes?n=`, `/actions?n=`. */
export async function serveRacePages(): Promise<RaceSite> {
  let dataSentAt = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const count = Number(searchParams.get('n') ?? 0);
    if (pathname === '/data') {
      setTimeout(() => {
        dataSentAt = performance.now();
        response.setHeader('content-type', 'application/json').end('["Order 1","Order 2"]');
      }, DATA_DELAY_MS);
      return;
    }
    if (pathname === '/save') {
      setTimeout(() => response.end('Saved'), SAVE_DELAY_MS);
      return;
    }
    const html = PAGES[pathname]?.(count) ?? null;
    response.statusCode = html === null ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html ?? '');
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get dataSentAt() {
      return dataSentAt;
    },
    close: () => server.close(),
  };
}
