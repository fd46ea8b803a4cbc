/** Makes the fields of a failure, named as in the GraphQL schema. REST renames them to snake_case. */

import type { Failure, FailureCode, FieldError } from '../../domain/failure/failures.ts';
import { endedAt, expiresAt, type Session, sessionError } from '../../domain/session/session.ts';
import { durationMs, durationText } from '../../domain/session/sessionDuration.ts';
import type { Action } from '../../domain/space/action.ts';
import { copyOfPending } from '../../domain/space/pending.ts';
import type { Space } from '../../domain/space/space.ts';
import { spaceMarkdown } from '../../domain/space/spaceMarkdown.ts';
import { toEnumName } from './enumName.ts';
import { formatTime } from './formatTime.ts';

/** The fields of a session in a failure: those that the GraphQL fragment `SessionFields` selects. Times are ISO 8601. */
export interface SessionFields {
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

/** Returns the data of a session that an error response contains. @param now milliseconds since the epoch, to compute the duration */
function sessionFields(session: Session, now: number): SessionFields {
  const expiry = expiresAt(session);
  const end = endedAt(session);
  const age = durationMs(session, now);
  return {
    id: session.id,
    status: toEnumName(session.status),
    createdAt: formatTime(session.createdAt),
    lastAccessedAt: formatTime(session.lastAccessedAt),
    expiresAt: expiry === null ? null : formatTime(expiry),
    endedAt: end === null ? null : formatTime(end),
    duration: durationText(age),
    durationMs: age,
    timeoutMinutes: session.timeoutMinutes,
    error: sessionError(session),
    url: session.url,
    pageTitle: session.pageTitle,
  };
}

/** Returns the fields of an action that the schema has. The others are for comparisons: the selection in `focus` is not for every reader. */
const actionFields = ({
  focus: _focus,
  picture: _picture,
  look: _look,
  layer: _layer,
  ...action
}: Action) => ({
  ...action,
  kind: toEnumName(action.kind),
  status: toEnumName(action.status),
  params: action.params.map(param => ({
    ...param,
    type: toEnumName(param.type),
    values: [...(param.values ?? [])],
  })),
});

/** Returns the fields of a space for a failure: those that the GraphQL fragment `SpaceFields` selects. */
const spaceFields = (space: Space) => ({
  description: space.description,
  category: toEnumName(space.category),
  markdown: spaceMarkdown(space),
  totalActions: space.totalActions,
  truncated: space.truncated,
  downloads: space.downloads.map(({ id, name, state }) => ({ fileId: id, name, state: toEnumName(state) })),
  pending: copyOfPending(space.pending),
  console: space.console ?? null,
  dialog: space.dialog === null ? null : { ...space.dialog, kind: toEnumName(space.dialog.kind) },
  messages: space.messages.map(message => ({
    ...message,
    kind: toEnumName(message.kind),
    page: message.page ?? null,
  })),
  textBlocks: (space.textBlocks ?? []).map(block => ({ ...block, kind: toEnumName(block.kind) })),
  actions: space.actions.map(actionFields),
  specialActions: space.specialActions.map(actionFields),
  browserActions: space.browserActions.map(actionFields),
});

/** The `extensions` of a GraphQL error. REST makes the problem details of a failure from the same fields. */
export interface FailureExtensions {
  readonly code: FailureCode;
  /** The HTTP status of the failure over REST. */
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  readonly session?: SessionFields;
  readonly space?: ReturnType<typeof spaceFields>;
  readonly retryAfterSeconds?: number;
  readonly [more: string]: unknown;
}

/**
 * Returns the `extensions` of a GraphQL error for a failure.
 * @param now milliseconds since the epoch, for the session's duration
 */
export function failureExtensions(failure: Failure, requestId: string, now: number): FailureExtensions {
  const { errors, session, space, retryAfterSeconds } = failure.context;
  return {
    code: failure.code,
    status: failure.definition.status,
    title: failure.definition.title,
    retryable: failure.retryable,
    requestId,
    ...(errors !== undefined && { errors }),
    ...(session !== undefined && { session: sessionFields(session, now) }),
    ...(space !== undefined && { space: spaceFields(space) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
