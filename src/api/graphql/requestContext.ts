/** The context of resolvers: the request and its data loaders. */
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Viewer } from '../../domain/account.ts';
import type { EventCounts, EventRange, StoredObservation } from '../../domain/ports/sessionStore.ts';
import type { StoredEvent } from '../../domain/sessionEvent.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import type { RequestRateLimit } from '../auth/requestRateLimit.ts';
import type { RequestRecord } from '../http/requestRecord.ts';
import { recordSessionId } from './recordSessionId.ts';

/** The methods of the logger that the API uses. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** The HTTP request or WebSocket message that runs a GraphQL operation. */
export interface OperationRequest {
  readonly viewer: Viewer;
  /** Id of the request, also in `X-Request-Id`, in failures and in the log. */
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Counts requests against the account's limit. */
  readonly rateLimit: RequestRateLimit;
  /** Collects the fields of the request's log line. */
  readonly record: RequestRecord;
}

/** The context of one GraphQL operation, over any transport. */
export interface RequestContext extends OperationRequest {
  readonly service: Pagespace;
  readonly log: Log;
  /** Loads the last observation of a session by its id, in batches. */
  readonly observations: DataLoader<string, StoredObservation | null>;
  /** Loads the `seq` of the last event of a session, by the session's id. */
  readonly lastSeqs: DataLoader<string, number>;
  /** Loads the numbers of events of a session, one for each event type, by the session's id. */
  readonly eventCounts: DataLoader<string, EventCounts>;
  /** Loads the events of a session in a range of `seq`. */
  readonly eventRanges: DataLoader<EventRange, readonly StoredEvent[]>;
}

/** Creates the context of one GraphQL operation, with its own data loaders. */
export function createRequestContext(
  service: Pagespace,
  log: Log,
  request: OperationRequest,
): RequestContext {
  return {
    viewer: request.viewer,
    requestId: request.requestId,
    signal: request.signal,
    rateLimit: request.rateLimit,
    record: request.record,
    service: recordSessionId(service, request.record),
    log,
    observations: uncachedLoader(ids => service.lastObservations(ids)),
    lastSeqs: uncachedLoader(ids => service.lastSeqs(ids)),
    eventCounts: uncachedLoader(ids => service.eventCounts(ids)),
    eventRanges: uncachedLoader(ranges => service.eventsInRanges(ranges)),
  };
}

/**
 * Creates a loader that batches but does not cache. A subscription keeps one context for hours, and each of its events
 * must read current values.
 */
function uncachedLoader<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  const loader: DataLoader<Key, Value> = new DataLoader(keys => {
    loader.clearAll();
    return load(keys);
  });
  return loader;
}
