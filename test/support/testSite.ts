/** A web site on loopback for tests: the pages of test/site, generated pages, and paths that misbehave. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

export interface TestSite {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The same pages on another site: `http://localhost:<port>`. */
  readonly crossOriginUrl: string;
  close(): Promise<void>;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

const page = (body: string, title = 'Test page'): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

const html = (response: ServerResponse, text: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
};

const number = (url: URL, name: string, otherwise: number): number =>
  Number(url.searchParams.get(name) ?? otherwise);

/** Rows of text with a link in every fourth: `n` elements in all. */
function manyNodes(n: number): string {
  let rows = '';
  for (let count = 0, row = 0; count < n; count += 5, row++) {
    const last = row % 4 === 0 ? `<a href="/p/${row}">link ${row}</a>` : '<i>x</i>';
    rows += `<div class="row"><span>item ${row}</span><p>Lorem <b>ipsum</b> dolor</p>${last}</div>`;
  }
  return page(rows, `${n} nodes`);
}

/** Handlers by the first segment of the path. */
const HANDLERS: Readonly<Record<string, RequestHandler>> = {
  /** `/nodes?n=10000` */
  nodes: (_, response, url) => html(response, manyNodes(number(url, 'n', 10_000))),
  /** `/slow?ms=500`: responds after that time. */
  slow: (_, response, url) => {
    setTimeout(
      () => html(response, page('<h1>Slow</h1><a href="/forms">on</a>', 'Slow')),
      number(url, 'ms', 500),
    );
  },
  /** Accepts the request and never responds. */
  hang: () => undefined,
  /** `/hanging-body`: the header and the first words, then nothing. */
  'hanging-body': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.write('<!doctype html><title>Hanging</title><h1>Begun</h1><a href="/forms">on</a>');
  },
  /** `/redirect?to=/forms&n=3`: redirects n times to itself, then to `to`. */
  redirect: (_, response, url) => {
    const left = number(url, 'n', 1);
    const to = url.searchParams.get('to') ?? '/forms';
    const location = left > 1 ? `/redirect?${new URLSearchParams({ to, n: String(left - 1) })}` : to;
    response.writeHead(302, { location }).end();
  },
  'redirect-loop': (_, response) => {
    response.writeHead(302, { location: '/redirect-loop' }).end();
  },
  /** `/status/404`: a page with that status. */
  status: (_, response, url) => {
    const status = Number(url.pathname.split('/')[2] ?? 200);
    html(response, page(`<h1>Status ${status}</h1><a href="/forms">home</a>`, `Status ${status}`), status);
  },
  /** Returns the request as JSON. */
  echo: async (request, response, url) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, headers } = request;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ method, url: url.pathname + url.search, headers, body }));
  },
  /** A download. */
  download: (_, response, url) => {
    const name = url.searchParams.get('name') ?? 'report.csv';
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': `attachment; filename="${name}"`,
    });
    response.end('a,b\n1,2\n');
  },
  pdf: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n%%EOF\n');
  },
  /** HTTP authentication without valid credentials. */
  auth: (_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end('no');
  },
  /** An endless stream of server-sent events. */
  stream: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n');
  },
};

/** Serves until closed. Pages may contain `{{site}}` and `{{cross}}`, which are replaced by the two URLs. */
export async function startTestSite(): Promise<TestSite> {
  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  // A server that closes an idle connection while a POST is on its way fails it; on a busy machine the time between two requests is long.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const crossOriginUrl = `http://localhost:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? '/', url);
    const own = HANDLERS[asked.pathname.split('/')[1] ?? ''];
    if (own !== undefined) return own(request, response, asked);
    const path = asked.pathname === '/' ? '/index' : decodeURIComponent(asked.pathname);
    const file = extname(path) === '' ? `${path}.html` : path;
    if (file.includes('..')) return html(response, page('no'), 400);
    const content = await readFile(new URL(`../site${file}`, import.meta.url)).catch(() => null);
    if (content === null) return html(response, page('<h1>Not found</h1>', 'Not found'), 404);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type });
    response.end(type.startsWith('text/html') ? filled(content.toString()) : content);
  }

  const filled = (text: string): string =>
    text.replaceAll('{{site}}', url).replaceAll('{{cross}}', crossOriginUrl);

  return {
    url,
    crossOriginUrl,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
