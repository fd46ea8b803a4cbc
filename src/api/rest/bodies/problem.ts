/** Failures over REST, as problem details (RFC 9457). */
import { z } from 'zod';
import { FAILURES, type FailureCode } from '../../../domain/failure/failures.ts';
import type { FailureExtensions } from '../../http/failureExtensions.ts';
import { failureHeaders, type HttpResponse, jsonResponse } from '../../http/httpResponse.ts';
import { ALL_FIELDS, type BodySelection, fieldsIn, type WantedFields, WHOLE_BODY } from './bodySelection.ts';
import { SessionBody, sessionBody } from './sessionBody.ts';
import { SpaceBody, spaceBody } from './spaceBody.ts';

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

/** Converts the path of a GraphQL input field to the path of the REST field: `input.sessionTimeoutMinutes` → `session_timeout_minutes`, `content.extract` → `extract`. */
const toRestPath = (path: string): string =>
  path
    .replace(/^(?:input|args)\.?/, '')
    .replace(/^content\./, '')
    .replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Replaces the GraphQL field names in the `errors` and the detail of a failure by the REST names. */
export function toRestNames(
  detail: string,
  extensions: FailureExtensions,
): { detail: string; extensions: FailureExtensions } {
  const errors = extensions.errors?.map(({ path, message }) => ({ path: toRestPath(path), message }));
  const paths = extensions.errors?.map(({ path }) => path).filter(path => path !== '') ?? [];
  return {
    detail: paths
      .flatMap(path => [path, path.replace(/^input\./, '')])
      .reduce((text, path) => text.replaceAll(path, toRestPath(path)), detail),
    extensions: { ...extensions, ...(errors && { errors }) },
  };
}

/** Returns the fields of the space in a problem: those that the request asked for, and at least the list as text. */
function problemFields(wanted: WantedFields): WantedFields {
  const fields = fieldsIn(wanted, 'space');
  if (fields === ALL_FIELDS || fields?.has('actions')) return fields;
  return new Map([...(fields ?? []), ['markdown', ALL_FIELDS]]);
}

/**
 * Returns the response for a failure.
 * @param selection the parts of the response that the request asked for; the problem's space has the same parts
 */
export function problemResponse(
  detail: string,
  extensions: FailureExtensions,
  selection: BodySelection = WHOLE_BODY,
): HttpResponse {
  const { code, status, title, requestId, retryable, errors, session, space, retryAfterSeconds } = extensions;
  const body: z.infer<typeof ProblemBody> = {
    type: `/failures#${code}`,
    title,
    status,
    detail,
    code,
    request_id: requestId,
    retryable,
    ...(errors && { errors: [...errors] }),
    ...(session && { session: sessionBody(session) }),
    ...(space && {
      space: spaceBody(space, null, { ...selection, fields: problemFields(selection.fields) }),
    }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
  return jsonResponse(status, body, {
    ...failureHeaders(extensions),
    'content-type': 'application/problem+json; charset=utf-8',
  });
}
