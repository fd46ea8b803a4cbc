/** Queries and mutations over HTTP: each names a persisted operation, so the bundle has no document. */
import type { Operations } from '../generated/operations.ts';
import { apiKey, forgetKey, holdId } from './access.ts';

export class RequestFailure extends Error {
  /** A code of /failures; `OFFLINE` when the service could not be reached. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes that end the visit: the key is no longer one. */
const KEY_ENDED = new Set([
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'REVOKED_API_KEY',
  'EXPIRED_API_KEY',
  'SHARE_LINK_ENDED',
]);

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly detail?: string };
  }[];
}

type Name<Kind> = {
  [Each in keyof Operations]: Operations[Each]['kind'] extends Kind ? Each : never;
}[keyof Operations];

export type RequestName = Name<'query' | 'mutation'>;
export type SubscriptionName = Name<'subscription'>;

/** Sends JSON to a path of the service. @throws RequestFailure with the code of the problem, or OFFLINE */
export async function post(path: string, body: unknown, key: string | null = null): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-pagespace-caller': 'person',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(holdId.value !== null && { 'x-pagespace-hold': holdId.value }),
      },
      body: JSON.stringify(body),
    });
  } catch (cause) {
    throw new RequestFailure(
      'OFFLINE',
      'The service cannot be reached. Check that it runs, and your network.',
      { cause },
    );
  }
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new RequestFailure('INTERNAL', `The service answered ${response.status} without JSON.`, { cause });
  }
  const problem = answer as { readonly code?: string; readonly detail?: string; readonly data?: unknown };
  if (!response.ok && problem.code !== undefined)
    throw new RequestFailure(problem.code, problem.detail ?? problem.code);
  return answer;
}

/** A key of this visit that has ended signs out. @throws RequestFailure with the first error */
export async function request<Each extends RequestName>(
  documentId: Each,
  variables: Operations[Each]['variables'],
  key: string | null = apiKey.value,
): Promise<Operations[Each]['result']> {
  const { data, errors } = (await post('/graphql', { documentId, variables }, key)) as GraphqlAnswer;
  const [error] = errors ?? [];
  if (error === undefined) return data as Operations[Each]['result'];
  const code = error.extensions?.code ?? 'INTERNAL';
  if (KEY_ENDED.has(code) && key === apiKey.value) forgetKey(error.message);
  throw new RequestFailure(code, error.message);
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
