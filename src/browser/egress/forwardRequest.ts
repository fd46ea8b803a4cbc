import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGunzip } from 'node:zlib';

/** Maximum size of all headers of a request, or of a response, in bytes. Chromium accepts 256 KiB of response headers. */
export const MAX_HEADER_BYTES = 256 * 1024;
/** A connection without traffic is closed after this time (milliseconds). It is longer than the pauses in an event stream. */
export const IDLE_TIMEOUT_MS = 600_000;
/** Milliseconds for which a connection to an origin stays open without a request. Common servers use the same time. */
const KEEP_ALIVE_MS = 30_000;

/** Interim responses (1xx) before the final one. Servers send one or two; a hostile one could send them without end. */
const MAX_INTERIM_RESPONSES = 16;

/** Headers that are not forwarded: those for one connection (RFC 9110, 7.6.1) or the proxy, and Host, which is written anew. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]);

/** A character that is not allowed in the value of a header (RFC 9110, 5.5). */
const INVALID_HEADER_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;

const ASCII = /^[\t\x20-\x7e]*$/;

export interface RequestTarget {
  readonly host: string;
  readonly port: number;
  /** The value of the Host header, as in the browser's URL. */
  readonly authority: string;
  readonly path: string;
}

/** A Node HTTP agent that connects to origins only through `dial` and keeps a limited number of idle connections open. */
export class OriginAgent extends Agent {
  readonly #dial: (host: string, port: number) => Promise<Socket>;
  readonly #canKeepSocket: () => boolean;

  /** @param canKeepSocket called when a connection becomes idle; returns false to close that connection */
  constructor(dial: (host: string, port: number) => Promise<Socket>, canKeepSocket: () => boolean) {
    super({ keepAlive: true, maxFreeSockets: 8, timeout: KEEP_ALIVE_MS });
    this.#dial = dial;
    this.#canKeepSocket = canKeepSocket;
  }

  override createConnection(...[options, done]: Parameters<Agent['createConnection']>): undefined {
    this.#dial(String(options.host), Number(options.port)).then(
      socket => done?.(null, socket),
      // Node's types require a socket beside the error, but its code checks the error first.
      (error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
    );
  }

  override keepSocketAlive(socket: Socket): boolean {
    // The types say void, but the documentation says that the result decides whether to keep the socket.
    return this.#canKeepSocket() && (super.keepSocketAlive(socket) as unknown) !== false;
  }
}

/**
 * Forwards a plain-http request of the browser to its origin, and the response back. Node's strict parser reads both: the
 * browser's connection carries the responses of several origins, so a response of unclear length could be read as the
 * response of the next origin. If the origin sends no response, the browser's socket is destroyed: a page gets the same
 * network error for a refused, an unknown and an unreachable target, so it cannot scan the network.
 * @param onFailure called with the reason when the origin sends no response, before the socket is destroyed
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

  // Every error on the browser's side leads to `close`, which is handled below.
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
      outgoing.destroy(new Error('the server sent nothing for too long')),
    );
    let interim = 0;
    let isAnswered = false;
    let isComplete = (): boolean => false;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM_RESPONSES)
        outgoing.destroy(new Error('the server sent too many interim responses'));
    });
    outgoing.once('response', originResponse => {
      isAnswered = true;
      // The proxy has answered already, and the browser has not read that yet: another head would throw.
      if (response.headersSent) {
        outgoing.destroy();
        return;
      }
      const status = originResponse.statusCode ?? 0;
      // Node's parser accepts status codes that are not final, and writeHead throws for them.
      if (status < 200 || status > 999) {
        outgoing.destroy(new Error(`the server responded with the invalid status ${status}`));
        return;
      }
      isComplete = () => originResponse.complete;
      const isChecked = isPage(incoming, status, originResponse);
      const all = endToEndHeaders(originResponse.rawHeaders);
      const headers = isChecked ? withoutLength(all) : all;
      const reason = originResponse.statusMessage ?? '';
      // A site is no proxy and may not ask for the credentials of one: Chromium would drop those of the session proxy.
      response.sendDate = false;
      response.writeHead(
        status === 407 ? 502 : status,
        INVALID_HEADER_CHARACTER.test(reason) ? '' : reason,
        headers,
      );
      // Send the headers now: they must not wait for the first event of a stream. flushHeaders() writes UTF-8, which
      // doubles bytes above ASCII.
      if (headers.every(text => ASCII.test(text))) response.flushHeaders();
      // A transfer in chunks says itself whether more comes.
      const isMeasured = isChecked && !isGzip(originResponse) && 'content-length' in originResponse.headers;
      const hasEnd = isMeasured ? watchEnd(originResponse) : () => false;
      const cut = () => void (hasEnd() ? response.end() : response.destroy());
      originResponse.on('error', cut);
      if (isChecked && isGzip(originResponse)) pipeWhole(originResponse, response);
      else originResponse.pipe(response);
      originResponse.once('close', () => {
        if (!originResponse.complete) cut();
      });
    });
    outgoing.on('error', error => {
      // More bytes than `Content-Length` says, which some servers count in characters: the connection ends, the answer does not.
      if (isComplete()) return;
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
      // A request that waited too long was answered by the proxy itself.
      if (!response.writableFinished || !isAnswered) outgoing.destroy();
    });
    if (hasBody) incoming.pipe(outgoing);
    else outgoing.end();
  }
  send();
}

/** Maximum number of bytes that are decompressed for the check of one page: a small body could become gigabytes. More than any page that is read whole. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024;
/** The end of what a server has flushed (RFC 1951, 3.2.4: an empty stored block). Browsers show a body that ends here as a whole page. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);

/** Number of the last bytes of a page in gzip that are kept: the length at its end, and padding. */
const KEPT_BYTES = 8;

