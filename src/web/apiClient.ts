/** Calls to this service from its own page. */

/** The service said no; the message is its own words. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { code?: string; detail?: string };
  if (!response.ok && typeof answer.detail === 'string') throw new ApiError(answer.code ?? '', answer.detail);
  return answer;
}

/** Signing in: the message to sign, and what is sent back. */
export const requestChallenge = async (address: string): Promise<string> =>
  ((await post('/wallet/challenge', { address })) as { message: string }).message;
export const signIn = (message: string, signature: string): Promise<unknown> =>
  post('/wallet/sign-in', { message, signature });
/** Whether somebody is signed in here: asked first, so that a visitor who is not is refused nothing. */
export const isSignedIn = async (): Promise<boolean> =>
  ((await post('/wallet/visit', {})) as { signed_in: boolean }).signed_in;
export const signOut = (): Promise<unknown> => post('/wallet/sign-out', {});

interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/**
 * Runs one of the operations that the service keeps for this page (`home.graphql`), so that it works where no other is run.
 * @throws Refused with the first error
 */
async function graphql<Data>(documentId: string, variables: object = {}): Promise<Data> {
  const { data, errors } = (await post('/graphql', { documentId, variables })) as GraphqlResponse;
  const [error] = errors ?? [];
  if (error !== undefined) throw new ApiError(error.extensions.code, error.message);
  // Sound: the operation selects what the type names, and the server's schema answers that or an error.
  return data as Data;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface Account {
  readonly name: string;
  readonly tier: string;
  readonly balanceMicros: number;
  readonly limits: {
    readonly sessionsAtOnce: number | null;
    readonly requestsPerMinute: number | null;
    readonly browserMinutesPerDay: number | null;
  };
  readonly keys: readonly ApiKey[];
}

export const fetchAccount = async (): Promise<Account> =>
  (await graphql<{ viewer: { account: Account } }>('HomeAccount')).viewer.account;

/** @returns the key itself, shown this once */
export async function createKey(input: {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
}): Promise<string> {
  return (await graphql<{ createApiKey: { key: string } }>('HomeCreateKey', { input })).createApiKey.key;
}

export const revokeKey = (id: string): Promise<unknown> => graphql('HomeRevokeKey', { id });
