import { FAILURE_ERRORS } from './generated/failureErrors.ts';
import {
  ClientConsoleDocument,
  type ClientConsoleSubscription,
  ClientEventsDocument,
  type ClientEventsSubscription,
  ClientFramesDocument,
  type ClientFramesSubscription,
  ClientNetworkDocument,
  type ClientNetworkSubscription,
  ClientStatusDocument,
  type FailureCode,
  type SessionFieldsFragment,
  type SessionStatus,
  type TypedDocumentString,
} from './generated/operations.ts';
import {
  abortableDelay,
  CallDeadline,
  type CallOptions,
  isRetried,
  retryDelayMs,
} from './operationOptions.ts';
import {
  ConnectionFailedError,
  type ErrorDetails,
  PagespaceError,
  UnexpectedResponseError,
} from './pagespaceError.ts';

/** One event: its type (`message` if the stream names none) and its data. */
interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/**
 * Yields the events of a response body. Comments, which keep the connection open, yield nothing. Ends when the body ends.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @param idleTimeoutMs time without a byte after which the stream counts as broken, in milliseconds
 * @throws Error when the connection breaks or is idle
 */
async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  idleTimeoutMs: number,
): AsyncGenerator<ServerSentEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), idleTimeoutMs);
      if (done) return;
      buffered += decoder.decode(value, { stream: true });
      const blocks = buffered.split(/\r?\n\r?\n/);
      buffered = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  let type: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') type = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  }
  return type === null && data.length === 0 ? null : { type: type ?? 'message', data: data.join('\n') };
}

async function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The stream sent nothing for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** True for a text of the form of a code, also one of a newer service. Commands print it. */
const isFailureCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code);

/** Returns the error for a GraphQL error of the service, an instance of the class of its code. @param retryAfter the header Retry-After, in seconds */
function fromGraphqlError(error: GraphqlError, retryAfter: number | null): PagespaceError {
  const { code, ...details } = error.extensions ?? {};
  return createError(code as FailureCode, String(error.message), {
    ...details,
    retryAfterSeconds: (details.retryAfterSeconds as number | undefined) ?? retryAfter,
  });
}

/** Returns the error for the problem details (RFC 9457) of a REST response; UNEXPECTED_RESPONSE if it is none. */
function fromProblem(body: unknown, status: number, url: string): PagespaceError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  if (!isFailureCode(problem.code)) return new UnexpectedResponseError(url, status, status >= 500);
  return createError(problem.code, String(problem.detail ?? problem.title), {
    retryable: problem.retryable === true,
    status,
    requestId: (problem.request_id as string | undefined) ?? null,
    retryAfterSeconds: (problem.retry_after_seconds as number | undefined) ?? null,
  });
}

function createError(code: FailureCode, message: string, details: ErrorDetails): PagespaceError {
  // A newer service can have codes that this client does not know.
  const ErrorClass = Object.hasOwn(FAILURE_ERRORS, code) ? FAILURE_ERRORS[code] : PagespaceError;
  return new ErrorClass(code, message, details);
}

/** The address of the service, and the way in which the client calls it. */
export interface ClientOptions {
  /** The URL of the service: `http://127.0.0.1:4000`. */
  readonly url: string | URL;
  /** An API key: `psk_…`. */
  readonly key: string;
  /** Maximum time for one call with its retries, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number;
  /** Maximum number of times that the client repeats a request that failed before it had any effect. Default 4; 0 for never. */
  readonly maxRetries?: number;
  /** The kind of the caller, which the events of a session tell: `agent`, `person`, `mcp` or `cli`. Default: `agent`. */
  readonly caller?: 'agent' | 'person' | 'mcp' | 'cli';
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_RETRIES = 4;
/** A body that is longer is not the service's: the largest screenshot has some 170 million bytes. */
const MAX_BODY_BYTES = 268_435_456;
/** The service sends a comment every 12 seconds on an idle stream. */
const STREAM_IDLE_TIMEOUT_MS = 40_000;

/** The text of a GraphQL operation, or a document of GraphQL Code Generator, whose property `__apiType` has the types. */
export type GraphqlDocument<Data, Variables> =
  | string
  | { toString(): string; readonly __apiType?: (variables: Variables) => Data };

interface GraphqlResult<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** Sends GraphQL operations and REST requests with the key of the client. */
export class Transport {
  readonly #baseUrl: string;
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;
  readonly #maxRetries: number;

