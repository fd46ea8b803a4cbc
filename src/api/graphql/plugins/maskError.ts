import { type ExecutionResult, GraphQLError, Kind } from 'graphql';
import { Failure, type FailureCode, type FieldError, isFailure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { toCamelCase } from '../../../operations/field.ts';
import { type Body, Layout } from '../../../operations/results/layout.ts';
import { sessionShape } from '../../../operations/results/session.ts';
import type { Now } from '../../../operations/results/shape.ts';
import { spaceShape } from '../../../operations/results/space.ts';
import type { RequestRecord } from '../../http/requestRecord.ts';
import { internalFailure } from '../../http/validationFailure.ts';
import { toEnumName } from '../operationTypes.ts';
import type { Log } from '../requestContext.ts';

export interface FailureExtensions {
  readonly code: FailureCode;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  /** The session after the failure, with the fields of its GraphQL type. */
  readonly session?: Body & { readonly id: string };
  /** The list of actions now, with the fields of its GraphQL type. */
  readonly space?: Body & { readonly markdown: string };
  readonly retryAfterSeconds?: number;
  readonly [more: string]: unknown;
}

const layout = new Layout({
  // A failure has no screenshot.
  namesOf: name => (name === 'screenshot' ? [] : [name]),
  enumValue: toEnumName,
  leavesOut: false,
});

/** Returns the `extensions` of a GraphQL error for a failure. @param clock for the session's duration */
function failureExtensions(failure: Failure, requestId: string, clock: Now): FailureExtensions {
  const { errors, session, space, retryAfterSeconds } = failure.context;
  return {
    code: failure.code,
    status: failure.definition.status,
    title: failure.definition.title,
    retryable: failure.retryable,
    requestId,
    ...(errors !== undefined && { errors }),
    ...(session !== undefined && {
      session: { ...layout.write(sessionShape, session, clock), id: session.id },
    }),
    ...(space !== undefined && {
      space: layout.write(spaceShape, space, clock) as Body & { readonly markdown: string },
    }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Returns the result of `work`. If it throws a Failure, throws a GraphQLError that makes Yoga send the failure's HTTP status. */
export function withHttpStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { status } = error.definition;
    throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
  }
}

export interface ErrorContext {
  readonly record: RequestRecord;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Returns the error with the `extensions` of its code; GraphQL's own become VALIDATION_ERROR, bugs are logged here, once, and masked as INTERNAL. */
export function maskError(error: unknown, context: ErrorContext): GraphQLError {
  const outer = error instanceof GraphQLError ? error : null;
  const inner = rootCause(error);
  const failure = isFailure(inner)
    ? withInputPaths(inner, outer)
    : inner instanceof GraphQLError
      ? requestError(outer ?? inner)
      : internalFailure(inner, context, outer?.path?.join('.'));
  const http = outer?.extensions.http;
  context.record.failureCode = failure.code;
  return new GraphQLError(failure.message, {
    nodes: outer?.nodes?.slice(0, MAX_LOCATIONS) ?? null,
    source: outer?.source ?? null,
    positions: outer?.positions?.slice(0, MAX_LOCATIONS) ?? null,
    path: outer?.path ?? null,
    extensions: {
      ...failureExtensions(failure, context.record.requestId, context),
      ...(http !== undefined && { http }),
    },
  });
}

/** Maximum number of errors of an operation that was refused, and of places in the document that each of them names. */
const MAX_REQUEST_ERRORS = 50;
const MAX_LOCATIONS = 10;

/** Returns an execution result in which `maskError` has replaced each error; of an operation that was refused, at most fifty errors. */
export function maskResultErrors<Result extends ExecutionResult>(
  result: Result,
  context: ErrorContext,
): Result {
  if (result.errors === undefined) return result;
  const errors = 'data' in result ? result.errors : result.errors.slice(0, MAX_REQUEST_ERRORS);
  return { ...result, errors: errors.map(error => maskError(error, context)) };
}

function rootCause(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError != null) inner = inner.originalError;
  return inner;
}

/** GraphQL's error for a wrong variable, with the variable and the path in it: `Variable "$input" got invalid value 5 at "input.url"; …`. */
const COERCION_ERROR = /^Variable "\$(?<variable>[^"]+)" (?:got invalid value .*? at "(?<path>[^"]+)"; )?/s;
const ARGUMENT_ERROR = /(?:Argument|Field) "(?<name>[^"]+)"/;

const MAX_MESSAGE_CHARACTERS = 1_000;

/** graphql-js's message for an operation that would take too long to validate, and the one that the caller gets. */
const ABORTED = 'Validation aborted.';
const TOO_REPETITIVE =
  'The operation repeats a field too often, so that it cannot be checked whether its parts fit together. Select each field once.';

function requestError(error: GraphQLError): Failure {
  if (error.message === ABORTED) return new Failure('VALIDATION_ERROR', TOO_REPETITIVE);
  const found = COERCION_ERROR.exec(error.message);
  const path =
    found?.groups?.path ?? found?.groups?.variable ?? ARGUMENT_ERROR.exec(error.message)?.groups?.name ?? '';
  // GraphQL's message can contain the caller's value at any length, so it is cut.
  const message =
    error.message.length > MAX_MESSAGE_CHARACTERS
      ? `${cutText(error.message, MAX_MESSAGE_CHARACTERS)}…`
      : error.message;
  const errors: FieldError[] = [{ path, message }];
  return new Failure('VALIDATION_ERROR', message, { errors });
}

/** Returns the failure with the paths of the field's arguments: `diff_since` → `input.diffSince`. The service does not know them. */
function withInputPaths(failure: Failure, outer: GraphQLError | null): Failure {
  const { errors, ...context } = failure.context;
  if (errors === undefined) return failure;
  const named = errors.map(error => ({ ...error, path: toInputPath(error.path, outer) }));
  const message = errors.reduce(
    (text, { path }) => (path.includes('_') ? text.replaceAll(path, toCamelCase(path)) : text),
    failure.message,
  );
  return new Failure(failure.code, message, { ...context, errors: named });
}

/** Converts the path of a REST field to GraphQL: `diff_since` → `input.diffSince`, `extract.properties` → `input.content.extract.properties`. */
function toInputPath(path: string, outer: GraphQLError | null): string {
  const inputPath = toCamelCase(path).replace(/^extract(?=\.|$)/, 'content.extract');
  const isComplete = inputPath === '' || /^input(?:\.|$)/.test(inputPath);
  return isComplete || !hasInputArgument(outer) ? inputPath : `input.${inputPath}`;
}

/** Returns true if the field that failed has its fields in the argument `input`, as all operations do. */
const hasInputArgument = (error: GraphQLError | null): boolean =>
  error?.nodes?.some(
    node => node.kind === Kind.FIELD && node.arguments?.some(({ name }) => name.value === 'input'),
  ) ?? false;
