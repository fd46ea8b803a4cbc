/** The fields that the requests of observe, step and scrape share, and their conversion to options of the service. */
import { z } from 'zod';
import { DEFAULT_TIMEOUT_MINUTES } from '../domain/json.ts';
import {
  DEFAULT_WAIT_FOR_MS,
  DEFAULT_WAIT_MS,
  MAX_WAIT_MS,
  parseWaitCondition,
  WAIT_FOR_GRAMMAR,
} from '../domain/specialActions/waitCondition.ts';
import { isWebAddress, missingInAddress } from '../domain/webAddress.ts';
import { actionList, toListingOptions } from './actionList.ts';
import { content, toScrapeRequest } from './content.ts';
import { FLAT, type RequestOf, requestFields } from './field.ts';
import { type OperationContext, parseSessionId, type Selection } from './operation.ts';
import { commonFields, toCommonOptions } from './screenshot.ts';

/** The idle timeout of a session. */
export const timeoutFields = requestFields({
  sessionTimeoutMinutes: {
    type: 'Int',
    description:
      'Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout.',
    check: z.int('must be a whole number of minutes').gt(0, 'must be above 0').lt(30, 'must be below 30'),
    default: DEFAULT_TIMEOUT_MINUTES,
  },
});

/** Says whether the session stays active after the operation. */
export const keepAliveFields = requestFields({
  keepAlive: {
    type: 'Boolean',
    description:
      'Keep the session active after this operation; false closes it. Default: a session that you name stays active; a session that this operation creates is closed. Over REST, start and close take the field and ignore it.',
    default: false,
  },
});

/** The waits of an operation. */
export const waitFields = requestFields({
  waitMs: {
    type: 'Int',
    description: `Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for \`waitFor\`, in milliseconds. Default: ${DEFAULT_WAIT_MS} for the former, ${DEFAULT_WAIT_FOR_MS} for \`waitFor\`. What still goes on then is in \`space.pending\`.`,
    check: z.int(`must be a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`).min(0).max(MAX_WAIT_MS),
  },
  waitFor: {
    type: 'String',
    description: `A condition that must be met before the page is read: ${WAIT_FOR_GRAMMAR}. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed.`,
    check: z
      .string()
      .max(1_000, 'must be at most 1,000 characters')
      .refine(text => parseWaitCondition(text) !== null, `must be ${WAIT_FOR_GRAMMAR}`),
    examples: ['text "Saved"'],
  },
  waitForHandBack: {
    type: 'Boolean',
    description:
      'While a person has the session or is awaited: wait until they hand it back, up to the deadline of the operation, instead of failing with TAKEN_OVER at once.',
    default: false,
  },
});

/** The fields that the requests of observe, step and scrape share. */
export const pageFields = requestFields({
  ...commonFields,
  ...timeoutFields,
  ...keepAliveFields,
  actions: { type: actionList, description: 'The actions to list in `space`.', rest: FLAT },
  content: { type: content, description: 'The content to extract into `data`.', rest: null },
  ...waitFields,
  diffSince: {
    type: 'ID',
    description:
      'The id of an earlier observation of this session: the difference then says what has changed since. The service keeps the last eight observations. `last` names the last one, if there is one.',
  },
});

/** The session and the URL, which the requests of observe and scrape have. */
export const targetFields = requestFields({
  sessionId: { type: 'ID', description: 'The session. Default: a new one.' },
  url: {
    type: 'String',
    description: 'The URL to open. Default: the current page. It is absolute.',
    check: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(16_384, 'must be at most 16,384 characters')
      .superRefine((text, context) => {
        // Checks only the syntax; the egress policy is checked when the page is opened.
        if (text !== '' && !isWebAddress(text))
          context.addIssue({
            code: 'custom',
            message: missingInAddress(text) ?? 'must be an absolute web address such as https://example.com/',
          });
      }),
  },
});

/** The session of a request that must name one. */
export const sessionField = { type: 'ID', description: 'The session.', required: true } as const;

/** Converts `pageFields` to options of the service. */
export const toPageOptions = (
  request: RequestOf<typeof pageFields>,
  context: OperationContext,
  selection: Selection,
) => ({
  ...toCommonOptions(request, context, selection),
  keepAlive: request.keepAlive ?? null,
  timeoutMinutes: request.sessionTimeoutMinutes ?? null,
  limits: toListingOptions(request.actions),
  diffSince: request.diffSince ?? null,
  waitMs: request.waitMs ?? null,
  waitFor: request.waitFor == null ? null : parseWaitCondition(request.waitFor),
  waitForHandBack: request.waitForHandBack === true,
  data: toScrapeRequest(request.content, selection),
});

/** Converts `targetFields` to options of the service. @throws Failure SESSION_NOT_FOUND */
export const toTarget = ({ sessionId, url }: RequestOf<typeof targetFields>) => ({
  sessionId: sessionId == null ? null : parseSessionId(sessionId),
  url: url ?? null,
});
