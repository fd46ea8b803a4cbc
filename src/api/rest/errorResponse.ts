/** Converts errors to REST responses. */
import { isFailure } from '../../domain/failure/failures.ts';
import { maskError } from '../graphql/plugins/maskError.ts';
import type { RequestContext } from '../graphql/requestContext.ts';
import { type FailureExtensions, failureExtensions } from '../http/failureExtensions.ts';
import type { HttpContext } from '../http/httpContext.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { type BodySelection, WHOLE_BODY } from './bodies/bodySelection.ts';
import { problemResponse, toRestNames } from './bodies/problem.ts';

/** The service, for its clock, and the log. */
export type ErrorDeps = Pick<RequestContext, 'service' | 'log'>;

/**
 * Returns problem details (RFC 9457) for an error. An error that is not a Failure is logged, and returned as INTERNAL.
 * @param selection the parts of the response that the request asked for
 */
export function errorResponse(
  error: unknown,
  { record }: Pick<HttpContext, 'record'>,
  { service, log }: ErrorDeps,
  selection: BodySelection = WHOLE_BODY,
): HttpResponse {
  // Failures of the REST code itself already name fields as REST does; failures of resolvers are inside a GraphQLError.
  if (isFailure(error)) {
    record.failureCode = error.code;
    return problemResponse(
      error.message,
      failureExtensions(error, record.requestId, service.now()),
      selection,
    );
  }
  const masked = maskError(error, { record, log, now: () => service.now() });
  const { detail, extensions } = toRestNames(masked.message, masked.extensions as FailureExtensions);
  return problemResponse(detail, extensions, selection);
}
