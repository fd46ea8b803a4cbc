/** Records which session an operation of a request uses. */
import type { Viewer } from '../domain/account/account.ts';
import { isFailure } from '../domain/failure/failures.ts';
import type { Session } from '../domain/session/session.ts';
import type { Pagespace } from '../service/pagespace.ts';
import type { RequestRecord } from './http/requestRecord.ts';

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
