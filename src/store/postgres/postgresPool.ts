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
import { afterMs, race } from '../../async/race.ts';
import { isConnectionLost, toDatabaseFailure } from './toDatabaseFailure.ts';

/** Bounds of a pool. */
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
 * A lost connection is replaced by the next query.
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
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw toDatabaseFailure(error);
      });
      const known = clients.get(client) ?? translatingClient(client);
      clients.set(client, known);
      return known;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async end() {
      // A server that hangs does not confirm the end.
      await race(pool.end(), afterMs(END_TIMEOUT_MS));
    },
  };
}

/** Wraps a connection: a pool gives it to Kysely, and Kysely gives it back. */
function translatingClient(client: PoolClient): PostgresPoolClient {
  let lost: { readonly failure: unknown } | null = null;
  const query = async (statement: string, parameters: readonly unknown[] = []) => {
    // A lost connection does not answer, so a rollback would only wait for its timeout.
    if (lost !== null) throw lost.failure;
    try {
      return await client.query(statement, parameters.map(withoutZero));
    } catch (error) {
      const failure = toDatabaseFailure(error);
      if (isConnectionLost(error)) lost = { failure };
      throw failure;
    }
  };
  return {
    // Safe: the store uses no cursors, for which Kysely's interface has another signature.
    query: query as unknown as PostgresPoolClient['query'],
    release: discard => client.release(lost !== null || discard === true),
  };
}

/** PostgreSQL has no character 0 in texts. */
const withoutZero = (parameter: unknown): unknown =>
  typeof parameter === 'string' && parameter.includes('\0')
    ? parameter.replaceAll('\0', '\ufffd')
    : parameter;
