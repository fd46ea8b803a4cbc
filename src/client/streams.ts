/** Streams of a session and of an account across broken connections: events, pictures, changes of status. */

import {
  ClientConsoleDocument,
  type ClientConsoleSubscription,
  ClientEventsDocument,
  type ClientEventsSubscription,
  ClientFramesDocument,
  type ClientFramesSubscription,
  ClientNetworkDocument,
  type ClientNetworkSubscription,
  ClientStatusDocument,
  type SessionFieldsFragment,
  type SessionStatus,
} from './generated/operations.ts';
import { abortableDelay, isRetried, retryDelayMs } from './operationOptions.ts';
import type { Transport } from './transport.ts';

/** An event of a session. `__typename` tells the types apart: `SessionSteppedEvent` has `action` and `url`, and so on. */
export type SessionEvent = ClientEventsSubscription['sessionEvents'];
/** A live picture of the active tab: a JPEG in Base64, and the size of the viewport in CSS pixels. */
export type Frame = ClientFramesSubscription['sessionFrames'];

/** A message in the console of a page. */
export type ConsoleMessage = ClientConsoleSubscription['consoleMessages'];
/** A request of a page, without headers and bodies. */
export type NetworkRequest = ClientNetworkSubscription['networkRequests'];

/** Options of every stream. */
export interface StreamOptions {
  /** Ends the loop with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Time in which the client tries to reconnect before the loop fails, in milliseconds. Default 60,000. */
  readonly reconnectTimeoutMs?: number;
}

/** The event after which to begin. */
export interface EventsOptions extends StreamOptions {
  /** Yield only events after the one with this `seq`, messages or requests after the one with this `number`. Default: all. */
  readonly after?: number;
}

/** The size and quality of pictures. */
export interface FramesOptions extends StreamOptions {
  /** Maximum width in pixels, 64 to 4096. Default 640. */
  readonly maxWidth?: number;
  /** JPEG quality, 1 to 100. Default 60. */
  readonly quality?: number;
}

/** Selects changes of status. */
export interface StatusOptions extends StreamOptions {
  /** Only sessions with one of these statuses. Default: all. */
  readonly statuses?: SessionStatus[];
}

const RECONNECT_TIMEOUT_MS = 60_000;

/** Yields each event of a session once, in the order of `seq`: first the stored ones, then new ones. Ends after the last event of the session. */
export async function* sessionEvents(
  transport: Transport,
  sessionId: string,
  { after = 0, ...options }: EventsOptions,
): AsyncGenerator<SessionEvent, void, void> {
  let lastSeq = after;
  const connect = () =>
    transport.subscribe(ClientEventsDocument, { sessionId, after: lastSeq }, options.signal);
  for await (const { sessionEvents: event } of resume(connect, options)) {
    lastSeq = event.seq;
    yield event;
  }
}

/** Yields each console message of a session once: first the stored ones, then new ones. Ends with the session. */
export async function* consoleMessages(
  transport: Transport,
  sessionId: string,
  { after = 0, ...options }: EventsOptions,
): AsyncGenerator<ConsoleMessage, void, void> {
  let last = after;
  const connect = () =>
    transport.subscribe(ClientConsoleDocument, { sessionId, after: last }, options.signal);
  for await (const { consoleMessages: message } of resume(connect, options)) {
    last = message.number;
    yield message;
  }
}

/** Yields each request of a session once: first the stored ones, then new ones. Ends with the session. */
export async function* networkRequests(
  transport: Transport,
  sessionId: string,
  { after = 0, ...options }: EventsOptions,
): AsyncGenerator<NetworkRequest, void, void> {
  let last = after;
  const connect = () =>
    transport.subscribe(ClientNetworkDocument, { sessionId, after: last }, options.signal);
  for await (const { networkRequests: request } of resume(connect, options)) {
    last = request.number;
    yield request;
  }
}

/** Yields pictures of the active tab: one now, then one whenever the page looks different. Ends with the session. */
export async function* sessionFrames(
  transport: Transport,
  sessionId: string,
  { maxWidth, quality, ...options }: FramesOptions,
): AsyncGenerator<Frame, void, void> {
  const variables = { sessionId, maxWidth: maxWidth ?? null, quality: quality ?? null };
  const connect = () => transport.subscribe(ClientFramesDocument, variables, options.signal);
  for await (const { sessionFrames: frame } of resume(connect, options)) yield frame;
}

/**
 * With a session: yields it as it is, then after each change of its status, and ends with it. Without: yields every session of
 * the account whose status changes from now on. Changes while the connection is broken are not told again.
 */
export async function* statusChanges(
  transport: Transport,
  sessionId: string | null,
  { statuses, ...options }: StatusOptions,
): AsyncGenerator<SessionFieldsFragment, void, void> {
  const variables = { sessionId, statuses: statuses ?? null };
  const connect = () => transport.subscribe(ClientStatusDocument, variables, options.signal);
  for await (const { sessionStatusChanged } of resume(connect, options)) yield sessionStatusChanged;
}

/** Yields the results of a subscription, and subscribes again when its connection breaks. */
async function* resume<Data>(
  connect: () => AsyncGenerator<Data, void, void>,
  { signal, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS }: StreamOptions,
): AsyncGenerator<Data, void, void> {
  for (let attempt = 0, connectedAt = Date.now(); ; attempt++) {
    try {
      for await (const data of connect()) {
        attempt = 0;
        yield data;
        connectedAt = Date.now();
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetried(error) || Date.now() - connectedAt >= reconnectTimeoutMs) throw error;
      await abortableDelay(retryDelayMs(error, attempt), signal);
      signal?.throwIfAborted();
    }
  }
}
