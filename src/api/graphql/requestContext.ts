import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { CallerTurns } from '../../async/fairTurns.ts';
import type { ApiKey, Viewer } from '../../domain/account/account.ts';
import type {
  AccountBalance,
  Period,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../../domain/account/ledger.ts';
import type { RequestRateLimit } from '../../domain/account/rateLimit.ts';
import type {
  EventCounts,
  EventRange,
  SessionFilter,
  StoredObservation,
} from '../../domain/ports/sessionStore.ts';
import type { SessionStatus } from '../../domain/session/session.ts';
import type { StoredEvent } from '../../domain/session/sessionEvent.ts';
import type { LedgerPage, LedgerQuery, Pagespace } from '../../service/pagespace.ts';
import { type RequestRecord, recordSessionId } from '../http/requestRecord.ts';

interface UsageGroupsQuery {
  readonly period: Period;
  readonly by: UsageGroup;
}

interface CountQuery {
  readonly statuses: readonly SessionStatus[] | null;
  readonly search: string | null;
  readonly filter: SessionFilter;
}

/** The key of what an account has only once. */
export const OWN = 'own';

/** The data loaders of one operation. Those without an id read from the account of the caller. */
interface Loaders {
  readonly observations: DataLoader<string, StoredObservation | null>;
  readonly lastSeqs: DataLoader<string, number>;
  readonly eventCounts: DataLoader<string, EventCounts>;
  readonly eventRanges: DataLoader<EventRange, readonly StoredEvent[]>;
  readonly sessionUsage: DataLoader<string, UsageTotals>;
  readonly balances: DataLoader<typeof OWN, AccountBalance>;
  readonly keys: DataLoader<typeof OWN, readonly ApiKey[]>;
  readonly usage: DataLoader<Period, UsageTotals>;
  readonly usageGroups: DataLoader<UsageGroupsQuery, readonly UsageGroupTotals[]>;
  readonly ledgerPages: DataLoader<LedgerQuery, LedgerPage>;
  readonly sessionCounts: DataLoader<CountQuery, number>;
}

/** Maximum number of observations that one read returns: each can list thousands of actions. */
const OBSERVATIONS_PER_READ = 10;
const EVENTS_PER_READ = 1_000;

function createLoaders(
  service: Pagespace,
  { viewer, turns }: { readonly viewer: Viewer; readonly turns: CallerTurns },
): Loaders {
  const each = <Query, Value>(load: (query: Query) => Promise<Value>) =>
    uncachedLoader<Query, Value>(async queries => {
      const values: Value[] = [];
      for (const query of queries) {
        if (values.length > 0) await turns.next();
        values.push(await load(query));
      }
      return values;
    });
  const inParts =
    <Key, Value>(
      load: (keys: readonly Key[]) => Promise<readonly Value[]>,
      sizeOf: (key: Key) => number,
      maxSize: number,
    ) =>
    async (keys: readonly Key[]): Promise<readonly Value[]> => {
      const values: Value[] = [];
      for (const part of parts(keys, sizeOf, maxSize)) {
        if (values.length > 0) await turns.next();
        values.push(...(await load(part)));
      }
      return values;
    };
  return {
    observations: uncachedLoader(
      inParts(
        ids => service.lastObservations(ids),
        () => 1,
        OBSERVATIONS_PER_READ,
      ),
    ),
    lastSeqs: uncachedLoader(ids => service.lastSeqs(ids)),
    eventCounts: uncachedLoader(ids => service.eventCounts(ids)),
    eventRanges: uncachedLoader(
      inParts(
        ranges => service.eventsInRanges(ranges),
        ({ after, upTo }) => upTo - after,
        EVENTS_PER_READ,
      ),
    ),
    sessionUsage: uncachedLoader(ids => service.sessionUsage(ids)),
    balances: each(() => service.accountBalance(viewer)),
    keys: each(() => service.listKeys(viewer)),
    usage: each(period => service.usage(viewer, period)),
    usageGroups: each(({ period, by }) => service.usageByGroup(viewer, period, by)),
    ledgerPages: each(query => service.ledgerPage(viewer, query)),
    sessionCounts: each(({ statuses, search, filter }) =>
      service.countSessions(viewer, statuses, search, filter),
    ),
  };
}

/** Divides keys into parts of at most `maxSize` in total, or of one key that is larger. */
function parts<Key>(keys: readonly Key[], sizeOf: (key: Key) => number, maxSize: number): Key[][] {
  const found: Key[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    if (size + sizeOf(key) > maxSize) {
      found.push([]);
      size = 0;
    }
    found.at(-1)?.push(key);
    size += sizeOf(key);
  }
  return found;
}

/** A loader that does not cache: a subscription keeps one context for hours, and each of its events must read current values. */
function uncachedLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): DataLoader<Key, Value> {
  const loader: DataLoader<Key, Value, string> = new DataLoader<Key, Value, string>(
    keys => {
      loader.clearAll();
      return load(keys);
    },
    { cacheKeyFn: key => (typeof key === 'string' ? key : JSON.stringify(key)) },
  );
  return loader as DataLoader<Key, Value>;
}

export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

export interface OperationRequest {
  readonly viewer: Viewer;
  /** Id of the request, also in `X-Request-Id`, in failures and in the log. */
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly rateLimit: RequestRateLimit;
  readonly record: RequestRecord;
  readonly turns: CallerTurns;
}

export interface RequestContext extends OperationRequest, Loaders {
  readonly service: Pagespace;
  readonly log: Log;
}

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
    turns: request.turns,
    service: recordSessionId(service, request.record),
    log,
    ...createLoaders(service, request),
  };
}