  constructor(options: ClientOptions) {
    const url = new URL(options.url);
    this.#baseUrl = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    this.#options = options;
    this.#maxRetries = options.maxRetries ?? DEFAULT_MAX_RETRIES;
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Executes a query, or a mutation with an idempotency key, and returns its data. @throws PagespaceError */
  execute<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    options: CallOptions,
  ): Promise<Data> {
    const query = document.toString();
    return this.#post(query, variables, options, rootFieldOf(query), this.#maxRetries);
  }

  /** Executes an operation of the caller and returns its data. A query is repeated like other calls, a mutation is sent once. @throws PagespaceError */
  query<Data, Variables>(
    document: GraphqlDocument<Data, Variables>,
    variables: Variables | undefined,
    options: CallOptions,
  ): Promise<Data> {
    const query = document.toString();
    return this.#post(query, variables, options, null, /\bmutation\b/.test(query) ? 0 : this.#maxRetries);
  }

  #post<Data>(
    query: string,
    variables: unknown,
    options: CallOptions,
    rootField: string | null,
    maxRetries: number,
  ): Promise<Data> {
    const init = postJson(JSON.stringify({ query, variables }));
    const attempt = async (signal: AbortSignal): Promise<Data> =>
      this.#dataOf<Data>(await this.#send('/graphql', { ...init, signal }), rootField);
    return this.#retry(options, attempt, maxRetries);
  }

  /** Sends a REST request; a GET is repeated like an operation, a POST is sent once. @throws PagespaceError */
  request<Result>(
    path: string,
    init: RequestInit,
    options: CallOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const attempt = async (signal: AbortSignal): Promise<Result> => {
      const response = await this.#send(path, { ...init, signal });
      if (!response.ok) throw await this.#problemOf(response);
      return read(response);
    };
    return this.#retry(options, attempt, init.method === 'POST' ? 0 : this.#maxRetries);
  }

  /** Yields the results of a subscription until it is complete. @throws PagespaceError; ConnectionFailedError when the connection breaks */
  async *subscribe<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Data, void, void> {
    const body = JSON.stringify({ query: document.toString(), variables });
    const init = postJson(body, 'text/event-stream');
    const response = await this.#send('/graphql', { ...init, ...(signal !== undefined && { signal }) });
    if (response.body === null || !isEventStream(response)) {
      yield await this.#dataOf<Data>(response, rootFieldOf(document.toString()));
      return;
    }
    const events = readServerSentEvents(response.body, STREAM_IDLE_TIMEOUT_MS);
    try {
      for (;;) {
        const next = await events.next().catch((cause: unknown) => {
          signal?.throwIfAborted();
          throw new ConnectionFailedError(this.#baseUrl, cause);
        });
        if (next.done === true)
          throw new ConnectionFailedError(this.#baseUrl, new Error('The stream ended early.'));
        if (next.value.type === 'complete') return;
        if (next.value.type !== 'next') continue;
        const { data, errors } = JSON.parse(next.value.data) as GraphqlResult<Data>;
        if (errors?.[0] !== undefined) throw fromGraphqlError(errors[0], null);
        if (data != null) yield data;
      }
    } finally {
      // A caller that leaves the loop early ends the request.
      await events.return();
    }
  }

  async #retry<Result>(
    options: CallOptions,
    attempt: (signal: AbortSignal) => Promise<Result>,
    maxRetries: number,
  ): Promise<Result> {
    const deadline = new CallDeadline(options, this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    for (let attempts = 0; ; attempts++) {
      try {
        return await deadline.run(attempt);
      } catch (error) {
        deadline.throwIfEnded(error);
        if (attempts >= maxRetries || !isRetried(error)) throw error;
        const delayMs = retryDelayMs(error, attempts);
        // A wait that ends after the deadline would only hide this error behind a timeout.
        if (delayMs >= deadline.remainingMs) throw error;
        await deadline.wait(delayMs);
      }
    }
  }

  async #send(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(`${this.#baseUrl}${path}`, {
        ...init,
        headers: {
          ...(headers as Record<string, string>),
          authorization: `Bearer ${this.#options.key}`,
          ...(this.#options.caller !== undefined && { 'x-pagespace-caller': this.#options.caller }),
        },
      });
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw new ConnectionFailedError(this.#baseUrl, cause);
    }
  }

