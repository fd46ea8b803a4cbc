import type { IncomingHttpHeaders } from 'node:http';
import type { ShareMode, Viewer } from '../../domain/account/account.ts';
import type { RateLimit } from '../../domain/account/rateLimit.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { CALLER_KINDS } from '../../domain/session/performedOperation.ts';
import type { ApiKeyAuth } from '../../service/pagespace.ts';
import type { HttpContext } from '../http/httpContext.ts';
import type { RequestRecord } from '../http/requestRecord.ts';

/** The variable in which an operation names its session; `input`: the field `sessionId` of that variable. */
type SessionPlace = 'id' | 'sessionId' | 'input';

const LOOKING: Readonly<Record<string, SessionPlace>> = {
  DashSharedSession: 'id',
  DashSharedChange: 'sessionId',
  DashFrames: 'sessionId',
};

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

interface SentOperation {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: unknown;
}

/** Lets the viewers of a share link run only the operations of its mode on its session. @throws Failure SCOPE_DENIED */
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

export const linkDenied = (): Failure =>
  new Failure('SCOPE_DENIED', 'A share link shows one session, and allows nothing else.');

type AuthService = Pick<ApiKeyAuth, 'authenticate'> & Pick<RateLimit, 'countRefusedKey'>;

/**
 * Authenticates a request by its header `Authorization: Bearer <API_KEY>`.
 * @param allowsLink true to accept the token of a share link, which shows one session; the caller must check what it runs
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY, EXPIRED_API_KEY, SHARE_LINK_ENDED; SCOPE_DENIED for the token of a share
 * link; RATE_LIMITED after too many refused keys from the caller's network
 */
export async function authenticate(
  service: AuthService,
  { headers, callerNetwork, record }: Pick<HttpContext, 'headers' | 'callerNetwork' | 'record'>,
  allowsLink = false,
): Promise<Viewer> {
  const viewer = await authenticateHeader(service, headers.authorization, callerNetwork, record);
  if (viewer.link !== undefined && !allowsLink) throw linkDenied();
  return withHold(withCallerKind(viewer, headers[CALLER_HEADER]), headers[HOLD_HEADER]);
}

/** The header in which a program says which kind of caller it is, for the events: `cli`, `person`, `mcp`. Default: `agent`. */
export const CALLER_HEADER = 'x-pagespace-caller';

/** The header in which a person names the take-over of a session that they have, so that their own operations are not refused. */
export const HOLD_HEADER = 'x-pagespace-hold';

/** Maximum length of the id of a take-over: a UUID. */
const MAX_HOLD_ID_LENGTH = 36;

const withHold = (viewer: Viewer, said: unknown): Viewer =>
  typeof said === 'string' && said !== '' && said.length <= MAX_HOLD_ID_LENGTH
    ? { ...viewer, holdId: said }
    : viewer;

function withCallerKind(viewer: Viewer, said: unknown): Viewer {
  const kind = CALLER_KINDS.find(one => one === said);
  return kind === undefined ? viewer : { ...viewer, kind };
}

export interface SocketCredentials {
  readonly connectionParams: Readonly<Record<string, unknown>> | null | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The IPv4 address or IPv6 /64 of the caller, which refused keys count against. */
  readonly callerNetwork: string;
}

/** Authenticates a WebSocket by its parameters, because browsers set no headers on one, else by its upgrade. @throws Failure as `authenticate` */
export function authenticateSocket(
  service: AuthService,
  { connectionParams, headers, callerNetwork }: SocketCredentials,
  record?: RequestRecord,
): Promise<Viewer> {
  const sent = connectionParams?.authorization ?? connectionParams?.Authorization ?? headers.authorization;
  return authenticateHeader(service, typeof sent === 'string' ? sent : null, callerNetwork, record).then(
    viewer =>
      withHold(
        withCallerKind(viewer, connectionParams?.caller ?? headers[CALLER_HEADER]),
        connectionParams?.hold,
      ),
  );
}

// Only refused keys count against the network, so a valid key works even if others behind the same address send refused
// ones.
async function authenticateHeader(
  service: AuthService,
  authorization: string | null | undefined,
  callerNetwork: string,
  record: RequestRecord | undefined,
): Promise<Viewer> {
  try {
    const viewer = await service.authenticate(authorization);
    if (record !== undefined) record.accountId = viewer.account.id;
    return viewer;
  } catch (error) {
    if (isFailure(error) && error.definition.status === 401) await service.countRefusedKey(callerNetwork);
    throw error;
  }
}

/** Runs `work`; a WALLET_REFUSED of it counts as a refused API key of the caller's network. @throws Failure RATE_LIMITED, and every error of `work` */
export async function countRefusals<Result>(
  service: Pick<RateLimit, 'countRefusedKey'>,
  callerNetwork: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) await service.countRefusedKey(callerNetwork);
    throw error;
  }
}
