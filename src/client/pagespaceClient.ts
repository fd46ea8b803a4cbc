/** The client of the service. */

import type { CallOptions } from './callDeadline.ts';
import { ClientSession, type SessionInfo, scrape, splitOptions } from './clientSession.ts';
import {
  ClientSessionsDocument,
  type ClientSessionsQuery,
  type ClientSessionsQueryVariables,
  ClientStartDocument,
  type SessionStatus,
  type StartSessionInput,
} from './generated/operations.ts';
import type { Scraped } from './observation.ts';
import type { ScrapeOptions } from './operationOptions.ts';
import { type StatusOptions, statusChanges } from './streams.ts';
import { type ClientOptions, type GraphqlDocument, Transport } from './transport.ts';

/** Options of `start`: the fields of the GraphQL input `StartSessionInput`. */
export type StartOptions = Omit<StartSessionInput, 'screenshot'> & CallOptions;

/** Selects the sessions to list. */
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
