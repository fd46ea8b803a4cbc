/** Refuses requests for which node:http has no response object. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../domain/failure/failures.ts';
import { requestIdOf } from './http/httpContext.ts';
import type { Exchange } from './http/openResponses.ts';
import { endWithResponse } from './http/rawResponse.ts';
import { logRequest, MAX_LOGGED_PATH_CHARACTERS, RequestRecord } from './http/requestRecord.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { errorResponse } from './rest/problem.ts';
import type { ServerOptions } from './serverOptions.ts';

/** Refuses requests: each function sends problem details (RFC 9457) for a failure and ends the connection. */
export interface ConnectionRefusals {
  /** Refuses a WebSocket, counts and logs the request. */
  upgrade(failure: Failure, socket: Duplex, request: IncomingMessage): void;
  /** Refuses what the HTTP parser could not read. @param partial the request whose body it is; null if it has no headers */
  unreadable(failure: Failure, socket: Duplex, partial: Exchange | null): void;
}

/** Creates the functions that refuse requests. @param countRequest counts a request for the metrics */
export function connectionRefusals(
  options: Pick<ServerOptions, 'service' | 'log' | 'version'>,
  countRequest: Metrics['countRequest'],
): ConnectionRefusals {
  const refuse = (failure: Failure, socket: Duplex, record: RequestRecord): void => {
    const result = errorResponse(failure, { record }, options);
    const headers = { 'x-pagespace-version': options.version, 'x-request-id': record.requestId };
    endWithResponse(socket, result, headers);
  };
  const refuseAndLog = (failure: Failure, socket: Duplex, request: IncomingMessage | null): void => {
    const record = new RequestRecord(requestIdOf(request ?? { headers: {} }));
    refuse(failure, socket, record);
    const { status } = failure.definition;
    countRequest(record, status);
    const path = request?.url?.split('?')[0]?.slice(0, MAX_LOGGED_PATH_CHARACTERS) ?? null;
    logRequest(options.log, record, failure.code, { method: request?.method ?? null, path, status });
  };
  return {
    upgrade: refuseAndLog,
    unreadable: (failure, socket, partial) => {
      if (partial !== null) {
        // The handler of the request counts and logs it.
        partial.record.refusal = failure;
        refuse(failure, socket, partial.record);
      } else if ((socket as Socket).bytesRead > 0) refuseAndLog(failure, socket, null);
      // Browsers open connections in advance: there is no request to count or to log.
      else refuse(failure, socket, new RequestRecord(crypto.randomUUID()));
    },
  };
}
