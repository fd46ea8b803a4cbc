/** Converts the failures in responses to errors of the classes of their codes. */
import { FAILURE_ERRORS } from './generated/failureErrors.ts';
import type { FailureCode } from './generated/operations.ts';
import { type ErrorDetails, PagespaceError, UnexpectedResponseError } from './pagespaceError.ts';

interface GraphqlError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** True for a text of the form of a code, also one of a newer service. Commands print it. */
export const isFailureCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code);

/** Returns the error for a GraphQL error of the service, an instance of the class of its code. @param retryAfter the header Retry-After, in seconds */
export function fromGraphqlError(error: GraphqlError, retryAfter: number | null): PagespaceError {
  const { code, ...details } = error.extensions ?? {};
  return createError(code as FailureCode, String(error.message), {
    ...details,
    retryAfterSeconds: (details.retryAfterSeconds as number | undefined) ?? retryAfter,
  });
}

/** Returns the error for the problem details (RFC 9457) of a REST response; UNEXPECTED_RESPONSE if it is none. */
export function fromProblem(body: unknown, status: number, url: string): PagespaceError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  if (!isFailureCode(problem.code)) return new UnexpectedResponseError(url, status, status >= 500);
  return createError(problem.code, String(problem.detail ?? problem.title), {
    retryable: problem.retryable === true,
    status,
    requestId: (problem.request_id as string | undefined) ?? null,
    retryAfterSeconds: (problem.retry_after_seconds as number | undefined) ?? null,
  });
}

function createError(code: FailureCode, message: string, details: ErrorDetails): PagespaceError {
  // A newer service can have codes that this client does not know.
  const ErrorClass = Object.hasOwn(FAILURE_ERRORS, code) ? FAILURE_ERRORS[code] : PagespaceError;
  return new ErrorClass(code, message, details);
}