  /** @param rootField a field that the data must have; null for an operation of the caller */
  async #dataOf<Data>(response: Response, rootField: string | null): Promise<Data> {
    const result = (await this.#json(response)) as GraphqlResult<Data> | null;
    const error = result?.errors?.[0];
    if (isFailureCode(error?.extensions?.code) && error !== undefined)
      throw fromGraphqlError(error, retryAfterSeconds(response));
    const data = result?.data;
    if (data == null || error !== undefined || !hasField(data, rootField)) throw unexpected(response);
    return data;
  }

  async #problemOf(response: Response): Promise<Error> {
    return fromProblem(await this.#json(response), response.status, response.url);
  }

  /** Returns the JSON of a response; null if it is not JSON. A connection that breaks while the body is read can be retried. */
  async #json(response: Response): Promise<unknown> {
    const text = await readText(response).catch((cause: unknown) => {
      throw cause instanceof UnexpectedResponseError
        ? cause
        : new ConnectionFailedError(this.#baseUrl, cause);
    });
    try {
      return JSON.parse(text);
    } catch {
      // A proxy between the client and the service answers with a page of its own.
      return null;
    }
  }
}

/** Returns the text of a response. @throws UnexpectedResponseError above MAX_BODY_BYTES */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      await reader.cancel();
      throw unexpected(response);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const unexpected = ({ url, status }: Response): UnexpectedResponseError =>
  new UnexpectedResponseError(url, status, status >= 500);

