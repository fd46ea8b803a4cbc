/** A failure as both doors tell it: plain JSON, in the words of the GraphQL schema. REST rewrites it in snake_case. */
import type { Action } from '../domain/action.ts';
import type { Failure, FailureCode, FieldFault } from '../domain/failures.ts';
import {
  durationMs,
  durationText,
  endedAt,
  expiresAt,
  type Session,
  sessionError,
} from '../domain/session.ts';
import type { Space } from '../domain/space.ts';
import { spaceMarkdown } from '../domain/spaceMarkdown.ts';

/** A time as the API writes it: ISO 8601 UTC with milliseconds (specification, 2.1). */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** A lower-case word of the domain as GraphQL writes it: `timed_out` → `TIMED_OUT`, `search-results` → `SEARCH_RESULTS`. */
export const enumName = <Word extends string>(word: Word): EnumName<Word> =>
  word.toUpperCase().replaceAll('-', '_') as EnumName<Word>;

/** The type of what `enumName` answers. */
export type EnumName<Word extends string> = Word extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${EnumName<Tail>}`
  : Uppercase<Word>;

/** A session in the words of the GraphQL type Session; the same shape as the fragment `SessionFacts` answers. */
export interface SessionFacts {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
  readonly lastAccessedAt: string;
  readonly expiresAt: string | null;
  readonly endedAt: string | null;
  readonly duration: string;
  readonly durationMs: number;
  readonly timeoutMinutes: number;
  readonly error: string | null;
  readonly url: string | null;
  readonly pageTitle: string | null;
}

/** @param now milliseconds since the epoch */
export function sessionFacts(session: Session, now: number): SessionFacts {
  const expiry = expiresAt(session);
  const end = endedAt(session);
  const age = durationMs(session, now);
  return {
    id: session.id,
    status: enumName(session.status),
    createdAt: isoTime(session.createdAt),
    lastAccessedAt: isoTime(session.lastAccessedAt),
    expiresAt: expiry === null ? null : isoTime(expiry),
    endedAt: end === null ? null : isoTime(end),
    duration: durationText(age),
    durationMs: age,
    timeoutMinutes: session.timeoutMinutes,
    error: sessionError(session),
    url: session.url,
    pageTitle: session.pageTitle,
  };
}

const actionFacts = (action: Action) => ({
  ...action,
  kind: enumName(action.kind),
  status: enumName(action.status),
  params: action.params.map(param => ({
    ...param,
    type: enumName(param.type),
    values: param.values === null ? null : [...param.values],
  })),
});

/** A space in the words of the GraphQL type Space; the same shape as the fragment `SpaceFacts` answers. */
export const spaceFacts = (space: Space) => ({
  description: space.description,
  category: enumName(space.category),
  markdown: spaceMarkdown(space),
  totalActions: space.totalActions,
  truncated: space.truncated,
  dialog: space.dialog === null ? null : { ...space.dialog, kind: enumName(space.dialog.kind) },
  actions: space.actions.map(actionFacts),
  specialActions: space.specialActions.map(actionFacts),
  browserActions: space.browserActions.map(actionFacts),
});

/** The `extensions` of a GraphQL error, and the stuff of a REST problem. */
export interface FailureExtensions {
  readonly code: FailureCode;
  /** The HTTP status that the same failure has over REST. */
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly errors?: readonly FieldFault[];
  readonly session?: SessionFacts;
  readonly space?: ReturnType<typeof spaceFacts>;
  readonly retryAfterSeconds?: number;
  readonly [more: string]: unknown;
}

/** What a caller is told of a failure beside its detail. */
export function failureExtensions(failure: Failure, requestId: string, now: number): FailureExtensions {
  const { errors, session, space, retryAfterSeconds } = failure.facts;
  return {
    code: failure.code,
    status: failure.row.status,
    title: failure.row.title,
    retryable: failure.row.retryable,
    requestId,
    ...(errors !== undefined && { errors }),
    ...(session !== undefined && { session: sessionFacts(session, now) }),
    ...(space !== undefined && { space: spaceFacts(space) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
