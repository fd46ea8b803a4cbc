/** Hides unexpected errors from callers. */
import { Failure } from '../../domain/failure/failures.ts';
import type { RequestRecord } from './requestRecord.ts';

interface ErrorLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Logs an error that is not a Failure, which is a bug, and returns INTERNAL for its caller. @param field the GraphQL field that failed */
export function internalFailure(
  error: unknown,
  { log, record: { requestId } }: { readonly log: ErrorLog; readonly record: RequestRecord },
  field?: string,
): Failure {
  const fields = { err: error, requestId, field };
  // Yoga aborts an operation when its caller disconnects. This is not a failure.
  if (error instanceof Error && error.name === 'AbortError') log.debug(fields, 'the caller disconnected');
  else log.error(fields, 'an operation failed with an unexpected error');
  return new Failure('INTERNAL', `The service failed. Quote the request id ${requestId} when you report it.`);
}
