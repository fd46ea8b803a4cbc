/** Requests of the home page to the service. */

/** The service returned a failure; the message is its detail. */
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
  const result = (await response.json()) as { code?: string; detail?: string };
  if (!response.ok && typeof result.detail === 'string') throw new ApiError(result.code ?? '', result.detail);
  return result;
}

/** Returns the message that the wallet has to sign. */
export const requestChallenge = async (address: string): Promise<string> =>
  ((await post('/wallet/challenge', { address })) as { message: string }).message;

export const signIn = (message: string, signature: string): Promise<unknown> =>
  post('/wallet/sign-in', { message, signature });

/** Returns true if the user is signed in. Call it first: without a web session a GraphQL request would fail. */
export const isSignedIn = async (): Promise<boolean> =>
  ((await post('/wallet/visit', {})) as { signed_in: boolean }).signed_in;

export const signOut = (): Promise<unknown> => post('/wallet/sign-out', {});

interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/**
 * Runs a persisted operation of `home.graphql`, which works even on a service that runs only persisted operations.
 * @throws ApiError with the first error
 */
async function graphql<Data>(documentId: string, variables: object = {}): Promise<Data> {
  const { data, errors } = (await post('/graphql', { documentId, variables })) as GraphqlResponse;
  const [error] = errors ?? [];
  if (error !== undefined) throw new ApiError(error.extensions.code, error.message);
  // The caller's type repeats the operation's selection, and the server validates the operation.
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

/** Returns the key itself, which the service never shows again. */
export async function createKey(input: {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
}): Promise<string> {
  return (await graphql<{ createApiKey: { key: string } }>('HomeCreateKey', { input })).createApiKey.key;
}

export const revokeKey = (id: string): Promise<unknown> => graphql('HomeRevokeKey', { id });
