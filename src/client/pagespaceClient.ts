import { DEFAULT_FORMATS, SessionNotFoundError } from './generated/failureErrors.ts';
import {
  ClientCloseDocument,
  ClientObserveDocument,
  ClientScrapeDocument,
  ClientSessionDocument,
  ClientSessionsDocument,
  type ClientSessionsQuery,
  type ClientSessionsQueryVariables,
  ClientStartDocument,
  ClientStepDocument,
  type DownloadFieldsFragment,
  type SessionFieldsFragment,
  type SessionStatus,
  type StartSessionInput,
  type UploadFieldsFragment,
} from './generated/operations.ts';
import { type Observation, observation, type Scraped } from './observation.ts';
import type {
  CallOptions,
  CloseOptions,
  ObserveOptions,
  OperationOptions,
  ScrapeOptions,
  StepOptions,
  StepValue,
} from './operationOptions.ts';
import { SpecialActions, type Target } from './specialActions.ts';
import {
  type ClientOptions,
  type ConsoleMessage,
  consoleMessages,
  type EventsOptions,
  type Frame,
  type FramesOptions,
  type GraphqlDocument,
  type NetworkRequest,
  networkRequests,
  type SessionEvent,
  type StatusOptions,
  sessionEvents,
  sessionFrames,
  statusChanges,
  Transport,
} from './transport.ts';

/** The fields of a session that the service returns: status, times, address, options. */
export type SessionInfo = SessionFieldsFragment;

/** One session. It outlives the client that started it: `client.session(id)` continues it. */
export class ClientSession extends SpecialActions implements AsyncDisposable {
  /** The session_id. */
  readonly id: string;
  readonly #transport: Transport;

  /** @param id the id of a session that exists */
  constructor(transport: Transport, id: string) {
    super();
    this.#transport = transport;
    this.id = id;
  }

