/** Connections to PostgreSQL: bounded, with timeouts, and with errors that callers understand. */

import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type QueryConfig,
  types,
} from 'pg';
import { afterMs, race, waitUntil } from '../../async/race.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { isConnectionLost, isRepeatable, toDatabaseFailure } from './commitOutcome.ts';

/**
 * Limits how many transactions of an account run at once. They wait for the same rows (the balance, the counts), and each
 * holds a connection while it waits: an account with many busy sessions would hold all.
 */
export class AccountWrites {
  readonly #permits: number;
  readonly #waitTimeoutMs: number;
  readonly #running = new Map<string, Semaphore>();

  /** @param waitTimeoutMs a transaction that waits longer for those before it fails */
  constructor(permits: number, waitTimeoutMs: number) {
    this.#permits = permits;
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  /** Runs a transaction when it is the account's turn. @throws Failure DEPENDENCY_UNAVAILABLE if the wait was too long */
  async run<Result>(accountId: string, transaction: () => Promise<Result>): Promise<Result> {
    const own =
      this.#running.get(accountId) ??
      new Semaphore({ permits: this.#permits, waitTimeoutMs: this.#waitTimeoutMs, refusal: tooBusy });
    this.#running.set(accountId, own);
    try {
      return await own.run(transaction);
    } finally {
      if (own.acquired === 0) this.#running.delete(accountId);
    }
  }
}

const tooBusy = (): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'Too many changes of this account wait for the database of the service (PostgreSQL). Nothing was done.',
    { retryAfterSeconds: 2 },
  );

/** Maximum number of times that the work runs. */
const MAX_RUNS = 4;
/** Pause before the second run on another connection, in milliseconds; doubled for each further one. */
const LOST_CONNECTION_PAUSE_MS = 20;

/**
 * Runs `run` up to four times: work that may be done twice, or that was not done when it fails.
 * @param mayRepeat false if the work should fail instead
 * @throws the last error of `run`
 */
export async function repeat<Result>(
  run: () => Promise<Result>,
  mayRepeat: () => boolean = () => true,
): Promise<Result> {
  for (let runs = 1; ; runs++)
    try {
      return await run();
    } catch (error) {
      if (runs === MAX_RUNS || !isRepeatable(error) || !mayRepeat()) throw error;
      // A server that ends one connection mostly ends all: the pool needs time to see that the others have ended too.
      if (isFailure(error) && isConnectionLost(error.cause))
        await waitUntil(afterMs(LOST_CONNECTION_PAUSE_MS * 2 ** (runs - 1)));
    }
}

/** Takes connections from a pool, and counts how often this process has ended them all. */
interface LentConnection {
  /** @throws Failure DEPENDENCY_UNAVAILABLE */
  connect(): Promise<PoolClient>;
  /** Number of times that this process itself has ended all connections. */
  cuts(): number;
}

/** A statement that changes nothing, and locks nothing for the rest of a transaction. */
const READ = /^\s*select\b(?!.*\bfor (no key )?(update|share|key share)\b)/is;
const BEGIN = /^\s*(begin|start transaction)\b/i;

/**
 * Creates a client that takes a connection from the pool for its first statement. A read outside of a transaction whose
 * connection is lost runs again on another one: callers must not hear of a break that has passed. After any other lost
 * statement all statements fail until `release`. Errors are Failure DEPENDENCY_UNAVAILABLE and STORAGE_FULL where they pass
 * by themselves.
 */
function repeatingClient(pool: LentConnection): PostgresPoolClient {
  let client: PoolClient | null = null;
  let lost: { readonly failure: unknown } | null = null;
  let isInTransaction = false;

  async function run(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    // A lost connection does not answer, so a rollback would only wait for its timeout.
    if (lost !== null) throw lost.failure;
    client ??= await pool.connect();
    try {
      return await client.query(statement, parameters.map(withoutZero));
    } catch (error) {
      const failure = toDatabaseFailure(error);
      if (isConnectionLost(error)) lost = { failure };
      throw failure;
    }
  }

  function release(discard?: boolean): void {
    client?.release(lost !== null || discard === true);
    client = null;
  }

  const query = (statement: string, parameters: readonly unknown[] = []): Promise<unknown> => {
    isInTransaction ||= BEGIN.test(statement);
    if (isInTransaction || !READ.test(statement)) return run(statement, parameters);
    const cuts = pool.cuts();
    const attempt = (): Promise<unknown> => {
      if (lost !== null) release();
      lost = null;
      return run(statement, parameters);
    };
    return repeat(attempt, () => cuts === pool.cuts());
  };
  return {
    // Safe: the store uses no cursors, for which Kysely's interface has another signature.
    query: query as unknown as PostgresPoolClient['query'],
    release,
  };
}

/** PostgreSQL has no character 0 in texts. */
const withoutZero = (parameter: unknown): unknown =>
  typeof parameter === 'string' && parameter.includes('\0')
    ? parameter.replaceAll('\0', '\ufffd')
    : parameter;

export interface PoolBounds {
  readonly maxConnections: number;
  /** Maximum time until a new connection works, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Maximum wait for a connection while all are in use, in milliseconds. Those that wait get one in order of arrival. */
  readonly queueTimeoutMs: number;
  /** Maximum duration of one statement, in milliseconds; null for no maximum. */
  readonly statementTimeoutMs: number | null;
  /** A process that stops in the middle of a transaction keeps its locks for at most this time, in milliseconds. */
  readonly idleTransactionTimeoutMs: number;
}

/** A pool whose connections can be ended from outside. */
export interface CuttablePool extends PostgresPool {
  /**
   * Ends all connections at once. Statements that wait for their answer fail like those of a lost connection; the next
   * statement makes a new one.
   */
  cut(): void;
}

/** The client gives up this much later than the server would, in milliseconds: then the network is silent. */
const SILENCE_MS = 2_000;
const END_TIMEOUT_MS = 2_000;
const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 5_000;

/** Object identifiers of the types whose values are numbers (pg_type.oid). */
const INT8 = 20;
const NUMERIC = 1_700;

/** @throws RangeError for a whole number that a JavaScript number cannot hold */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The number ${text} of the database is too large.`);
  return value;
}

/**
 * Creates a pool for Kysely. Its errors are Failure DEPENDENCY_UNAVAILABLE and STORAGE_FULL where they pass by themselves.
 * A lost connection is replaced by the next statement; a read outside of a transaction is repeated on it.
 */
export function postgresPool(url: string, bounds: PoolBounds): CuttablePool {
  const { maxConnections, connectTimeoutMs, queueTimeoutMs, statementTimeoutMs, idleTransactionTimeoutMs } =
    bounds;
  const sockets = new Set<Socket>();
  const pool = new Pool({
    // The pool has one limit for both waits.
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
      }
    },
    connectionString: url,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
    application_name: 'pagespace',
    max: maxConnections,
    connectionTimeoutMillis: Math.max(queueTimeoutMs, connectTimeoutMs),
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...(statementTimeoutMs !== null && { query_timeout: statementTimeoutMs + SILENCE_MS }),
    // Not as parameters of the connection: a pooler refuses those that it does not know.
    onConnect: async (client: ClientBase) => {
      const settings: QueryConfig & { readonly query_timeout: number } = {
        text: `set idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs}; set statement_timeout = ${statementTimeoutMs ?? 0}`,
        query_timeout: connectTimeoutMs,
      };
      await client.query(settings);
    },
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        if (oid === INT8) return parseInt8;
        return oid === NUMERIC ? Number : types.getTypeParser(oid, format);
      },
    },
  });
  // Without listeners, a connection that ends would end the process: while it is idle, and while a transaction uses it.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  let cuts = 0;
  const connections: LentConnection = {
    connect: () =>
      pool.connect().catch((error: unknown) => {
        throw toDatabaseFailure(error);
      }),
    cuts: () => cuts,
  };
  return {
    options: pool.options,
    connect: async () => repeatingClient(connections),
    cut() {
      cuts++;
      for (const socket of sockets) socket.destroy();
    },
    async end() {
      // A server that hangs does not confirm the end.
      await race(pool.end(), afterMs(END_TIMEOUT_MS));
    },
  };
}
