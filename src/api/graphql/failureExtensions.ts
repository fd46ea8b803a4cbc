/** Makes the `extensions` of a GraphQL error from a failure. */
import type { Failure, FailureCode, FieldError } from '../../domain/failure/failures.ts';
import { type Body, Layout } from '../../operations/results/layout.ts';
import { sessionShape } from '../../operations/results/session.ts';
import type { Now } from '../../operations/results/shape.ts';
import { spaceShape } from '../../operations/results/space.ts';
import { toEnumName } from './inputType.ts';

/** The `extensions` of a GraphQL error. */
export interface FailureExtensions {
  readonly code: FailureCode;
  /** The HTTP status of the failure over REST. */
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
export function failureExtensions(failure: Failure, requestId: string, clock: Now): FailureExtensions {
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
