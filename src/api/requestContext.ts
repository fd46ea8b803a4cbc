/** What a resolver knows of the request it serves. */
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Viewer } from '../domain/account.ts';
import type { StoredEvent } from '../domain/events.ts';
import type { EventCounts, EventRange, KeptObservation } from '../domain/ports.ts';
import type { Pagespace } from '../service/verbs.ts';
import type { Ration } from './ration.ts';

/** Where faults are told, each once. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** Who asks, under which id, and how to tell that they have gone. */
export interface Request {
  readonly viewer: Viewer;
  /** Echoed in `X-Request-Id`, in failures and in the log. */
  readonly requestId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** What the request takes of its account's allowance. */
  readonly ration: Ration;
}

/** The context of one GraphQL operation, whichever door it came through. */
export interface RequestContext extends Request {
  readonly service: Pagespace;
  readonly log: Log;
  /** Last observations by session id, loaded in batches. */
  readonly observations: DataLoader<string, KeptObservation | null>;
  /** How many events of each type there are, by session id. */
  readonly eventCounts: DataLoader<string, EventCounts>;
  readonly eventRanges: DataLoader<EventRange, readonly StoredEvent[]>;
}

/** Makes the context of one operation; its loaders are its own. */
export function requestContext(service: Pagespace, log: Log, request: Request): RequestContext {
  return {
    viewer: request.viewer,
    requestId: request.requestId,
    signal: request.signal,
    ration: request.ration,
    service,
    log,
    observations: freshLoader(ids => service.lastObservations(ids)),
    eventCounts: freshLoader(ids => service.eventCounts(ids)),
    eventRanges: freshLoader(ranges => service.eventRanges(ranges)),
  };
}

/**
 * A loader that batches but does not remember: a subscription keeps one context for hours,
 * and each of its events must see what is true then.
 */
function freshLoader<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  const loader: DataLoader<Key, Value> = new DataLoader(keys => {
    loader.clearAll();
    return load(keys);
  });
  return loader;
}
