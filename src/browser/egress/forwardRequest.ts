/** Passes a plain-http request of the browser on to its origin, and the answer back. */
import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Chromium takes 256 KiB of response headers; what it takes, pages may get. */
export const MAX_HEADER_BYTES = 256 * 1024;
/** Silence after which a connection is given up: longer than servers pause between events of a stream. */
export const IDLE_TIMEOUT_MS = 600_000;
/** An idle connection to an origin is kept as long as common servers keep theirs. */
const KEEP_ALIVE_MS = 30_000;

/** Interim answers (1xx) before the answer itself: servers send one or two, and a server could send them without end. */
const MAX_INTERIM_RESPONSES = 16;

/** Headers that speak of one connection only (RFC 9110, 7.6.1), and the proxy's own. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]);

/** Anything but what a header's value may hold (RFC 9110, 5.5). */
const INVALID_HEADER_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;

const ASCII = /^[\t\x20-\x7e]*$/;

/** Where a request goes. */
export interface RequestTarget {
  readonly host: string;
  readonly port: number;
  /** The Host header, as the browser's URL has it. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
}

/** An agent that keeps connections to origins open, up to a number in all. */
export class OriginAgent extends Agent {
  readonly #dial: (host: string, port: number) => Promise<Socket>;
  readonly #canKeepSocket: () => boolean;

  /**
   * @param dial opens a judged connection
   * @param mayKeep asked when a connection falls idle; false closes it
   */
  constructor(dial: (host: string, port: number) => Promise<Socket>, mayKeep: () => boolean) {
    super({ keepAlive: true, maxFreeSockets: 8, timeout: KEEP_ALIVE_MS });
    this.#dial = dial;
    this.#canKeepSocket = mayKeep;
  }

  override createConnection(...[options, done]: Parameters<Agent['createConnection']>): undefined {
    this.#dial(String(options.host), Number(options.port)).then(
      socket => done?.(null, socket),
      // Node's types ask for a socket beside the error; its code looks at the error first.
      (error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
    );
  }

  override keepSocketAlive(socket: Socket): boolean {
    // The types say void; the documented answer is whether to keep the socket.
    return this.#canKeepSocket() && (super.keepSocketAlive(socket) as unknown) !== false;
  }
}

/**
 * Forwards one request. Both parsers are Node's strict ones: the browser's connection carries answers of several origins
 * in turn, and an answer of unclear length could be read as the next origin's.
 * When nothing came back the browser's socket is cut without an answer: a page sees the same
 * network error whether the target was refused, unknown or dead, and can read no network by it.
 * @param onFailure told why there was no answer, before the socket is cut
 */
export function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  agent: Agent,
  onFailure: (error: Error) => void,
): void {
  const hasBody = 'content-length' in incoming.headers || 'transfer-encoding' in incoming.headers;
  const repeatable = !hasBody && (incoming.method === 'GET' || incoming.method === 'HEAD');

  // Whatever breaks on the browser's side ends in `close`, which is dealt with below.
  for (const stream of [incoming, response]) stream.on('error', () => response.destroy());

  function send(): void {
    const outgoing: ClientRequest = request({
      agent,
      host: target.host,
      port: target.port,
      method: incoming.method,
      path: target.path,
      headers: ['Host', target.authority, ...endToEndHeaders(incoming.rawHeaders)],
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    outgoing.setTimeout(IDLE_TIMEOUT_MS, () =>
      outgoing.destroy(new Error('the server was silent for too long')),
    );
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM_RESPONSES)
        outgoing.destroy(new Error('the server sent interim answers without end'));
    });
    outgoing.once('response', originResponse => {
      const status = originResponse.statusCode ?? 0;
      // Node's parser lets through what is no final status, and throws when it is to be written.
      if (status < 200 || status > 999) {
        outgoing.destroy(new Error(`the server answered with the status ${status}, which is none`));
        return;
      }
      const headers = endToEndHeaders(originResponse.rawHeaders);
      const reason = originResponse.statusMessage ?? '';
      response.sendDate = false;
      response.writeHead(status, INVALID_HEADER_CHARACTER.test(reason) ? '' : reason, headers);
      // The first event of a stream must not hold back the headers. flushHeaders() writes UTF-8, which doubles bytes past ASCII.
      if (headers.every(text => ASCII.test(text))) response.flushHeaders();
      originResponse.on('error', () => response.destroy());
      originResponse.pipe(response);
      originResponse.once('close', () => {
        if (!originResponse.complete) response.destroy();
      });
    });
    outgoing.on('error', error => {
      if (response.destroyed || response.headersSent) response.destroy();
      else if (repeatable && outgoing.reusedSocket) send();
      else {
        onFailure(error);
        response.destroy();
      }
    });
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      response.destroy();
    });
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    if (hasBody) incoming.pipe(outgoing);
    else outgoing.end();
  }
  send();
}

/** Name, value, name, value…, without what belongs to one connection, by its kind or by the word of `Connection`. */
function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  const named = new Set<string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() === 'connection')
      for (const name of (rawHeaders[i + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    const key = name.toLowerCase();
    if (!HOP_BY_HOP.has(key) && !named.has(key) && !INVALID_HEADER_CHARACTER.test(value))
      kept.push(name, value);
  }
  return kept;
}
