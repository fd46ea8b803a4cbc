/** One HTTP call of a test, with its answer read. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param body text is sent as it is, anything else as JSON */
export async function callApi(
  url: string,
  method: string,
  path: string,
  { key, body, headers }: CallOptions = {},
): Promise<ApiResponse> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key != null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed =
    text !== '' && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, text, body: parsed };
}

/** A GraphQL operation by POST; `body` is `{data, errors}`. */
export const callGraphql = (
  url: string,
  key: string | null,
  query: string,
  variables?: object,
): Promise<ApiResponse> => callApi(url, 'POST', '/graphql', { key, body: { query, variables } });
