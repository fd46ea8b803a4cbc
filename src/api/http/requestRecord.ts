import type { Logger } from 'pino';
import type { Viewer } from '../../domain/account/account.ts';
import { type Failure, isFailure } from '../../domain/failure/failures.ts';
import { isSessionId, type Session } from '../../domain/session/session.ts';
import type { Pagespace } from '../../service/pagespace.ts';

/** Maximum length of a path in a log line, in UTF-16 units. */
export const MAX_LOGGED_PATH_CHARACTERS = 200;

/** Collects the fields of the log line of one HTTP request or WebSocket operation, while it runs. */
export class RequestRecord {
  readonly requestId: string;
  /** Path of the matching route, with its placeholders, such as `/session/{session_id}`; null when no route matches. */
  route: string | null = null;
  /** The operation: `POST /env/step` over REST, `mutation step` over GraphQL; null when none was recognized. */
  operation: string | null = null;
  /** Id of the caller's account; null when the caller was not authenticated. */
  accountId: string | null = null;
  #sessionId: string | null = null;
  /** The code of the failure that was returned; null on success. */
  failureCode: string | null = null;
  /** The failure that was sent in place of the handler's response, because the body is not valid HTTP; null for none. */
  refusal: Failure | null = null;
  /** Id of the request's trace, 32 hexadecimal digits; null when it is not traced. */
  traceId: string | null = null;
  readonly #startedAt = performance.now();

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  /** Id of the session that the request named or started; null when there is none. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Set it to the text that the caller sent, or to null. A text that is no session id is not recorded: it could be a key. */
  set sessionId(id: string | null) {
    if (id !== this.#sessionId) this.#sessionId = isSessionId(id) ? id : null;
  }

  /** Milliseconds since the request arrived. */
  get durationMs(): number {
    return performance.now() - this.#startedAt;
  }
}

/** Writes the log line of a request or operation that has ended with `outcome`: `ok`, `aborted`, or a failure code. */
export function logRequest(
  log: Pick<Logger, 'info' | 'debug'>,
  record: RequestRecord,
  outcome: string,
  transport: Readonly<Record<string, unknown>>,
  level: 'info' | 'debug' = 'info',
): void {
  const { requestId, operation, accountId, sessionId, traceId } = record;
  const durationMs = Math.round(record.durationMs);
  const fields = { ...transport, operation, accountId, sessionId, outcome, durationMs };
  log[level]({ requestId, ...(traceId !== null && { traceId }), ...fields }, 'request');
}

type Operation<Command, Result> = (viewer: Viewer, command: Command) => Promise<Result>;

/** Returns the service with operations and streams that write the id of their session to `record.sessionId`, for the log. */
export function recordSessionId(service: Pagespace, record: RequestRecord): Pagespace {
  const recorded =
    <Command extends object, Result extends { readonly session: Session }>(
      operation: Operation<Command, Result>,
    ): Operation<Command, Result> =>
    async (viewer, command) => {
      if ('sessionId' in command) record.sessionId = command.sessionId as string | null;
      try {
        const result = await operation(viewer, command);
        record.sessionId = result.session.id;
        return result;
      } catch (error) {
        if (isFailure(error)) record.sessionId = error.context.session?.id ?? record.sessionId;
        throw error;
      }
    };
  const own: Partial<Pagespace> = {
    start: recorded(service.start),
    observe: recorded(service.observe),
    step: recorded(service.step),
    scrape: recorded(service.scrape),
    close: recorded(service.close),
    events(viewer, sessionId, after, limit) {
      record.sessionId = sessionId;
      return service.events(viewer, sessionId, after, limit);
    },
    frames(viewer, sessionId, options, signal) {
      record.sessionId = sessionId;
      return service.frames(viewer, sessionId, options, signal);
    },
    sessionUpdates(viewer, options) {
      record.sessionId = options?.sessionId ?? null;
      return service.sessionUpdates(viewer, options);
    },
  };
  // Not a copy of the service with its fifty operations: one is made for each request.
  return Object.assign(Object.create(service) as Pagespace, own);
}
