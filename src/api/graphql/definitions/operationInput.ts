/** Input fields that several operations share, and their conversion to options of the service. */
import type { InputFieldBuilder } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import {
  DEFAULT_TIMEOUT_MINUTES,
  idempotencyKeyField,
  timeoutMinutesField,
  urlField,
  waitForField,
  waitMsField,
} from '../../../domain/inputFields.ts';
import {
  DEFAULT_WAIT_FOR_MS,
  DEFAULT_WAIT_MS,
  MAX_WAIT_MS,
  parseWaitCondition,
  WAIT_FOR_GRAMMAR,
} from '../../../domain/specialActions/waitCondition.ts';
import type { OperationOptions } from '../../../service/pagespace.ts';
import type { Nullish, SchemaTypes } from '../builder.ts';
import type { RequestContext } from '../requestContext.ts';
import { ActionListInput, toListingOptions } from './actionListInput.ts';
import { ContentInput, toScrapeRequest } from './contentInput.ts';
import { ScreenshotInput, toScreenshotOptions } from './screenshotInput.ts';
import { selects } from './selects.ts';
import { parseSessionId } from './session.ts';

type InputFields = InputFieldBuilder<SchemaTypes, 'InputObject'>;

/** Returns the GraphQL input fields that all five operations have. */
export const requestFields = (t: InputFields) => ({
  screenshot: t.field({
    type: ScreenshotInput,
    description: 'Options of the screenshot. Default: a PNG of the viewport.',
  }),
  idempotencyKey: t.string({
    description:
      'Idempotency key, up to 255 characters. A repeated request with the same key, input and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for `step`, those of the service itself. The same key with other input fails with VALIDATION_ERROR.',
    validate: { type: 'string', schema: idempotencyKeyField },
  }),
});

/** Returns the GraphQL input field for the timeout of the session. @param whenAbsent the default, as a sentence */
export const timeoutFields = (t: InputFields, whenAbsent: string) => ({
  sessionTimeoutMinutes: t.int({
    description: `Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. ${whenAbsent}`,
    validate: { type: 'number', schema: timeoutMinutesField },
  }),
});

/** Returns the GraphQL input fields that observe, step and scrape share. */
export const pageFields = (t: InputFields) => ({
  ...requestFields(t),
  ...timeoutFields(
    t,
    `Default for a new session: ${DEFAULT_TIMEOUT_MINUTES}; an existing session keeps its timeout.`,
  ),
  keepAlive: t.boolean({
    description:
      'true: the session stays active after this operation. false: it is closed. Default: a session that you name stays active; a session that this operation creates is closed.',
  }),
  actions: t.field({
    type: ActionListInput,
    description: 'The actions to list in `space`.',
  }),
  content: t.field({ type: ContentInput, description: 'The content to extract into `data`.' }),
  waitMs: t.int({
    description: `Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for \`waitFor\`, in milliseconds, 0 to ${MAX_WAIT_MS}. Default: ${DEFAULT_WAIT_MS} for the former, ${DEFAULT_WAIT_FOR_MS} for \`waitFor\`. What still goes on then is in \`Space.pending\`.`,
    validate: { type: 'number', schema: waitMsField },
  }),
  waitFor: t.string({
    description: `A condition that must be met before the page is read: ${WAIT_FOR_GRAMMAR}. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed.`,
    validate: { type: 'string', schema: waitForField },
  }),
  diffSince: t.id({
    description:
      'The `id` of an earlier observation of this session: `diff` then returns what has changed since. The service keeps the last eight observations. `last` names the last one, if there is one.',
  }),
});

/** Returns the GraphQL input fields that observe and scrape share: the session and the URL. */
export const targetFields = (t: InputFields) => ({
  sessionId: t.id({ description: 'The session. Default: the operation creates one.' }),
  url: t.string({
    description:
      'The absolute URL to open, up to 16,384 characters. Default: the current page of the session.',
    validate: { type: 'string', schema: urlField },
  }),
});

export interface RequestInput {
  readonly screenshot?: Nullish<typeof ScreenshotInput.$inferInput>;
  readonly idempotencyKey?: Nullish<string>;
}

/** Converts the values of `requestFields` to options of the service. */
export const toRequestOptions = (
  input: RequestInput,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Pick<OperationOptions, 'screenshot' | 'screenshotOptions' | 'idempotencyKey' | 'signal'> => ({
  screenshot: input.screenshot?.take !== false && selects(info, 'screenshot'),
  screenshotOptions: toScreenshotOptions(input.screenshot),
  idempotencyKey: input.idempotencyKey ?? null,
  signal: context.signal,
});

interface PageInput extends RequestInput {
  readonly keepAlive?: Nullish<boolean>;
  readonly sessionTimeoutMinutes?: Nullish<number>;
  readonly actions?: Nullish<typeof ActionListInput.$inferInput>;
  readonly content?: Nullish<typeof ContentInput.$inferInput>;
  readonly diffSince?: Nullish<string>;
  readonly waitMs?: Nullish<number>;
  readonly waitFor?: Nullish<string>;
}

/** Converts the values of `pageFields` to options of the service. */
export const toPageOptions = (input: PageInput, context: RequestContext, info: GraphQLResolveInfo) => ({
  ...toRequestOptions(input, context, info),
  keepAlive: input.keepAlive ?? null,
  timeoutMinutes: input.sessionTimeoutMinutes ?? null,
  limits: toListingOptions(input.actions),
  diffSince: input.diffSince ?? null,
  waitMs: input.waitMs ?? null,
  waitFor: input.waitFor == null ? null : parseWaitCondition(input.waitFor),
  data: toScrapeRequest(input.content, info),
});

/** Converts the values of `targetFields` to options of the service. @throws Failure SESSION_NOT_FOUND */
export const toTarget = (input: { sessionId?: Nullish<string>; url?: Nullish<string> }) => ({
  sessionId: input.sessionId == null ? null : parseSessionId(input.sessionId),
  url: input.url ?? null,
});
