/** The functions with which a page asks for something that comes later as an event: messages to servers and workers, reading files. */
import type { Callback } from './windowFunctions.ts';

/** A function whose answer is an event of the object on which it is called. */
export interface ReplySource {
  readonly prototype: Record<string, Callback>;
  readonly name: string;
  /** The event that is the answer. */
  readonly event: string;
}

const source = (prototype: object, name: string, event: string): ReplySource => ({
  prototype: prototype as Record<string, Callback>,
  name,
  event,
});

/** A message to a port may stay in the window: schedulers continue their own work so. */
export const REPLY_SOURCES: readonly ReplySource[] = [
  source(WebSocket.prototype, 'send', 'message'),
  source(Worker.prototype, 'postMessage', 'message'),
  source(MessagePort.prototype, 'postMessage', 'message'),
  source(FileReader.prototype, 'readAsText', 'load'),
  source(FileReader.prototype, 'readAsDataURL', 'load'),
  source(FileReader.prototype, 'readAsArrayBuffer', 'load'),
];
