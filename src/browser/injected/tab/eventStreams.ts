/** The event streams that the work of a step opens: their messages are awaited until the stream is closed or silent. */
import { replaced, replacedConstructor } from './replacedFunctions.ts';
import type { ReplyObserver } from './replyObserver.ts';
import type { FunctionReplacement } from './windowFunctions.ts';

/** Time after the opening of a stream in which each message is followed by the wait for another. Milliseconds. */
const MAX_STREAM_MS = 3_200;

/** Returns the functions that open and close event streams, and their replacements. */
export function eventStreams(observer: ReplyObserver): readonly (FunctionReplacement | null)[] {
  /** Ends the wait for the next message of a stream. */
  const waits = new WeakMap<object, () => void>();
  const awaitNext = (stream: EventTarget): void => {
    // Each message is a question of its own: a stream that has answered may stay silent.
    const answered = observer.asked({});
    if (answered !== null) waits.set(stream, answered);
  };
  const opened = replacedConstructor('EventSource', stream => {
    const end = performance.now() + MAX_STREAM_MS;
    const listener = (): void => {
      waits.get(stream)?.();
      waits.delete(stream);
      if (performance.now() < end) awaitNext(stream);
    };
    awaitNext(stream);
    if (waits.has(stream))
      for (const event of ['open', 'message', 'error']) stream.addEventListener(event, listener);
  });
  const closed = replaced(EventSource.prototype, 'close', stream => {
    if (stream instanceof EventSource) waits.get(stream)?.();
  });
  return [opened, closed];
}
