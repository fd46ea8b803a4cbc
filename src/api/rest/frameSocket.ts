/** WebSockets at /session/{session_id}/frames: pictures of a session as binary messages, a third smaller than Base64 in GraphQL. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { RequestRateLimit } from '../../domain/account/rateLimit.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { formatTime } from '../../domain/json.ts';
import {
  DEFAULT_FRAME_QUALITY,
  DEFAULT_FRAME_WIDTH,
  frameQuality,
  frameWidth,
  type SessionFrame,
  watchFrames,
} from '../../operations/frames.ts';
import { assertScope, parseSessionId } from '../../operations/operation.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticateSocket, linkDenied } from '../auth/authenticate.ts';
import { callerAddress } from '../http/httpContext.ts';
import { closeSocket, closeSockets, startPings } from '../http/httpServer.ts';
import { logRequest, RequestRecord } from '../http/requestRecord.ts';
import { validationFailure } from '../http/validationFailure.ts';

const PATH = /^(?:\/v1)?\/session\/([^/]+)\/frames$/;
/** Maximum wait for the key of a caller that did not send it as a header, in milliseconds. */
const INIT_TIMEOUT_MS = 5_000;
/** Maximum size of a client's message, in bytes: only the key. */
const MAX_MESSAGE_BYTES = 8_192;
/** A failure closes the socket with this number and its HTTP status: 4404 for a session that does not exist. Its code is the reason. */
const FAILURE_CLOSE_CODE = 4_000;

const FramesQuery = z.strictObject({
  max_width: z.coerce.number().pipe(frameWidth).optional(),
  quality: z.coerce.number().pipe(frameQuality).optional(),
});

const Init = z.object({
  type: z.literal('connection_init'),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

export interface FrameSocket {
  /** Returns true if the path of a request is that of the pictures of a session. */
  serves(path: string): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001, and terminates those that do not respond within a second. Idempotent. */
  close(): Promise<void>;
}

/** Creates the server. @param trustedProxies number of proxies in front of the service, for the caller's address */
export function frameSocket(
  { service, log }: { readonly service: Pagespace; readonly log: Pick<Logger, 'info' | 'debug' | 'error'> },
  trustedProxies: number,
): FrameSocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  async function run(socket: WebSocket, request: IncomingMessage, record: RequestRecord): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const sessionId = decodeURIComponent(PATH.exec(pathname)?.[1] ?? '');
    record.sessionId = sessionId;
    const viewer = await authenticateSocket(
      service,
      {
        connectionParams: request.headers.authorization === undefined ? await firstMessage(socket) : null,
        headers: request.headers,
        callerNetwork: callerAddress(request, trustedProxies),
      },
      record,
    );
    assertScope(viewer, 'read', 'sessionFrames');
    if (viewer.link !== undefined && viewer.link.sessionId !== sessionId.toLowerCase()) throw linkDenied();
    await new RequestRateLimit(service).consume(viewer, 1);
    const query = FramesQuery.safeParse(Object.fromEntries(searchParams));
    if (!query.success) throw validationFailure(query.error, FramesQuery);
    const { max_width: maxWidth = DEFAULT_FRAME_WIDTH, quality = DEFAULT_FRAME_QUALITY } = query.data;
    const release = service.onKeyEnd(viewer, failure => closeWith(socket, failure));
    // The socket can have closed during the calls above.
    if (gone.signal.aborted) release();
    else gone.signal.addEventListener('abort', release, { once: true });
    const frames = await watchFrames(
      { service, viewer },
      parseSessionId(sessionId),
      { maxWidth, quality },
      gone.signal,
    );
    for await (const frame of frames) {
      if (gone.signal.aborted) return;
      await send(socket, frameMessage(frame));
    }
  }

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const record = new RequestRecord(crypto.randomUUID());
    record.operation = 'WebSocket /session/{session_id}/frames';
    socket.on('error', error => log.debug({ err: error }, 'a WebSocket violated the protocol'));
    const stopPings = startPings(socket);
    socket.once('close', () => {
      stopPings();
      logRequest(log, record, record.failureCode ?? 'ok', { transport: 'websocket' });
    });
    run(socket, request, record).then(
      () => closeSocket(socket, 1_000, 'The session has ended'),
      (error: unknown) => {
        if (socket.readyState !== socket.OPEN) return;
        const failure = isFailure(error) ? error : new Failure('INTERNAL', 'The service failed.');
        if (failure !== error) log.error({ err: error }, 'pictures could not be sent');
        record.failureCode = failure.code;
        closeWith(socket, failure);
      },
    );
  };

  return {
    serves: path => PATH.test(path),
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, open => serve(open, request)),
    close: () => closeSockets(server),
  };
}

const closeWith = (socket: WebSocket, { code, definition }: Failure): void =>
  closeSocket(socket, FAILURE_CLOSE_CODE + definition.status, code);

/** Returns the payload of `connection_init`, which has the key as over GraphQL; null if none comes in time. */
async function firstMessage(socket: WebSocket): Promise<Readonly<Record<string, unknown>> | null> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => resolve(null), INIT_TIMEOUT_MS);
  socket.once('message', data => resolve(data));
  socket.once('close', () => resolve(null));
  const text = String(await promise);
  clearTimeout(timer);
  try {
    return Init.parse(JSON.parse(text)).payload ?? null;
  } catch {
    // The failure of a caller without a key says what to send.
    return null;
  }
}

/**
 * Returns a picture as a binary message: the length of the header in bytes (4 bytes, big-endian), the header as JSON (`tab_id`, `width` and
 * `height` of the viewport in CSS pixels, `at`), then the JPEG.
 */
function frameMessage({ tabId, width, height, at, image }: SessionFrame): Buffer {
  const header = Buffer.from(JSON.stringify({ tab_id: tabId, width, height, at: formatTime(at) }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.byteLength);
  return Buffer.concat([length, header, Buffer.from(image, 'base64')]);
}

/** Sends a message; resolves when it is written, so that a slow client gets fewer pictures. */
async function send(socket: WebSocket, message: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(message, error => (error ? reject(error) : resolve()));
  await promise;
}
