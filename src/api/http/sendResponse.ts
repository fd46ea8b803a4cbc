/** Writes an answer to the wire. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from './httpResponse.ts';

/** On every answer: nothing here is to be sniffed, framed or referred to. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Streams that have nothing to tell say so more often than this. Milliseconds. */
const RESPONSE_IDLE_TIMEOUT_MS = 60_000;
/** A caller whose request was refused half-read may send this long before it is cut off. Milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Sends it, and resolves when it is sent or the caller has gone.
 * @param ending aborts when the service shuts down: streams end
 * @param pauseMs a caller that takes nothing of its answer for so long is cut off
 */
export async function sendResponse(
  answer: HttpResponse,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
  ending: AbortSignal,
  pauseMs = RESPONSE_IDLE_TIMEOUT_MS,
): Promise<void> {
  if (response.destroyed) return;
  response.setTimeout(pauseMs);
  const unread = !request.complete && hasBody(request);
  const close = unread || ending.aborted;
  const all = { ...SECURITY_HEADERS, ...headers, ...answer.headers, ...(close && { connection: 'close' }) };
  const body = answer.body ?? '';
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    response.writeHead(answer.status, all);
    await pipeStream(body, response, ending);
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(answer.status, { ...all, 'content-length': length });
  if (!unread) {
    response.end(body);
    return;
  }
  // The whole answer first: a caller that is still sending would lose it to a reset. Then what it sends is let go by.
  response.flushHeaders();
  response.write(body);
  await drainRequest(request);
  response.end();
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function drainRequest(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cut = setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS);
  request.once('close', resolve).once('end', resolve).resume();
  await promise;
  clearTimeout(cut);
}

async function pipeStream(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  ending: AbortSignal,
): Promise<void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  response.once('close', stop);
  ending.addEventListener('abort', stop, { once: true });
  if (ending.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await waitForDrain(response);
    }
  } finally {
    ending.removeEventListener('abort', stop);
    // Its headers went out before the end was known, so the connection cannot be told to close: it is closed.
    response.end(() => ending.aborted && response.socket?.destroySoon());
  }
}

/** Resolves when the caller has taken what was written, or has gone. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}
