/** Failures over REST, as problem details (RFC 9457). */
import { z } from 'zod';
import { FAILURES, type FailureCode, isFailure } from '../../domain/failure/failures.ts';
import { ALL_FIELDS, fieldsIn, type WantedFields } from '../../operations/results/layout.ts';
import { sessionShape } from '../../operations/results/session.ts';
import type { Now } from '../../operations/results/shape.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { failureHeaders, type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import { internalFailure } from '../http/validationFailure.ts';
import { spaceBody } from './operationRoutes.ts';
import { type BodySelection, restLayout, SessionBody, SpaceBody, WHOLE_BODY } from './selection.ts';

export const ProblemBody = z
  .object({
    type: z.string().meta({ description: 'The address of the code in /failures.' }),
    title: z.string().meta({ description: 'The same for every failure with this code.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'The error in this case, and what you can do.' }),
    code: z
      .enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]])
      .meta({ description: 'The failure code. Programs should use this field.' }),
    request_id: z.string().meta({ description: 'Quote it when you report an error.' }),
    retryable: z.boolean().meta({ description: 'True when the same request, unchanged, can succeed later.' }),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'For VALIDATION_ERROR: each field that is not valid, and why.' }),
    session: SessionBody.optional().meta({ description: 'The session after the failure.' }),
    space: SpaceBody.optional().meta({ description: 'For ACTION_STALE: the new space.' }),
    retry_after_seconds: z
      .number()
      .optional()
      .meta({ description: 'Seconds to wait before the next try; the same as the header Retry-After.' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details.' });

/** Returns the fields of the space in a problem: those that the request asked for, and at least the list as text. */
function problemFields(wanted: WantedFields): WantedFields {
  const fields = fieldsIn(wanted, 'space');
  if (fields === ALL_FIELDS || fields?.has('actions')) return fields;
  return new Map([...(fields ?? []), ['markdown', ALL_FIELDS]]);
}

export interface ErrorDeps {
  readonly service: Now;
  readonly log: Parameters<typeof internalFailure>[1]['log'];
}

/** An error that is not a Failure is logged, and returned as INTERNAL. @param selection the parts that the request asked for */
export function errorResponse(
  error: unknown,
  { record }: Pick<HttpContext, 'record'>,
  { service: clock, log }: ErrorDeps,
  selection: BodySelection = WHOLE_BODY,
): HttpResponse {
  const failure = isFailure(error) ? error : internalFailure(error, { log, record });
  const { code, retryable, message: detail } = failure;
  const { status, title } = failure.definition;
  const { errors, session, space, retryAfterSeconds } = failure.context;
  record.failureCode = code;
  const body: Record<keyof z.infer<typeof ProblemBody>, unknown> = {
    type: `/failures#${code}`,
    title,
    status,
    detail,
    code,
    request_id: record.requestId,
    retryable,
    errors,
    session: session && restLayout.write(sessionShape, session, clock),
    space: space && spaceBody(space, null, { ...selection, fields: problemFields(selection.fields) }, clock),
    retry_after_seconds: retryAfterSeconds,
  };
  return jsonResponse(status, body, {
    ...failureHeaders({ status, retryAfterSeconds }),
    'content-type': 'application/problem+json; charset=utf-8',
  });
}
