/** The context of resolvers: the request and its data loaders. */
import type { Logger } from 'pino';
import type { CallerTurns } from '../../async/fairTurns.ts';
import type { Viewer } from '../../domain/account/account.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import type { RequestRateLimit } from '../auth/authenticate.ts';
import { type RequestRecord, recordSessionId } from '../http/requestRecord.ts';
import { createLoaders, type Loaders } from './loaders.ts';

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
  /** The turns of the account, so that its work does not delay other accounts. */
  readonly turns: CallerTurns;
}

/** The context of one GraphQL operation, over any transport. */
export interface RequestContext extends OperationRequest, Loaders {
  readonly service: Pagespace;
  readonly log: Log;
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
    turns: request.turns,
    service: recordSessionId(service, request.record),
    log,
    ...createLoaders(service, request),
  };
}
