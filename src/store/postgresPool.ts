/** Connections to PostgreSQL: bounded, with timeouts, and with errors that callers understand. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { isConnectionLost, toDatabaseFailure } from './toDatabaseFailure.ts';

/** Bounds of a pool. */
export interface PoolBounds {
  readonly maxConnections: number;
  /** Maximum wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Maximum duration of one statement, in milliseconds; null for no maximum. */
  readonly statementTimeoutMs: number | null;
}

/**
 * A node that stops in the middle of a transaction keeps its locks for at most this time, in milliseconds: the end of
 * its epoch waits for them.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 2_000;
/** The client gives up this much later than the server would, in milliseconds: then the network is silent. */
const SILENCE_MS = 2_000;
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
export function postgresPool(url: string, bounds: PoolBounds): PostgresPool {
  const { maxConnections, connectTimeoutMs, statementTimeoutMs } = bounds;
  const pool = new Pool({
    connectionString: url,
    application_name: 'pagespace',
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    ...(statementTimeoutMs !== null && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + SILENCE_MS,
    }),
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
    end: () => pool.end(),
  };
}

/** Wraps a connection: a pool gives it to Kysely, and Kysely gives it back. */
function translatingClient(client: PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async (statement: string, parameters: readonly unknown[] = []) => {
    try {
      return await client.query(statement, parameters.map(withoutZero));
    } catch (error) {
      isLost ||= isConnectionLost(error);
      throw toDatabaseFailure(error);
    }
  };
  return {
    // Safe: the store uses no cursors, for which Kysely's interface has another signature.
    query: query as unknown as PostgresPoolClient['query'],
    release: discard => client.release(isLost || discard === true),
  };
}

/** PostgreSQL has no character 0 in texts. */
const withoutZero = (parameter: unknown): unknown =>
  typeof parameter === 'string' && parameter.includes('\0')
    ? parameter.replaceAll('\0', '\ufffd')
    : parameter;
