/** What a caller is told of an error: a Failure's facts, or nothing but that we failed. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { Failure, type FieldError, isFailure } from '../../../domain/failures.ts';
import { failureExtensions } from '../../http/failureExtensions.ts';
import type { RequestRecord } from '../../http/requestRecord.ts';
import type { Log } from '../requestContext.ts';

/** What telling an error needs. */
export interface ErrorContext {
  /** Gets the code of the failure. */
  readonly record: RequestRecord;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * A Failure keeps its words and gets its row. GraphQL's own refusals (syntax, unknown fields, wrong types) become
 * VALIDATION_ERROR. Anything else is a fault of ours: logged here, once, and masked.
 */
export function maskError(error: unknown, context: ErrorContext): GraphQLError {
  const outer = error instanceof GraphQLError ? error : null;
  const inner = rootCause(error);
  const failure = isFailure(inner)
    ? withCamelCasePaths(inner)
    : inner instanceof GraphQLError
      ? requestError(outer ?? inner)
      : internalError(inner, outer, context);
  const http = outer?.extensions.http;
  context.record.failureCode = failure.code;
  return new GraphQLError(failure.message, {
    nodes: outer?.nodes ?? null,
    source: outer?.source ?? null,
    positions: outer?.positions ?? null,
    path: outer?.path ?? null,
    extensions: {
      ...failureExtensions(failure, context.record.requestId, context.now()),
      ...(http !== undefined && { http }),
    },
  });
}

/** The same result with its errors as the caller may see them. */
export function maskResultErrors<Result extends ExecutionResult>(
  result: Result,
  context: ErrorContext,
): Result {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map(error => maskError(error, context)) };
}

function rootCause(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError != null) inner = inner.originalError;
  return inner;
}

/** Errors of coercion name the variable and the way in it: `Variable "$input" got invalid value 5 at "input.url"; …`. */
const COERCION_ERROR = /^Variable "\$(?<variable>[^"]+)" (?:got invalid value .*? at "(?<path>[^"]+)"; )?/s;
const ARGUMENT_ERROR = /(?:Argument|Field) "(?<name>[^"]+)"/;

/** Characters of a refusal's words. */
const MAX_MESSAGE_CHARACTERS = 1_000;

function requestError(error: GraphQLError): Failure {
  const found = COERCION_ERROR.exec(error.message);
  const path =
    found?.groups?.path ?? found?.groups?.variable ?? ARGUMENT_ERROR.exec(error.message)?.groups?.name ?? '';
  // GraphQL repeats what was sent, however long it is.
  const message =
    error.message.length > MAX_MESSAGE_CHARACTERS
      ? `${error.message.slice(0, MAX_MESSAGE_CHARACTERS)}…`
      : error.message;
  const errors: FieldError[] = [{ path, message }];
  return new Failure('VALIDATION_ERROR', message, { errors });
}

/** Faults that the service found are told under the input's own names. */
function withCamelCasePaths(failure: Failure): Failure {
  const { errors, ...facts } = failure.context;
  if (errors === undefined) return failure;
  const named = errors.map(fault => ({ ...fault, path: camelCase(fault.path) }));
  return new Failure(failure.code, failure.message, { ...facts, errors: named });
}

const camelCase = (path: string): string =>
  path.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function internalError(
  inner: unknown,
  outer: GraphQLError | null,
  { log, record: { requestId } }: ErrorContext,
): Failure {
  const facts = { err: inner, requestId, field: outer?.path?.join('.') };
  // Yoga breaks an operation off when its caller has gone: nobody hears the answer, and nothing failed.
  if (inner instanceof Error && inner.name === 'AbortError') log.debug(facts, 'the caller went away');
  else log.error(facts, 'a fault of the service');
  return new Failure('INTERNAL', `The service failed. Quote the request id ${requestId} when you report it.`);
}
