import { z } from 'zod';
import { Failure } from '../domain/failure/failures.ts';
import type { SessionFile } from '../domain/ports/sessionFileStore.ts';
import type {
  SessionFilter,
  SessionPage,
  SessionQuery,
  StoredObservation,
} from '../domain/ports/sessionStore.ts';
import { observationNumber } from '../domain/session/performedOperation.ts';
import { isSessionId, type Session } from '../domain/session/session.ts';
import { cutText } from '../domain/space/pageText.ts';
import type { Pagespace } from '../service/pagespace.ts';
import { field, type RequestOf, requestFields } from './field.ts';
import { assertScope, type OperationContext, sessionNotFound } from './operation.ts';
import { type DownloadNode, sessionStatus } from './results/session.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

export const sessionFilters = requestFields({
  status: field([sessionStatus], 'Only sessions with one of these statuses. Default: all.'),
  search: field('String', 'Only sessions whose id, URL or page title contains this text, ignoring case.', {
    check: z.string().max(500, 'must be at most 500 characters'),
  }),
  keyId: field('ID', 'Only sessions that the API key with this id started.'),
  name: field('String', 'Only sessions whose name contains this text, ignoring case.', {
    check: z.string().max(200, 'must be at most 200 characters'),
  }),
  labels: field(['String'], 'Only sessions that have all of these labels.'),
  createdFrom: field('DateTime', 'Only sessions that were started at this time or later.'),
  createdBefore: field('DateTime', 'Only sessions that were started before this time.'),
  node: field('String', 'Only sessions of this node of the cluster.'),
  hasFailures: field(
    'Boolean',
    'true: only sessions in which an operation failed, or that ended with an error. false: only the others.',
  ),
});

/** The conditions of a request for a list of sessions. Null means the same as an absent one. */
export type SessionListRequest = RequestOf<typeof sessionFilters>;

export function toSessionSelection({
  status,
  search,
  keyId,
  name,
  labels,
  createdFrom,
  createdBefore,
  node,
  hasFailures,
}: SessionListRequest): Pick<SessionQuery, 'statuses' | 'search'> & { readonly filter: SessionFilter } {
  const filter = { keyId, name, labels, createdFrom, createdBefore, node, hasFailures };
  return {
    statuses: status ?? null,
    search: search ?? null,
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null)),
  };
}

type ReadContext = Pick<OperationContext, 'service' | 'viewer'>;

/** Returns a session. @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND */
export async function readSession({ service, viewer }: ReadContext, id: string): Promise<Session> {
  assertScope(viewer, 'read', 'session');
  const [session] = isSessionId(id) ? await service.sessions(viewer, [id]) : [];
  if (session == null) throw sessionNotFound(id);
  return session;
}

/** @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, NOT_FOUND, RECORD_EXPIRED */
export async function readObservation(
  context: ReadContext,
  sessionId: string,
  observationId: string,
): Promise<StoredObservation> {
  const { id } = await readSession(context, sessionId);
  return context.service.recordedObservation(id, parseObservationId(observationId));
}

/** Returns the number of an observation. @throws Failure NOT_FOUND for a text that is not the id of one */
export function parseObservationId(id: string): number {
  const number = observationNumber(id);
  if (number === null)
    throw new Failure('NOT_FOUND', `"${cutText(id, 50)}" is not the id of an observation such as O3.`);
  return number;
}

/** Returns a page of the sessions of the account, newest first. @throws Failure SCOPE_DENIED, VALIDATION_ERROR */
export function listSessions(
  { service, viewer }: ReadContext,
  {
    limit,
    after,
    ...filters
  }: SessionListRequest & {
    readonly limit?: number | null | undefined;
    readonly after?: string | null | undefined;
  },
): Promise<SessionPage> {
  assertScope(viewer, 'read', 'sessions');
  return service.listSessions(viewer, {
    limit: limit ?? DEFAULT_PAGE_SIZE,
    after: after ?? null,
    before: null,
    fromEnd: false,
    ...toSessionSelection(filters),
    order: 'created_at_desc',
  });
}

/** Returns the downloads of a session that the viewer may read, in the order in which they started. */
export const listDownloads = async (service: Pagespace, sessionId: string): Promise<DownloadNode[]> =>
  (await service.listFiles(sessionId, 'download')).map(file => ({ ...file, sessionId }));

/** Returns the uploads of a session that the viewer may read, oldest first. */
export const listUploads = async (service: Pagespace, sessionId: string): Promise<SessionFile[]> => [
  ...(await service.listFiles(sessionId, 'upload')),
];
