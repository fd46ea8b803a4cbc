/** A stream lives no longer than the key that opened it. */
import type { HttpResponse } from '../../http/httpResponse.ts';

/**
 * The answer, its stream cut where the key behind it ends: the caller comes back, and is told why then.
 * @param whenKeyEnds asks to be told; returns what takes it back
 */
export function endOnKeyExpiry(
  answer: HttpResponse,
  whenKeyEnds: (tell: () => void) => () => void,
): HttpResponse {
  const { body } = answer;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return answer;
  // Yoga's streams are no instances of the ReadableStream that is global here.
  return { ...answer, body: cutOnKeyExpiry(body, whenKeyEnds) };
}

function cutOnKeyExpiry(
  stream: ReadableStream<Uint8Array>,
  whenKeyEnds: (tell: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let over = false;
  let release = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        release = whenKeyEnds(() => {
          if (over) return;
          over = true;
          // Closed here and now: a read of Yoga's stream that waits for the next event may not hear of the cancelling.
          controller.close();
          reader.cancel().catch(() => undefined);
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (over) return;
        if (!done) return controller.enqueue(value);
        over = true;
        release();
        controller.close();
      },
      async cancel(reason) {
        over = true;
        release();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of the caller.
    { highWaterMark: 0 },
  );
}
