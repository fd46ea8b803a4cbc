export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and reads its response. A string body is sent as it is, any other value as JSON. */
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

/** Sends a GraphQL operation by POST; `body` of the response is `{data, errors}`. */
export const callGraphql = (
  url: string,
  key: string | null,
  query: string,
  variables?: object,
): Promise<ApiResponse> => callApi(url, 'POST', '/graphql', { key, body: { query, variables } });
