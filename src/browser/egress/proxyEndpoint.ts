/** One listening socket of the egress proxy, for one browser context. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { cutText } from '../../domain/space/pageText.ts';
import { normalizeHost } from '../../domain/webAddress.ts';
import { effectivePort } from './checkTarget.ts';
import { UpstreamFailed } from './connectThroughUpstream.ts';
import { type Dial, EgressRefused } from './dialer.ts';
import {
  forwardRequest,
  IDLE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  OriginAgent,
  type RequestTarget,
} from './forwardRequest.ts';
import {
  CHALLENGE_HEADERS,
  CHALLENGE_RESPONSE,
  credentialsCheck,
  type ProxyCredentials,
  type ProxyListener,
  SIGN_IN_HOST,
} from './proxyListener.ts';

/** The same for a refused, an unknown and an unreachable target. Chromium then reports ERR_TUNNEL_CONNECTION_FAILED. */
const TUNNEL_FAILED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const TUNNEL_ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/**
 * Responds to a CONNECT request, and passes bytes between the browser and the origin until one of them closes.
 * @param head bytes that the browser has sent after its CONNECT
 * @param connection resolves with the socket of the origin, whose address is already checked
 * @param onFailure called with the reason when no tunnel can be opened
 */
function openTunnel(
  client: Duplex,
  head: Buffer,
  connection: Promise<Socket>,
  onFailure: (error: Error) => void,
): void {
  client.on('error', () => client.destroy());
  connection.then(
    origin => {
      origin.on('error', () => client.destroy());
      origin.setTimeout(IDLE_TIMEOUT_MS, () => origin.destroy());
      // When one side closes, close the other: no half-open connection may remain.
      origin.once('close', () => client.destroy());
      client.once('close', () => origin.destroy());
      if (client.destroyed) {
        origin.destroy();
        return;
      }
      client.write(TUNNEL_ESTABLISHED);
      if (head.length > 0) origin.write(head);
      origin.pipe(client);
      client.pipe(origin);
    },
    (error: Error) => {
      onFailure(error);
      client.end(TUNNEL_FAILED);
    },
  );
}

export interface BlockedRequest {
  /** The URL of a plain-http request; `host:port` for a tunnel (https, WebSocket). */
  readonly url: string;
  /** The reason as a clause. Safe to show to clients: it contains the kind of IP address, not the address of a name. */
  readonly reason: string;
  /** The refused IP address, for the operator's log; null if there is none. */
  readonly address: string | null;
}

/** Returns why a request is refused, as a clause; null if it is not. `method` is null for a tunnel, of which the proxy sees the host only. */
export type RefusalRule = (host: string, method: string | null) => string | null;

/** The reason why the last request to a host and port got no response. */
export type ConnectionFailure =
  | ({ readonly type: 'blocked' } & BlockedRequest)
  /** `reason` is an error code of the resolver, socket or parser, such as ENOTFOUND or HPE_INVALID_CONSTANT, or a clause. */
  | { readonly type: 'unreachable'; readonly reason: string }
  /** The session's own proxy did not connect; `reason` is a clause. */
  | { readonly type: 'proxy'; readonly reason: string };

export interface TrafficUsage {
  /** Number of plain-http requests and tunnels. */
  readonly requests: number;
  /** Bytes that the browser received from the proxy. */
  readonly receivedBytes: number;
  /** Bytes that the browser sent to the proxy. */
  readonly sentBytes: number;
}

