/** Ends a stream when the API key that opened it is revoked or expires. */
import type { HttpResponse } from '../../http/httpResponse.ts';

/**
 * Returns the response; if its body is a stream, with a stream that closes when the API key is revoked or expires. The caller
 * gets the reason when it reconnects.
 * @param onKeyEnd registers `end` to be called when the key ends; returns a function that removes it
 */
export function endOnKeyExpiry(
  response: HttpResponse,
  onKeyEnd: (end: () => void) => () => void,
): HttpResponse {
  const { body } = response;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response;
  // Not `instanceof ReadableStream`: Yoga's streams are instances of another class.
  return { ...response, body: cutOnKeyExpiry(body, onKeyEnd) };
}

function cutOnKeyExpiry(
  stream: ReadableStream<Uint8Array>,
  onKeyEnd: (end: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isClosed = false;
  let release = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        release = onKeyEnd(() => {
          if (isClosed) return;
          isClosed = true;
          // Close it here: a pending read of Yoga's stream may not end when the stream is cancelled.
          controller.close();
          reader.cancel().catch(() => undefined);
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (isClosed) return;
        if (!done) return controller.enqueue(value);
        isClosed = true;
        release();
        controller.close();
      },
      async cancel(reason) {
        isClosed = true;
        release();
        await reader.cancel(reason);
      },
    },
    // Read nothing before the caller requests it.
    { highWaterMark: 0 },
  );
}
