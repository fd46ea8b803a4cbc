/** Events of a session across broken connections. */
import { abortableDelay } from './callDeadline.ts';
import { ClientEventsDocument, type ClientEventsSubscription } from './generated/operations.ts';
import { isRetried, retryDelayMs } from './retryPolicy.ts';
import type { Transport } from './transport.ts';

/** An event of a session. `__typename` tells the types apart: `SessionSteppedEvent` has `action` and `url`, and so on. */
export type SessionEvent = ClientEventsSubscription['sessionEvents'];

/** The event after which to begin, and the signal to stop. */
export interface EventsOptions {
  /** Yield only events after the one with this `seq`. Default: all events of the session. */
  readonly after?: number;
  /** Ends the loop with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Time in which the client tries to reconnect before the loop fails, in milliseconds. Default 60,000. */
  readonly reconnectTimeoutMs?: number;
}

const RECONNECT_TIMEOUT_MS = 60_000;

/** Yields each event of a session once, in the order of `seq`: first the stored ones, then new ones. Ends after the last event of the session. */
export async function* resumeEvents(
  transport: Transport,
  sessionId: string,
  { after = 0, signal, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS }: EventsOptions,
): AsyncGenerator<SessionEvent, void, void> {
  let lastSeq = after;
  for (let attempt = 0, connectedAt = Date.now(); ; attempt++) {
    try {
      const variables = { sessionId, after: String(lastSeq) };
      for await (const { sessionEvents } of transport.subscribe(ClientEventsDocument, variables, signal)) {
        attempt = 0;
        connectedAt = Date.now();
        lastSeq = sessionEvents.seq;
        yield sessionEvents;
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
