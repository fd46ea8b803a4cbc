/** A session in a REST response (specification, 2.1). */
import { z } from 'zod';
import { SESSION_STATUSES, type SessionStatus } from '../../../domain/session/session.ts';
import { fromEnumName } from '../../http/enumName.ts';
import type { SessionFields } from '../../http/failureExtensions.ts';
import { ALL_FIELDS, evaluateBody, type WantedFields } from './bodySelection.ts';

const time = z.iso.datetime({ precision: 3 });

export const SessionBody = z
  .object({
    session_id: z
      .string()
      .meta({ description: 'The id of the session. Every later operation in the session takes it.' }),
    status: z.enum(SESSION_STATUSES).meta({ description: 'All values but `active` are final.' }),
    created_at: time.meta({ description: 'When the session was started.' }),
    last_accessed_at: time.meta({
      description: 'When its last operation ended; during an operation, when that started.',
    }),
    duration: z
      .string()
      .meta({ description: 'The time from its start to its end, or to now.', examples: ['12 seconds'] }),
    timeout_minutes: z
      .int()
      .meta({ description: 'Minutes without an operation after which the session times out.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The reason of the failure if the status is `error`; null otherwise.' }),
    duration_ms: z.int().meta({ description: '`duration` in milliseconds.' }),
    expires_at: time.nullable().meta({
      description:
        'When the session times out if no operation starts. During an operation: the end of its maximum lifetime, or null without one. Null after its end.',
    }),
    ended_at: time.nullable().meta({ description: 'When it ended; null while it is active.' }),
    url: z.string().nullable().meta({ description: 'The URL of the active tab after the last operation.' }),
    page_title: z
      .string()
      .nullable()
      .meta({ description: 'The title of the active tab after the last operation.' }),
    screenshot: z.string().optional().meta({
      description:
        'The screenshot in Base64: a PNG of the viewport, or as screenshot_options say. Present only in responses of start and close, on request.',
      contentEncoding: 'base64',
    }),
  })
  .meta({ id: 'Session', description: 'A browser session.' });
export type SessionBody = z.infer<typeof SessionBody>;

/** Converts a session to the REST body, with the wanted fields. */
export const sessionBody = (session: SessionFields, wanted: WantedFields = ALL_FIELDS): SessionBody =>
  evaluateBody<SessionBody>(
    {
      session_id: () => session.id,
      status: () => fromEnumName<SessionStatus>(session.status),
      created_at: () => session.createdAt,
      last_accessed_at: () => session.lastAccessedAt,
      duration: () => session.duration,
      timeout_minutes: () => session.timeoutMinutes,
      error: () => session.error,
      duration_ms: () => session.durationMs,
      expires_at: () => session.expiresAt,
      ended_at: () => session.endedAt,
      url: () => session.url,
      page_title: () => session.pageTitle,
      // Only start and close have it; they add it to the body.
      screenshot: () => undefined,
    },
    wanted,
  );

export const SessionsBody = z
  .object({
    sessions: z.array(SessionBody),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `after` to get the next page; null on the last page.' }),
  })
  .meta({ id: 'Sessions', description: 'One page of the list of sessions.' });
