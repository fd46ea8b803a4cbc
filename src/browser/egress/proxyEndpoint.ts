/** One listening socket of the filtering proxy: the way out of one browser context. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { effectivePort } from './checkAddress.ts';
import { UpstreamFailed } from './connectThroughUpstream.ts';
import { type Dial, EgressRefused } from './dialer.ts';
import { normalizeHost } from './egressRules.ts';
import { forwardRequest, MAX_HEADER_BYTES, OriginAgent, type RequestTarget } from './forwardRequest.ts';
import { openTunnel } from './openTunnel.ts';

/** A request that the filter refused. */
export interface BlockedRequest {
  /** The URL where it is known (plain http); of a tunnel only `host:port`. */
  readonly url: string;
  /** Fit for strangers: says what kind of address it was, not which. */
  readonly reason: string;
  /** The address that the name stood for, for the operator's log; null if nothing was resolved. */
  readonly address: string | null;
}

/** Why the last request to a host and port brought no answer. */
export type ConnectionFailure =
  | ({ readonly type: 'blocked' } & BlockedRequest)
  /** `reason` is an error code of the resolver, the socket or the parser, such as ENOTFOUND or HPE_INVALID_CONSTANT, or a sentence without its end. */
  | { readonly type: 'unreachable'; readonly reason: string }
  /** The session's own proxy made no connection; `reason` is a sentence without its end. */
  | { readonly type: 'proxy'; readonly reason: string };

/** What went through a door so far. */
export interface TrafficUsage {
  /** Plain-http requests and tunnels. */
  readonly requests: number;
  /** Bytes that the browser was sent, and that it sent. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

export interface ProxyEndpoint extends AsyncDisposable {
  /** For Playwright: `browser.newContext({ proxy: door.proxy })`. Loopback is not left out of it. */
  readonly proxy: { readonly server: string; readonly bypass: string };
  /**
   * Why a navigation to this URL failed, if it failed here: the page only saw a network error.
   * @returns null when the last connection to the URL's host and port came about, or none was tried
   */
  failureOf(url: string): ConnectionFailure | null;
  usage(): TrafficUsage;
  /** Cuts every connection of the context and stops listening; idempotent. */
  close(): Promise<void>;
}

/** Outcomes that are remembered, and refusals that are told: a hostile page can make any number. */
const MAX_REMEMBERED_FAILURES = 256;
const MAX_REPORTED_BLOCKS = 256;
/** What an event holds of a URL; Chromium lets pages ask for two million characters. */
const MAX_URL_LENGTH = 2_000;
/** Chromium opens 32 connections to a proxy and 255 WebSockets. */
const MAX_CONNECTIONS = 512;
/** Connections to origins that are kept idle, in all. */
const MAX_IDLE_ORIGIN_SOCKETS = 64;

/**
 * Opens a door on a free port of loopback.
 * @param dialOut opens judged connections
 * @param onBlocked told of each refused host and port once, 256 times at most; what it throws is a bug
 */
export async function openProxyEndpoint(
  dialOut: Dial,
  onBlocked: (request: BlockedRequest) => void,
): Promise<ProxyEndpoint & { readonly port: number }> {
  const failures = new LRUCache<string, ConnectionFailure>({ max: MAX_REMEMBERED_FAILURES });
  const reported = new Set<string>();
  const clients = new Set<Socket>();
  const origins = new Set<Socket>();
  const ended = new AbortController();
  const usage = { requests: 0, receivedBytes: 0, sentBytes: 0 };

  async function dial(host: string, port: number): Promise<Socket> {
    const opened = (socket: Socket): void => {
      origins.add(socket);
      socket.once('close', () => origins.delete(socket));
    };
    const socket = await dialOut(host, port, opened, ended.signal);
    failures.delete(`${host}:${port}`);
    return socket;
  }

  function recordFailure(target: { host: string; port: number }, url: string, error: Error): void {
    const key = `${target.host}:${target.port}`;
    const blocked = error instanceof EgressRefused;
    const request = {
      url: url.slice(0, MAX_URL_LENGTH),
      reason: error.message,
      address: blocked ? error.address : null,
    };
    failures.set(key, blocked ? { type: 'blocked', ...request } : toConnectionFailure(error));
    if (!blocked || reported.has(key) || reported.size >= MAX_REPORTED_BLOCKS) return;
    reported.add(key);
    onBlocked(request);
  }

  const agent = new OriginAgent(dial, () => origins.size <= MAX_IDLE_ORIGIN_SOCKETS);
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 60_000,
    // An upload may take as long as its session lasts; silence is bounded by the sockets' own time-outs.
    requestTimeout: 0,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
    const target = requestTarget(incoming.url ?? '');
    usage.requests += 1;
    if (target === null) answer.destroy();
    else
      forwardRequest(incoming, answer, target, agent, error =>
        recordFailure(target, incoming.url ?? '', error),
      );
  });
  server.on('connect', (incoming, client, head) => {
    const target = tunnelTarget(incoming.url ?? '');
    usage.requests += 1;
    if (target === null) client.destroy();
    else
      openTunnel(client, head, dial(target.host, target.port), error =>
        recordFailure(target, incoming.url ?? '', error),
      );
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', client => {
    clients.add(client);
    client.once('close', () => {
      clients.delete(client);
      usage.receivedBytes += client.bytesWritten;
      usage.sentBytes += client.bytesRead;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A listening TCP socket's address is never a path.
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    ended.abort(new Error('the session has ended'));
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    agent.destroy();
    for (const socket of [...clients, ...origins]) socket.destroy();
    await closed;
  };
  return {
    port,
    proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
    failureOf(url) {
      const parsed = URL.parse(url);
      return parsed === null
        ? null
        : (failures.get(`${normalizeHost(parsed)}:${effectivePort(parsed)}`) ?? null);
    },
    usage: () => ({
      requests: usage.requests,
      receivedBytes: clients.values().reduce((sum, client) => sum + client.bytesWritten, usage.receivedBytes),
      sentBytes: clients.values().reduce((sum, client) => sum + client.bytesRead, usage.sentBytes),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The absolute form that a browser asks a proxy in (RFC 9112, 3.2.2); null for anything else. */
function requestTarget(url: string): RequestTarget | null {
  const parsed = url.startsWith('http://') ? URL.parse(url) : null;
  if (parsed === null) return null;
  const path = url.indexOf('/', 'http://'.length);
  return {
    host: normalizeHost(parsed),
    port: effectivePort(parsed),
    authority: parsed.host,
    path: path === -1 ? `/${parsed.search}` : url.slice(path),
  };
}

/** The authority form of CONNECT (RFC 9112, 3.2.3). */
function tunnelTarget(authority: string): { host: string; port: number } | null {
  const parsed = /:\d{1,5}$/.test(authority) ? URL.parse(`https://${authority}/`) : null;
  return parsed === null ? null : { host: normalizeHost(parsed), port: effectivePort(parsed) };
}

const toConnectionFailure = (error: Error): ConnectionFailure =>
  error instanceof UpstreamFailed
    ? { type: 'proxy', reason: error.message }
    : { type: 'unreachable', reason: errorCode(error) };

const errorCode = (error: Error & { readonly code?: unknown }): string =>
  typeof error.code === 'string' ? error.code : error.message;
