/** Writes a response to the connection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterMs, race } from '../../async/race.ts';
import type { HttpResponse } from './httpResponse.ts';

/** Headers of every response: browsers must not guess its type, show it in a frame, or send its URL to other sites. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Maximum time in which nothing is sent on the connection of a response, in milliseconds; then the connection is closed.
 * Event streams send keep-alive comments more often.
 */
const RESPONSE_IDLE_TIMEOUT_MS = 60_000;
/** Maximum time for which the service receives and discards a body that no handler reads, in milliseconds. */
export const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Sends a response. Resolves when all of it is written or the caller has disconnected.
 * @param headers headers of every response; `result.headers` replace them
 * @param streamsEnd aborts when event streams must end because the service shuts down
 * @param idleTimeoutMs maximum time in which the caller reads nothing; then the connection is closed
 */
export async function sendResponse(
  result: HttpResponse,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
  streamsEnd: AbortSignal,
  idleTimeoutMs = RESPONSE_IDLE_TIMEOUT_MS,
): Promise<void> {
  if (response.destroyed) return;
  response.setTimeout(idleTimeoutMs);
  const bodyIsUnread = !request.complete && hasBody(request);
  const close = bodyIsUnread || streamsEnd.aborted;
  const all: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...headers,
    ...result.headers,
    ...(close && { connection: 'close' }),
  };
  // nginx would keep the events of a stream until its buffer is full.
  if (all['content-type']?.startsWith('text/event-stream')) all['x-accel-buffering'] = 'no';
  // A cache must not give the answer for one origin to another.
  if (all['access-control-allow-origin'] !== undefined)
    all.vary = [all.vary, 'origin'].filter(Boolean).join(', ');
  const body = encodeIfLong(result.body ?? '');
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    response.writeHead(result.status, all);
    await pipeStream(body, response, streamsEnd);
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(result.status, { ...all, 'content-length': length });
  if (!bodyIsUnread) {
    response.end(body);
    return;
  }
  // Closing the connection while the caller sends would reset it, and the caller would lose the response.
  response.flushHeaders();
  response.write(body);
  await drainRequest(request);
  response.end();
}

/** A longer text is encoded before it is sent. Characters. */
const LONG_BODY_LENGTH = 32_000;

/** Encodes a long text, which has to be encoded for its length anyway. A short one goes to the connection in one piece with the headers. */
const encodeIfLong = <Body>(body: Body): Body | Uint8Array =>
  typeof body === 'string' && body.length > LONG_BODY_LENGTH ? Buffer.from(body) : body;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Receives and discards the rest of the request body, for at most five seconds; then closes the connection. */
async function drainRequest(request: IncomingMessage): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  request.once('close', resolve).once('end', resolve).resume();
  await race(ended, afterMs(DRAIN_TIMEOUT_MS));
  if (!request.complete) request.destroy();
}

async function pipeStream(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  streamsEnd: AbortSignal,
): Promise<void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  response.once('close', stop);
  streamsEnd.addEventListener('abort', stop, { once: true });
  if (streamsEnd.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await waitForDrain(response);
    }
  } finally {
    streamsEnd.removeEventListener('abort', stop);
    // The headers did not contain `Connection: close`, so shutdown must close the connection itself.
    response.end(() => streamsEnd.aborted && response.socket?.destroySoon());
  }
}

/** Resolves when the caller has read everything that was written, or has disconnected. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}