/** Returns the root field of a document. Each document of the client has one. */
const rootFieldOf = (document: string): string =>
  /\b(?:query|mutation|subscription)\b[^{]*\{\s*(\w+)/.exec(document)?.[1] ?? '';

/** True if the data have this field: an object, or null. */
const hasField = (data: object, name: string | null): boolean =>
  name === null || typeof (data as Readonly<Record<string, unknown>>)[name] === 'object';

const postJson = (body: string, accept = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body,
});

const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;

function retryAfterSeconds(response: Response): number | null {
  const header = response.headers.get('retry-after');
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/** An event of a session. `__typename` tells the types apart: `SessionSteppedEvent` has `action` and `url`, and so on. */
export type SessionEvent = ClientEventsSubscription['sessionEvents'];
/** A live picture of the active tab: a JPEG in Base64, and the size of the viewport in CSS pixels. */
export type Frame = ClientFramesSubscription['sessionFrames'];

/** A message in the console of a page. */
export type ConsoleMessage = ClientConsoleSubscription['consoleMessages'];
/** A request of a page, without headers and bodies. */
export type NetworkRequest = ClientNetworkSubscription['networkRequests'];

/** Options of every stream. */
export interface StreamOptions {
  /** Ends the loop with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Time in which the client tries to reconnect before the loop fails, in milliseconds. Default 60,000. */
  readonly reconnectTimeoutMs?: number;
}

/** The event after which to begin. */
export interface EventsOptions extends StreamOptions {
  /** Yield only events after the one with this `seq`, messages or requests after the one with this `number`. Default: all. */
  readonly after?: number;
}

/** The size and quality of pictures. */
export interface FramesOptions extends StreamOptions {
  /** Maximum width in pixels, 64 to 4096. Default 640. */
  readonly maxWidth?: number;
  /** JPEG quality, 1 to 100. Default 60. */
  readonly quality?: number;
}

/** Selects changes of status. */
export interface StatusOptions extends StreamOptions {
  /** Only sessions with one of these statuses. Default: all. */
  readonly statuses?: SessionStatus[];
}

const RECONNECT_TIMEOUT_MS = 60_000;

/**
 * Yields each numbered item of a session once: first the stored ones, then new ones. Ends with the session.
 * @param numberOf returns its number, after which the stream goes on when the connection breaks
 */
async function* numberedItems<Data, Item>(
  transport: Transport,
  document: TypedDocumentString<Data, { sessionId: string; after?: number | null }>,
  sessionId: string,
  { after = 0, ...options }: EventsOptions,
  itemOf: (data: Data) => Item,
  numberOf: (item: Item) => number,
): AsyncGenerator<Item, void, void> {
  let last = after;
  const connect = () => transport.subscribe(document, { sessionId, after: last }, options.signal);
  for await (const data of resume(connect, options)) {
    const item = itemOf(data);
    last = numberOf(item);
    yield item;
  }
}

type NumberedItems<Item> = (
  transport: Transport,
  sessionId: string,
  options: EventsOptions,
) => AsyncGenerator<Item, void, void>;

export const sessionEvents: NumberedItems<SessionEvent> = (transport, sessionId, options) =>
  numberedItems(
    transport,
    ClientEventsDocument,
    sessionId,
    options,
    data => data.sessionEvents,
    ({ seq }) => seq,
  );

export const consoleMessages: NumberedItems<ConsoleMessage> = (transport, sessionId, options) =>
  numberedItems(transport, ClientConsoleDocument, sessionId, options, data => data.consoleMessages, numberOf);

export const networkRequests: NumberedItems<NetworkRequest> = (transport, sessionId, options) =>
  numberedItems(transport, ClientNetworkDocument, sessionId, options, data => data.networkRequests, numberOf);

const numberOf = ({ number }: { readonly number: number }): number => number;

/** Yields pictures of the active tab: one now, then one whenever the page looks different. Ends with the session. */
export async function* sessionFrames(
  transport: Transport,
  sessionId: string,
  { maxWidth, quality, ...options }: FramesOptions,
): AsyncGenerator<Frame, void, void> {
  const variables = { sessionId, maxWidth: maxWidth ?? null, quality: quality ?? null };
  const connect = () => transport.subscribe(ClientFramesDocument, variables, options.signal);
  for await (const { sessionFrames: frame } of resume(connect, options)) yield frame;
}

/**
 * With a session: yields it as it is, then after each change of its status, and ends with it. Without: yields every session of
 * the account whose status changes from now on. Changes while the connection is broken are not told again.
 */
export async function* statusChanges(
  transport: Transport,
  sessionId: string | null,
  { statuses, ...options }: StatusOptions,
): AsyncGenerator<SessionFieldsFragment, void, void> {
  const variables = { sessionId, statuses: statuses ?? null };
  const connect = () => transport.subscribe(ClientStatusDocument, variables, options.signal);
  for await (const { sessionStatusChanged } of resume(connect, options)) yield sessionStatusChanged;
}

/** Yields the results of a subscription, and subscribes again when its connection breaks. */
async function* resume<Data>(
  connect: () => AsyncGenerator<Data, void, void>,
  { signal, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS }: StreamOptions,
): AsyncGenerator<Data, void, void> {
  for (let attempt = 0, connectedAt = Date.now(); ; attempt++) {
    try {
      for await (const data of connect()) {
        attempt = 0;
        yield data;
        connectedAt = Date.now();
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetried(error) || Date.now() - connectedAt >= reconnectTimeoutMs) throw error;
      await abortableDelay(retryDelayMs(error, attempt), signal);
      signal?.throwIfAborted();
    }
  }
}
