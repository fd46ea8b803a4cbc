/** The data for the log line of one HTTP request or one WebSocket operation. */
import type { Logger } from 'pino';

/** Maximum length of a session id, which is a UUID. */
const SESSION_ID_CHARACTERS = 36;

/** Collects the fields of one log line while the request runs. */
export class RequestRecord {
  /** Also returned in `X-Request-Id` and in failures. */
  readonly requestId: string;
  /** Path of the matching route, with its placeholders; null when no route matches. */
  route: string | null = null;
  /** `POST /env/step` over REST, `mutation step` over GraphQL; null when no operation was recognized. */
  operation: string | null = null;
  /** Null when the caller was not authenticated. */
  accountId: string | null = null;
  /** The session that the request named or started; null when there is none. */
  sessionId: string | null = null;
  /** The code of the failure that was returned; null on success. */
  failureCode: string | null = null;
  readonly #startedAt = performance.now();

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  /** Milliseconds since the request arrived. */
  get durationMs(): number {
    return performance.now() - this.#startedAt;
  }
}

/**
 * Writes the log line of a request that has ended.
 * @param outcome `ok`, `aborted`, or a failure code
 * @param transport fields that only this transport has
 */
export function logRequest(
  log: Pick<Logger, 'info'>,
  record: RequestRecord,
  outcome: string,
  transport: Readonly<Record<string, unknown>>,
): void {
  const { requestId, operation, accountId } = record;
  const sessionId = record.sessionId?.slice(0, SESSION_ID_CHARACTERS) ?? null;
  const durationMs = Math.round(record.durationMs);
  log.info({ requestId, ...transport, operation, accountId, sessionId, outcome, durationMs }, 'request');
}