/**
 * Returns true for a page whose end is read: one in gzip, of which Chromium would show the beginning as the whole, and HTML as it is. Chromium asks for
 * documents only, not for what scripts load, with `Upgrade-Insecure-Requests`.
 */
function isPage({ method, headers }: IncomingMessage, status: number, answer: IncomingMessage): boolean {
  const hasBody = method !== 'HEAD' && status !== 204 && (status < 300 || status >= 400);
  const isHtml = isGzip(answer) || (!answer.headers['content-encoding'] && isHtmlType(answer));
  return hasBody && isHtml && headers['upgrade-insecure-requests'] === '1';
}

const isGzip = ({ headers }: IncomingMessage): boolean =>
  /^(x-)?gzip$/i.test(headers['content-encoding'] ?? '');
const isHtmlType = ({ headers }: IncomingMessage): boolean =>
  /text\/html/i.test(headers['content-type'] ?? '');

/** Matches the end tag of a page, and the beginning of what may quote one. */
const END_OR_QUOTE = /<\/html(?=[\s>])|<!--|<(script|style|textarea|template|iframe|title)(?=[\s>])/;
/** Number of the last characters that may be the beginning of such a tag. */
const TAG_CHARACTERS = 10;

/** Returns a function that tells whether the end tag of a page has come, and nothing is open after it: it is whole even if its length is wrong. */
function watchEnd(page: IncomingMessage): () => boolean {
  let rest = '';
  let closer: string | null = null;
  let hasEnd = false;
  page.on('data', (bytes: Buffer) => {
    rest += bytes.toString('latin1').toLowerCase();
    for (;;) {
      const quoteEnd = closer === null ? 0 : rest.indexOf(closer);
      if (quoteEnd < 0) break;
      closer = null;
      rest = rest.slice(quoteEnd);
      const tag = END_OR_QUOTE.exec(rest);
      if (tag === null) break;
      if (tag[0] === '</html') hasEnd = true;
      else closer = tag[1] === undefined ? '-->' : `</${tag[1]}`;
      rest = rest.slice(tag.index + tag[0].length);
    }
    rest = rest.slice(-TAG_CHARACTERS);
  });
  return () => hasEnd && closer === null;
}

/** Passes a page in gzip on. Destroys the response at the end if the page is cut, or has several members: Chromium reads only the first. */
function pipeWhole(page: IncomingMessage, response: ServerResponse): void {
  const gunzip = createGunzip();
  let size = 0;
  let end = Buffer.alloc(0);
  const isWhole = new Promise<boolean>(settle => {
    gunzip.once('end', () => settle(!hasMembers(end, size)));
    gunzip.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size <= MAX_CHECKED_BYTES) return;
      settle(true);
      gunzip.destroy();
    });
    // Data that is not gzip at all fails in Chromium.
    gunzip.once('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code !== 'Z_BUF_ERROR' || end.length === 0 || end.subarray(-FLUSHED.length).equals(FLUSHED)),
    );
  });
  page.on('data', (bytes: Buffer) => {
    end = Buffer.concat([end, bytes.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
  });
  page.pipe(gunzip);
  page.pipe(response, { end: false });
  page.once('end', () => void isWhole.then(whole => (whole ? response.end() : response.destroy())));
  page.once('close', () => {
    if (!page.complete) gunzip.destroy();
  });
}

/** Returns true if the last four bytes (RFC 1952, 2.3.1: the length of the last member) are the length of a part. Up to four bytes after the data are padding. */
function hasMembers(end: Buffer, size: number): boolean {
  const lengths = [0, 1, 2, 3, 4].filter(at => at + 4 <= end.length).map(at => end.readUInt32LE(at));
  const last = lengths.at(-1) ?? 0;
  return last > 0 && last < size && !lengths.includes(size);
}

/** Removes `Content-Length`, so that the end of the body can be withheld. */
const withoutLength = (headers: readonly string[]): string[] =>
  headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-length');

/** Returns raw headers (name, value, …) without `HOP_BY_HOP`, those that `Connection` names, and invalid values. */
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
