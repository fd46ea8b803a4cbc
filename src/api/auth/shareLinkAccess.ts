/** The operations that the viewers of a share link may run: a few persisted ones, on the session of the link. */
import type { Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { ShareMode } from '../../domain/shareLink.ts';

/** The variable in which an operation names its session; `input`: the field `sessionId` of that variable. */
type SessionPlace = 'id' | 'sessionId' | 'input';

const LOOKING: Readonly<Record<string, SessionPlace>> = {
  DashSharedSession: 'id',
  DashSharedChange: 'sessionId',
  DashFrames: 'sessionId',
};

/** The persisted operations of each mode, by id. */
const OPERATIONS: Readonly<Record<ShareMode, Readonly<Record<string, SessionPlace>>>> = {
  read: LOOKING,
  control: {
    ...LOOKING,
    DashTakeOver: 'input',
    DashHandBack: 'input',
    DashSendInput: 'input',
    DashHold: 'sessionId',
  },
};

/** A GraphQL operation as a caller sends it. */
interface SentOperation {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: unknown;
}

/**
 * Refuses every operation of the viewers of a share link, except those of its mode on its session. Other callers may run all.
 * @throws Failure SCOPE_DENIED
 */
export function assertLinkAllows({ link }: Viewer, operation: unknown): void {
  if (link === undefined) return;
  const { query, documentId, variables } = fields<SentOperation>(operation);
  const operations = OPERATIONS[link.mode];
  const place =
    (query === undefined || query === '') &&
    typeof documentId === 'string' &&
    Object.hasOwn(operations, documentId)
      ? operations[documentId]
      : undefined;
  if (place === undefined) throw linkDenied();
  const value = fields<Readonly<Record<SessionPlace, unknown>>>(variables)[place];
  const session = place === 'input' ? fields<{ readonly sessionId?: unknown }>(value).sessionId : value;
  if (typeof session !== 'string' || session.toLowerCase() !== link.sessionId) throw linkDenied();
}

const fields = <Fields extends object>(value: unknown): Partial<Fields> =>
  typeof value === 'object' && value !== null ? (value as Partial<Fields>) : {};

/** Creates the failure of a request that a share link does not allow. */
export const linkDenied = (): Failure =>
  new Failure('SCOPE_DENIED', 'A share link shows one session, and allows nothing else.');
