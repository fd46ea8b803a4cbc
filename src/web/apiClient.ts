/** Requests of the home page to the service. */

/** A failure that the service returned. `code` is its code, `message` its detail. */
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
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-pagespace-caller': 'person',
    },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });
  const result = (await response.json()) as { code?: string; detail?: string };
  if (!response.ok && typeof result.detail === 'string') throw new ApiError(result.code ?? '', result.detail);
  return result;
}

/** Requests a sign-in message for a wallet address. Returns the message, which the wallet has to sign. */
export const requestChallenge = async (address: string): Promise<string> =>
  ((await post('/wallet/challenge', { address })) as { message: string }).message;

/** Signs the user in with a message that the wallet signed. @throws ApiError when the service refuses it */
export const signIn = (message: string, signature: string): Promise<unknown> =>
  post('/wallet/sign-in', { message, signature });

/** Returns true if the user is signed in with a wallet. Call it before a GraphQL request, which fails without a sign-in. */
export const isSignedIn = async (): Promise<boolean> =>
  ((await post('/wallet/visit', {})) as { signed_in: boolean }).signed_in;

export const signOut = (): Promise<unknown> => post('/wallet/sign-out', {});

interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/**
 * Runs a persisted operation of `home.graphql` and returns its data. A persisted operation works even on a service that runs only persisted operations.
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

/** Creates an API key and returns the key itself, which the service never shows again. */
export async function createKey(input: {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
}): Promise<string> {
  return (await graphql<{ createApiKey: { key: string } }>('HomeCreateKey', { input })).createApiKey.key;
}

export const revokeKey = (id: string): Promise<unknown> => graphql('HomeRevokeKey', { id });
