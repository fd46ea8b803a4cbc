import type {
  ActionFieldsFragment,
  FailureCode,
  SessionFieldsFragment,
  SpaceFieldsFragment,
} from './generated/operations.ts';

/** Codes of errors that arise in the client: no connection, no response in time, a response that is not the service's, a name that is not exactly one action's. */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'CLIENT_TIMEOUT'
  | 'UNEXPECTED_RESPONSE'
  | 'NO_SINGLE_ACTION';

/** A field of the request that is not valid. */
export interface FieldError {
  /** Dotted path of the field: `input.url`. */
  readonly path: string;
  readonly message: string;
}

/** The fields of an error besides its code and message. All fields are optional, because most failures have few of them. */
export interface ErrorDetails {
  readonly retryable?: boolean;
  readonly status?: number | null;
  readonly title?: string | null;
  readonly requestId?: string | null;
  readonly errors?: readonly FieldError[];
  readonly session?: SessionFieldsFragment | null;
  readonly space?: SpaceFieldsFragment | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** Any error that the client throws, except the reason of the caller's own AbortSignal. */
export class PagespaceError extends Error {
  /** The failure code; docs/failures.md explains each. */
  readonly code: FailureCode | ClientErrorCode;
  /** True when the same request can succeed later. */
  readonly retryable: boolean;
  /** The HTTP status of the failure over REST; null if the error arose in the client. */
  readonly status: number | null;
  /** The id of the request, as in the log of the service. */
  readonly requestId: string | null;
  /** The fields of the request that are not valid. Empty unless the code is VALIDATION_ERROR. */
  readonly errors: readonly FieldError[];
  /** The session after the failure, if the failure concerns one. */
  readonly session: SessionFieldsFragment | null;
  /** The page as it is now, on a stale action. */
  readonly space: SpaceFieldsFragment | null;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | null;

  constructor(code: FailureCode | ClientErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.errors = details.errors ?? [];
    this.session = details.session ?? null;
    this.space = details.space ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** A sentence for pages of another origin: the browser reports a refused origin and a stopped service alike. Empty outside of browsers. */
function originHint(url: string): string {
  const page: unknown = Reflect.get(globalThis, 'origin');
  if (typeof page !== 'string' || page === new URL(url).origin) return '';
  return ` If it runs, its setting PAGESPACE_ALLOWED_ORIGINS must name the origin of this page, ${page}.`;
}

/** The service could not be reached, or the connection broke. */
export class ConnectionFailedError extends PagespaceError {
  declare readonly code: 'CONNECTION_FAILED';
  constructor(url: string, cause: unknown) {
    super('CONNECTION_FAILED', `The service at ${url} cannot be reached.${originHint(url)}`, {
      retryable: true,
      cause,
    });
  }
}

/** No response arrived within `timeoutMs`. */
export class ClientTimeoutError extends PagespaceError {
  declare readonly code: 'CLIENT_TIMEOUT';
  constructor(timeoutMs: number, cause?: unknown) {
    super('CLIENT_TIMEOUT', `No response arrived within ${timeoutMs} ms.`, { retryable: true, cause });
  }
}

/** The response is not one of this service: another server or a proxy sent it. */
export class UnexpectedResponseError extends PagespaceError {
  declare readonly code: 'UNEXPECTED_RESPONSE';
  constructor(url: string, status: number, retryable: boolean) {
    super('UNEXPECTED_RESPONSE', `${url} answered HTTP ${status} with a body that is not the service's.`, {
      status,
      retryable,
    });
  }
}

/** `find` found no action with the text, or several. */
export class NoSingleActionError extends PagespaceError {
  declare readonly code: 'NO_SINGLE_ACTION';
  /** The actions that match. Empty if none does. */
  readonly candidates: readonly ActionFieldsFragment[];

  constructor(text: string, candidates: readonly ActionFieldsFragment[], space: SpaceFieldsFragment | null) {
    const listed = candidates.map(({ id, description }) => `${id} ${description}`).join('; ');
    const cut =
      space?.truncated === true
        ? ` The list has ${space.actions.length} of ${space.totalActions} actions: observe again with actions: { search: … }.`
        : '';
    super(
      'NO_SINGLE_ACTION',
      candidates.length === 0
        ? `No action of the list is called ${JSON.stringify(text)}.${cut}`
        : `${candidates.length} actions are called ${JSON.stringify(text)}: ${listed}. Narrow the search with kind or in, or use an id.`,
      { space },
    );
    this.candidates = candidates;
  }
}
