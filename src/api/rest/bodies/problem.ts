/** Failures over REST: RFC 9457 problem details. */
import { z } from 'zod';
import { FAILURES, type FailureCode } from '../../../domain/failures.ts';
import type { FailureExtensions } from '../../http/failureExtensions.ts';
import { failureHeaders, type HttpResponse, jsonResponse } from '../../http/httpResponse.ts';
import { SessionBody, sessionBody } from './sessionBody.ts';
import { SpaceBody, spaceBody } from './spaceBody.ts';

/** The body of every answer that is not a success. */
export const ProblemBody = z
  .object({
    type: z.string().meta({ description: "The code's place in the manual." }),
    title: z.string().meta({ description: 'The same for every occurrence of the code.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'This occurrence: what happened and what to do.' }),
    code: z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]),
    request_id: z.string().meta({ description: 'Quote it when you report a fault.' }),
    retryable: z
      .boolean()
      .meta({ description: 'Whether the same call can succeed later without being changed.' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    session: SessionBody.optional().meta({ description: 'The session, as it stands after the failure.' }),
    space: SpaceBody.optional().meta({ description: 'The fresh space, for ACTION_STALE.' }),
    retry_after_seconds: z.number().optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details.' });

/** A field's path as a REST caller wrote it: `input.sessionTimeoutMinutes` → `session_timeout_minutes`. */
export const toRestPath = (path: string): string =>
  path.replace(/^(?:input|args)\.?/, '').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Renames the fields that a GraphQL failure names, in its errors and its detail, to their REST names. */
export function toRestNames(
  detail: string,
  extensions: FailureExtensions,
): { detail: string; extensions: FailureExtensions } {
  const errors = extensions.errors?.map(({ path, message }) => ({ path: toRestPath(path), message }));
  const paths = extensions.errors?.map(({ path }) => path).filter(path => path !== '') ?? [];
  return {
    detail: paths.reduce((text, path) => text.replaceAll(path, toRestPath(path)), detail),
    extensions: { ...extensions, ...(errors && { errors }) },
  };
}

/** A failure as a REST answer. */
export function problemResponse(
  detail: string,
  facts: FailureExtensions,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const body: z.infer<typeof ProblemBody> = {
    type: `/failures#${facts.code}`,
    title: facts.title,
    status: facts.status,
    detail,
    code: facts.code,
    request_id: facts.requestId,
    retryable: facts.retryable,
    ...(facts.errors && { errors: [...facts.errors] }),
    ...(facts.session && { session: sessionBody(facts.session) }),
    ...(facts.space && { space: spaceBody(facts.space) }),
    ...(facts.retryAfterSeconds !== undefined && { retry_after_seconds: facts.retryAfterSeconds }),
  };
  return jsonResponse(facts.status, body, {
    ...failureHeaders(facts),
    ...headers,
    'content-type': 'application/problem+json; charset=utf-8',
  });
}
