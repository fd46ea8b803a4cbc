/** A session in REST's words (specification, 2.1). */
import { z } from 'zod';
import { SESSION_STATUSES, type SessionStatus } from '../../../domain/session.ts';
import type { SessionFields } from '../../http/failureExtensions.ts';

/** A member of a GraphQL enum as the domain writes it: `TIMED_OUT` → `timed_out`. */
export const fromEnumName = <Word extends string>(name: string): Word => name.toLowerCase() as Word;

const time = z.iso.datetime({ precision: 3 });

/** The Session object. */
export const SessionBody = z
  .object({
    session_id: z
      .string()
      .meta({ description: 'Identifier of the session. Used in every later operation on it.' }),
    status: z.enum(SESSION_STATUSES).meta({ description: 'All but `active` are final.' }),
    created_at: time.meta({ description: 'When the session was started.' }),
    last_accessed_at: time.meta({
      description: 'When the last operation in it ended, or began while one runs.',
    }),
    duration: z
      .string()
      .meta({ description: 'Its age up to now, or to its end, in words.', examples: ['12 seconds'] }),
    timeout_minutes: z.int().meta({ description: 'Minutes without an operation after which it times out.' }),
    error: z.string().nullable().meta({ description: 'What went wrong; null otherwise.' }),
    duration_ms: z.int().meta({ description: 'The same age in milliseconds.' }),
    expires_at: time.nullable().meta({
      description: 'When it times out if nothing is done; null while an operation runs and after its end.',
    }),
    ended_at: time.nullable().meta({ description: 'When it ended; null while it is active.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'The address of the active tab after the last operation.' }),
    page_title: z
      .string()
      .nullable()
      .meta({ description: 'The title of the active tab after the last operation.' }),
    screenshot: z.string().optional().meta({
      description: 'PNG of the viewport in Base64. Only there when start or close was asked for it.',
      contentEncoding: 'base64',
      contentMediaType: 'image/png',
    }),
  })
  .meta({ id: 'Session', description: 'A browser session.' });
export type SessionBody = z.infer<typeof SessionBody>;

/** @param facts as the fragment SessionFacts answers them */
export const sessionBody = (facts: SessionFields): SessionBody => ({
  session_id: facts.id,
  status: fromEnumName<SessionStatus>(facts.status),
  created_at: facts.createdAt,
  last_accessed_at: facts.lastAccessedAt,
  duration: facts.duration,
  timeout_minutes: facts.timeoutMinutes,
  error: facts.error,
  duration_ms: facts.durationMs,
  expires_at: facts.expiresAt,
  ended_at: facts.endedAt,
  url: facts.url,
  page_title: facts.pageTitle,
});
