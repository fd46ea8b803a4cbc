/** Expects the answer of a frame of another origin whose window a step has got hold of: what it sends to that window, no function of the page tells. */
import type { ReplyObserver } from './replyObserver.ts';
import type { FunctionReplacement } from './windowFunctions.ts';

/** Stands for the window of one frame, which may not be touched. */
class ForeignFrame {}

/** Returns the replacement of the getter `contentWindow`; null if there is none. */
export function foreignFrames(observer: ReplyObserver): FunctionReplacement | null {
  const holder = HTMLIFrameElement.prototype;
  const original = Object.getOwnPropertyDescriptor(holder, 'contentWindow')?.get;
  const documentOf = Object.getOwnPropertyDescriptor(holder, 'contentDocument')?.get;
  const sourceOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source')?.get;
  if (original === undefined || documentOf === undefined || sourceOf === undefined) return null;
  const frames = new WeakMap<object, ForeignFrame>();
  const awaitMessage = (frame: object, sender: unknown): void => {
    const source = frames.get(frame) ?? new ForeignFrame();
    frames.set(frame, source);
    // The window is read again and again: one answer is expected.
    const answered = observer.asked(source, true);
    if (answered === null) return;
    const listener = (event: MessageEvent): void => {
      if (Reflect.apply(sourceOf, event, []) !== sender) return;
      if (answered(event)) window.removeEventListener('message', listener);
    };
    window.addEventListener('message', listener);
  };
  const replacement = new Proxy(original, {
    apply(target, frame, args: unknown[]) {
      const result: unknown = Reflect.apply(target, frame, args);
      if (result !== null && Reflect.apply(documentOf, frame, []) === null)
        awaitMessage(frame as object, result);
      return result;
    },
  });
  return {
    holder: holder as unknown as FunctionReplacement['holder'],
    name: 'contentWindow',
    original,
    replacement,
    isGetter: true,
  };
}