export interface ProxyEndpoint extends AsyncDisposable {
  /** The option for Playwright: `browser.newContext({ proxy: endpoint.proxy })`. Requests to loopback use the proxy too. */
  readonly proxy: { readonly server: string; readonly bypass: string };
  /** The credentials that every request must contain (407 without them); null for a proxy that asks for none. */
  readonly credentials: ProxyCredentials | null;
  /** Returns why the last connection to the URL's host and port failed, which the page does not get to know; null if it did not. */
  failureOf(url: string): ConnectionFailure | null;
  /** Refuses every later request for which a rule returns a reason, before a name is resolved: a name server hears nothing of it. */
  refuse(rule: RefusalRule): void;
  usage(): TrafficUsage;
  /** Returns a function that closes connections without traffic since this call: a page can wait for silent servers with all. A request gets a 504. */
  markConnections(): (all?: boolean) => void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Maximum number of hosts and ports whose last failure is remembered: a hostile page can cause any number. */
const MAX_REMEMBERED_FAILURES = 256;
/** Maximum number of blocked requests that one context reports: a hostile page can cause any number. */
const MAX_REPORTED_BLOCKS = 256;
/** Maximum length of the URL of a `BlockedRequest`, in characters. Chromium allows two million in a request. */
const MAX_URL_LENGTH = 2_000;
/** Maximum number of connections from the browser to the proxy of one context. Chromium opens 32 connections to a proxy and 255 WebSockets. */
const MAX_CONNECTIONS = 512;
/** A connection that becomes idle is closed if the context has more than this number of connections to origins. */
const MAX_IDLE_ORIGIN_SOCKETS = 64;

/** Opens the proxy of one context. `onBlocked` is called once for each refused host and port, at most 256 times; it must not throw. */
export async function openProxyEndpoint(
  dialOut: Dial,
  onBlocked: (request: BlockedRequest) => void,
  credentials: ProxyCredentials | null,
  listener: ProxyListener,
): Promise<ProxyEndpoint & { readonly port: number | null }> {
  const failures = new LRUCache<string, ConnectionFailure>({ max: MAX_REMEMBERED_FAILURES });
  const reported = new Set<string>();
  const clients = new Set<Socket>();
  const origins = new Set<Socket>();
  /** The request of each connection that has no complete response yet. */
  const unanswered = new Map<Socket, ServerResponse>();
  const closing = new AbortController();
  const rules: RefusalRule[] = [];
  const usage = { requests: 0, receivedBytes: 0, sentBytes: 0 };

  async function dial(host: string, port: number): Promise<Socket> {
    const onSocket = (socket: Socket): void => {
      origins.add(socket);
      socket.once('close', () => origins.delete(socket));
    };
    const socket = await dialOut(host, port, onSocket, closing.signal);
    failures.delete(`${host}:${port}`);
    return socket;
  }

  function recordFailure(target: { host: string; port: number }, url: string, error: Error): void {
    const key = `${target.host}:${target.port}`;
    const blocked = error instanceof EgressRefused;
    const request = {
      url: cutText(url, MAX_URL_LENGTH),
      reason: error.message,
      address: blocked ? error.address : null,
    };
    failures.set(key, blocked ? { type: 'blocked', ...request } : toConnectionFailure(error));
    if (!blocked || reported.has(key) || reported.size >= MAX_REPORTED_BLOCKS) return;
    reported.add(key);
    onBlocked(request);
  }

  const refusalOf = (host: string, method: string | null): EgressRefused | null => {
    for (const rule of rules) {
      const reason = rule(host, method);
      if (reason !== null) return new EgressRefused(reason, null);
    }
    return null;
  };

  const isAuthorized = credentials === null ? () => true : credentialsCheck(credentials);
  const agent = new OriginAgent(dial, () => origins.size <= MAX_IDLE_ORIGIN_SOCKETS);
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 60_000,
    // No limit on the duration: an upload may take as long as its session. The sockets' own timeouts end silent
    // connections.
    requestTimeout: 0,
  });
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const target = requestTarget(incoming.url ?? '');
    if (!isAuthorized(incoming.headers)) {
      response.writeHead(407, CHALLENGE_HEADERS).end();
      return;
    }
    if (target?.host === SIGN_IN_HOST) {
      response.writeHead(204).end();
      return;
    }
    usage.requests += 1;
    unanswered.set(incoming.socket, response);
    response.once('close', () => unanswered.delete(incoming.socket));
    const refusal = target === null ? null : refusalOf(target.host, incoming.method ?? '');
    if (target === null) response.destroy();
    else if (refusal !== null) {
      recordFailure(target, incoming.url ?? '', refusal);
      response.destroy();
    } else
      forwardRequest(incoming, response, target, agent, error =>
        recordFailure(target, incoming.url ?? '', error),
      );
  });
  server.on('connect', (incoming, client, head) => {
    const target = tunnelTarget(incoming.url ?? '');
    if (!isAuthorized(incoming.headers)) {
      client.on('error', () => client.destroy());
      client.end(CHALLENGE_RESPONSE);
      return;
    }
    usage.requests += 1;
    if (target === null) {
      client.destroy();
      return;
    }
    const refusal = refusalOf(target.host, null);
    const connection = refusal === null ? dial(target.host, target.port) : Promise.reject(refusal);
    openTunnel(client, head, connection, error => recordFailure(target, incoming.url ?? '', error));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', client => {
    if (clients.size >= MAX_CONNECTIONS) client.destroy();
    clients.add(client);
    client.once('close', () => {
      clients.delete(client);
      usage.receivedBytes += client.bytesWritten;
      usage.sentBytes += client.bytesRead;
    });
  });
  const address = await listener.listen(server);

  const close = async () => {
    closing.abort(new Error('the session has ended'));
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    agent.destroy();
    for (const socket of [...clients, ...origins]) socket.destroy();
    await closed;
  };
  return {
    port: address.port,
    proxy: { server: address.url, bypass: '<-loopback>' },
    credentials,
    failureOf(url) {
      const parsed = URL.parse(url);
      return parsed === null
        ? null
        : (failures.get(`${normalizeHost(parsed)}:${effectivePort(parsed)}`) ?? null);
    },
    refuse: rule => void rules.push(rule),
    usage: () => ({
      requests: usage.requests,
      receivedBytes: clients.values().reduce((sum, client) => sum + client.bytesWritten, usage.receivedBytes),
      sentBytes: clients.values().reduce((sum, client) => sum + client.bytesRead, usage.sentBytes),
    }),
    markConnections: () => {
      const marked = [...clients].map(client => [client, client.bytesRead, client.bytesWritten] as const);
      return (all = false) => {
        for (const [client, read, written] of marked) {
          if (!all && (client.bytesRead !== read || client.bytesWritten !== written)) continue;
          const response = unanswered.get(client);
          if (response === undefined || response.headersSent) client.destroy();
          // Chromium repeats a request whose connection closes without a response.
          else response.writeHead(504, { connection: 'close', 'content-length': 0 }).end();
        }
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Parses the URL of a plain-http request to a proxy, which is absolute (RFC 9112, 3.2.2). Returns null for any other form. */
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

/** Parses the `host:port` of a CONNECT request (RFC 9112, 3.2.3). Returns null if it is not valid. */
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