  /** Opens `url`, or stays on the current page without it, and returns the page with its actions. @throws PagespaceError */
  async observe(url?: string | URL | null, options: ObserveOptions = {}): Promise<Observation> {
    const { call, input, screenshot } = splitOptions(options);
    const { observe } = await this.#transport.execute(
      ClientObserveDocument,
      {
        input: { ...input, sessionId: this.id, url: url == null ? null : String(url) },
        screenshot,
        content: input.content != null,
      },
      call,
    );
    return observation(observe);
  }

  /**
   * Performs an action, waits until the page has settled, and returns the page after it.
   * @param action an action of the list, or its id: `B2`
   * @throws ActionStaleError with the page as it is now in `space`; other PagespaceErrors
   */
  async step(action: Target, value?: StepValue | null, options: StepOptions = {}): Promise<Observation> {
    const { call, input, screenshot } = splitOptions(options);
    const actionId = typeof action === 'string' ? action : action.id;
    const { step } = await this.#transport.execute(
      ClientStepDocument,
      {
        input: {
          // Of the actions only S2 returns content; any other does if the caller asks for it.
          ...(actionId === 'S2' && { content: { formats: DEFAULT_FORMATS } }),
          ...input,
          sessionId: this.id,
          actionId,
          value: valueText(value),
        },
        // S3 returns a screenshot, S2 the content.
        screenshot: screenshot || actionId === 'S3',
        content: true,
      },
      call,
    );
    return observation(step);
  }

  /** Returns the content of the current page in `data`; of another page with the option `url`. @throws PagespaceError */
  async scrape<const Schema = unknown>(
    options: ScrapeOptions<Schema> & { readonly url?: string | URL } = {},
  ): Promise<Scraped<Schema>> {
    return scrape(this.#transport, { ...options, sessionId: this.id });
  }

  /** Closes the session; one that has ended already returns its final state. @throws PagespaceError */
  async close(options: CloseOptions = {}): Promise<SessionInfo> {
    const { call, input } = splitOptions(options);
    const variables = { input: { ...input, sessionId: this.id } };
    return (await this.#transport.execute(ClientCloseDocument, variables, call)).closeSession;
  }

  /** Closes the session at the end of the block of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Returns the state of the session. Reading does not reset its timeout. @throws SessionNotFoundError */
  async info(options: CallOptions = {}): Promise<SessionInfo> {
    const { downloads: _downloads, uploads: _uploads, ...info } = await this.#read(options);
    return info;
  }

  /** Lists the files that the pages of the session downloaded. */
  async downloads(options: CallOptions = {}): Promise<DownloadFieldsFragment[]> {
    return (await this.#read(options)).downloads;
  }

  /** Lists the files that were uploaded to the session. */
  async uploads(options: CallOptions = {}): Promise<UploadFieldsFragment[]> {
    return (await this.#read(options)).uploads;
  }

  /** Returns the bytes of a downloaded file. @param id `D1`, `D2`, … */
  download(id: string, options: CallOptions = {}): Promise<Uint8Array> {
    const path = `/session/${encodeURIComponent(this.id)}/downloads/${encodeURIComponent(id)}`;
    return this.#transport.request(
      path,
      {},
      options,
      async response => new Uint8Array(await response.arrayBuffer()),
    );
  }

  /**
   * Uploads a file for a file input: the `id` of the result is the value of the step. A failed upload is not retried.
   * @throws PagespaceError
   */
  upload(
    name: string,
    data: string | Uint8Array | Blob,
    options: CallOptions = {},
  ): Promise<UploadFieldsFragment> {
    const path = `/session/${encodeURIComponent(this.id)}/uploads?name=${encodeURIComponent(name)}`;
    const init = { method: 'POST', body: data as BodyInit };
    return this.#transport.request(path, init, options, async response => {
      const { file_id: id, bytes, created_at: createdAt, ...file } = await response.json();
      return { id, name: file.name, bytes, createdAt };
    });
  }

  /** Yields the events of the session, each once, across broken connections; ends with the session. @throws PagespaceError */
  events(options: EventsOptions = {}): AsyncGenerator<SessionEvent, void, void> {
    return sessionEvents(this.#transport, this.id, options);
  }

  /** Yields the console messages of the pages, each once, across broken connections; ends with the session. @throws PagespaceError */
  console(options: EventsOptions = {}): AsyncGenerator<ConsoleMessage, void, void> {
    return consoleMessages(this.#transport, this.id, options);
  }

  /** Yields the requests of the pages in the order in which they end, each once, across broken connections; ends with the session. @throws PagespaceError */
  network(options: EventsOptions = {}): AsyncGenerator<NetworkRequest, void, void> {
    return networkRequests(this.#transport, this.id, options);
  }

  /** Returns what happened in the session, as Markdown for a report, as JSON, or its requests as HAR 1.2. @throws PagespaceError */
  export(format: 'markdown' | 'json' | 'har' = 'markdown', options: CallOptions = {}): Promise<string> {
    const path = `/session/${encodeURIComponent(this.id)}/export?format=${format}`;
    return this.#transport.request(path, {}, options, response => response.text());
  }

  /** Yields live pictures of the active tab, at most fifteen per second; ends with the session. @throws PagespaceError */
  frames(options: FramesOptions = {}): AsyncGenerator<Frame, void, void> {
    return sessionFrames(this.#transport, this.id, options);
  }

  /** Yields the session as it is, and again after each change of its status; ends with the session. @throws PagespaceError */
  statusChanges(options: StatusOptions = {}): AsyncGenerator<SessionInfo, void, void> {
    return statusChanges(this.#transport, this.id, options);
  }

  async #read(options: CallOptions) {
    const { session } = await this.#transport.execute(ClientSessionDocument, { id: this.id }, options);
    if (session === null)
      throw new SessionNotFoundError('SESSION_NOT_FOUND', `There is no session ${this.id}.`, { status: 404 });
    return session;
  }
}

/** Scrapes a page, in a session or without one. */
async function scrape<Schema>(
  transport: Transport,
  options: ScrapeOptions<Schema> & { readonly url?: string | URL; readonly sessionId?: string },
): Promise<Scraped<Schema>> {
  const { url, ...others } = options;
  const { call, input, screenshot } = splitOptions(others);
  const { scrape: scraped } = await transport.execute(
    ClientScrapeDocument,
    {
      input: {
        ...input,
        url: url === undefined ? null : String(url),
        content: { ...input.content, formats: input.content?.formats ?? DEFAULT_FORMATS },
      },
      screenshot,
      content: true,
    },
    call,
  );
  // The service returns values in the shape of the schema.
  return observation(scraped) as Scraped<Schema>;
}

/** Separates the options of a call from the fields of its input, and gives it an idempotency key. */
function splitOptions<
  Options extends OperationOptions & { readonly idempotencyKey?: string | null | undefined },
>(options: Options) {
  const { signal, timeoutMs, screenshot, ...fields } = options;
  const call: CallOptions = {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const input = {
    ...fields,
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
    ...(typeof screenshot === 'object' && { screenshot }),
  };
  return { call, input, screenshot: screenshot !== undefined && screenshot !== false };
}

const valueText = (value: StepValue | null | undefined): string | null => {
  if (value == null) return null;
  return typeof value === 'object' ? value.join('\n') : String(value);
};

/** Options of `start`: the fields of the GraphQL input `StartSessionInput`. */
export type StartOptions = Omit<StartSessionInput, 'screenshot'> & CallOptions;

export interface SessionsOptions extends CallOptions {
  /** Only sessions with one of these statuses. */
  readonly status?: SessionStatus[];
  /** Only sessions whose id, URL or page title contains this text. */
  readonly search?: string;
}

const SESSIONS_PER_PAGE = 100;

/**
 * The client of one service. It holds no connection; any number of calls can run at once.
 * @example
 * const pagespace = new PagespaceClient({ url: 'http://127.0.0.1:4000', key: 'psk_…' });
 * await using session = await pagespace.start();
 * const page = await session.observe('https://example.com/');
 */
export class PagespaceClient {
  readonly #transport: Transport;

  /** @throws TypeError when `url` is not an absolute URL */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** Starts a session. @throws PagespaceError */
  async start(options: StartOptions = {}): Promise<ClientSession> {
    const { call, input } = splitOptions(options);
    const { startSession } = await this.#transport.execute(ClientStartDocument, { input }, call);
    return new ClientSession(this.#transport, startSession.id);
  }

  /** Returns a session that was started before, without asking the service. @param id the session_id */
  session(id: string): ClientSession {
    return new ClientSession(this.#transport, id);
  }

  /** Scrapes one page in a session of its own, which the service closes afterwards. @throws PagespaceError */
  scrape<const Schema = unknown>(
    url: string | URL,
    options: ScrapeOptions<Schema> = {},
  ): Promise<Scraped<Schema>> {
    return scrape(this.#transport, { ...options, url });
  }

  /**
   * Executes a GraphQL query or mutation and returns its data. A mutation is sent once: give it an `idempotencyKey` and repeat it
   * yourself.
   * @param document its text, or a document of GraphQL Code Generator (`documentMode: 'string'`), which also gives the types
   * @throws PagespaceError of the first error in the answer
   */
  query<Data = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: GraphqlDocument<Data, Variables>,
    variables?: Variables,
    options: CallOptions = {},
  ): Promise<Data> {
    return this.#transport.query(document, variables, options);
  }

  /** Yields each session of the account whose status changes from now on, starts of new sessions included. @throws PagespaceError */
  statusChanges(options: StatusOptions = {}): AsyncGenerator<SessionInfo, void, void> {
    return statusChanges(this.#transport, null, options);
  }

  /** Yields the sessions of the account, newest first. @throws PagespaceError */
  async *sessions({
    status,
    search,
    ...call
  }: SessionsOptions = {}): AsyncGenerator<SessionInfo, void, void> {
    for (let after: string | null = null; ; ) {
      const variables: ClientSessionsQueryVariables = {
        status: status ?? null,
        search: search ?? null,
        first: SESSIONS_PER_PAGE,
        after,
      };
      const { sessions }: ClientSessionsQuery = await this.#transport.execute(
        ClientSessionsDocument,
        variables,
        call,
      );
      for (const { node } of sessions.edges) yield node;
      if (!sessions.pageInfo.hasNextPage) return;
      after = sessions.pageInfo.endCursor;
    }
  }
}
