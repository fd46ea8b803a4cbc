/** What a resolver knows of the request it serves. */
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Viewer } from '../../domain/account.ts';
import type { EventCounts, EventRange, StoredObservation } from '../../domain/ports/sessionStore.ts';
import type { StoredEvent } from '../../domain/sessionEvent.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import type { RequestRateLimit } from '../auth/requestRateLimit.ts';
import type { RequestRecord } from '../http/requestRecord.ts';
import { recordSessionId } from './recordSessionId.ts';

/** Where faults are told, each once. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** Who asks, under which id, and how to tell that they have gone. */
export interface OperationRequest {
  readonly viewer: Viewer;
  /** Echoed in `X-Request-Id`, in failures and in the log. */
  readonly requestId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** Counts the request against its account's limit. */
  readonly rateLimit: RequestRateLimit;
  /** Collects the fields of the request's log line. */
  readonly record: RequestRecord;
}

/** The context of one GraphQL operation, whichever door it came through. */
export interface RequestContext extends OperationRequest {
  readonly service: Pagespace;
  readonly log: Log;
  /** Last observations by session id, loaded in batches. */
  readonly observations: DataLoader<string, StoredObservation | null>;
  /** How many events of each type there are, by session id. */
  readonly eventCounts: DataLoader<string, EventCounts>;
  readonly eventRanges: DataLoader<EventRange, readonly StoredEvent[]>;
}

/** Makes the context of one operation; its loaders are its own. */
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
    eventCounts: uncachedLoader(ids => service.eventCounts(ids)),
    eventRanges: uncachedLoader(ranges => service.eventsInRanges(ranges)),
  };
}

/**
 * A loader that batches but does not remember: a subscription keeps one context for hours,
 * and each of its events must see what is true then.
 */
function uncachedLoader<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  const loader: DataLoader<Key, Value> = new DataLoader(keys => {
    loader.clearAll();
    return load(keys);
  });
  return loader;
}
