import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type QueryConfig,
  types,
} from 'pg';
import { Semaphore } from '../../async/fairTurns.ts';
import { afterMs, race, waitUntil } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Tables } from '../tables.ts';

const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);
/** The message of `pg` when no connection became free in time. A caller that tries again at once would wait behind all others. */
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** The messages of `pg` when the server did not answer in time, to a statement or to a new connection. */
const SILENT_MESSAGES = /^(timeout expired|Query read timeout)/;
/** The messages of `pg` for a lost connection, which have no code. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;
/**
 * Classes and codes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the same
 * statement can succeed later: connection, shutdown and crash, authorization, too many connections, out of memory,
 * timeouts, a standby, a missing database.
 */
const TRANSIENT_STATES = /^(08|28|53[02-4]|57P0[1-5]|57014|58|3D000|55P03|25P03|25006|40001|40P01)/;
const FATAL_STATES = /^(08|57P0[1-5]|25P03)/;
const DISK_FULL = '53100';
/** Another transaction was in the way: deadlock, serialization, and a row that it inserted first. */
const CONFLICT_STATES = new Set(['40P01', '40001', '23505']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** True if the connection of this error cannot be used again. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error &&
  (SYSTEM_CODES.has(codeOf(error)) || LOST_MESSAGES.test(error.message) || FATAL_STATES.test(codeOf(error)));

/** True if the server did not answer in time. A caller that tries again at once waits as long once more. */
const isSilence = (error: unknown): boolean => {
  const cause = error instanceof Failure ? error.cause : error;
  return cause instanceof Error && SILENT_MESSAGES.test(cause.message);
};

/** True if a transaction that failed with this error before its commit can succeed when it is run again at once. */
export const isRepeatable = (error: unknown): boolean => {
  const cause = error instanceof Failure ? error.cause : error;
  return (isConnectionLost(cause) && !isSilence(cause)) || CONFLICT_STATES.has(codeOf(cause));
};

/** Returns Failure DEPENDENCY_UNAVAILABLE or STORAGE_FULL for an error that passes by itself, and any other error unchanged. */
export function toDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  if (codeOf(error) === DISK_FULL)
    return new Failure(
      'STORAGE_FULL',
      'The disk of the database is full, so the result could not be written. Try again later, or tell the operator of the service.',
      { cause: error, retryAfterSeconds: 30 },
    );
  if (error.message !== BUSY_MESSAGE && !isConnectionLost(error) && !TRANSIENT_STATES.test(codeOf(error)))
    return error;
  return new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'The database of the service (PostgreSQL) cannot be used now. Nothing was done.',
    { cause: error, retryAfterSeconds: 2 },
  );
}

export interface BegunTransaction {
  /** Number of the transaction, 64 bits in decimal digits. */
  readonly xid: string;
  /** Process of the server that runs the transaction. */
  readonly pid: number;
  /** Token of the run of the server; null before `markDatabaseRun`. */
  readonly run: string | null;
}

/** Attempts to learn the outcome, and the milliseconds between two of them. */
const ATTEMPTS = 10;
const INTERVAL_MS = 200;
/** Maximum time until the server has ended a lost transaction, in milliseconds. */
const TERMINATION_MS = 1_000;
/** SQLSTATE of pg_xact_status for a number that the server has not given yet: it crashed and has forgotten the transaction. */
const IN_THE_FUTURE = '22023';

/** SQL of the token of the present run of the server: a crash and a failover empty the unlogged table. */
export const databaseRun = sql<string | null>`(select token from database_runs)`;

export async function markDatabaseRun(db: Kysely<Tables>): Promise<void> {
  await sql`insert into database_runs default values on conflict do nothing`.execute(db);
}

/**
 * Returns true if the transaction was committed, false if the server has not written anything of it.
 * @throws Failure OUTCOME_UNKNOWN if the database does not say it within about two seconds, or cannot know it: a server that
 * crashed gives the number of a transaction that it has lost to another one
 */
export async function isCommitted(
  db: Kysely<Tables>,
  transaction: BegunTransaction,
  lost: unknown,
): Promise<boolean> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const { status, run, isSilent } = await readStatus(db, transaction);
    if (isSilent === true) break;
    if (status === 'aborted') return false;
    if (status === 'committed') {
      if (run !== null && run === transaction.run) return true;
      break;
    }
    await wait(INTERVAL_MS);
  }
  throw new Failure(
    'OUTCOME_UNKNOWN',
    'The connection to the database was lost while the result was being stored, and the database does not say whether it was.',
    { cause: lost },
  );
}

interface TransactionStatus {
  /** Null if the server does not say it now. */
  readonly status: 'committed' | 'aborted' | 'in progress' | null;
  readonly run: string | null;
  /** True if the server accepts connections or statements and does not answer. */
  readonly isSilent?: boolean;
}

async function readStatus(db: Kysely<Tables>, { xid, pid }: BegunTransaction): Promise<TransactionStatus> {
  try {
    // The server may wait for a COMMIT that never reached it. The number of a transaction in pg_stat_activity has 32 bits.
    await sql`select pg_terminate_backend(pid, ${TERMINATION_MS}) from pg_stat_activity
      where pid = ${pid} and backend_xid::text = (${xid}::numeric % 4294967296)::text`.execute(db);
    const { rows } =
      await sql<TransactionStatus>`select pg_xact_status(${xid}::xid8) as status, ${databaseRun} as run`.execute(
        db,
      );
    return rows[0] ?? { status: null, run: null };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === IN_THE_FUTURE)
      return { status: 'aborted', run: null };
    if (!isFailure(error, 'DEPENDENCY_UNAVAILABLE')) throw error;
    return { status: null, run: null, isSilent: isSilence(error) };
  }
}

/** Limits the concurrent transactions of an account: they hold connections while they wait for the same rows, and a busy account would hold all. */
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

const MAX_RUNS = 4;
/** Pause before the second run on another connection, in milliseconds; doubled for each further one. */
const LOST_CONNECTION_PAUSE_MS = 20;

/** Runs `run`, which may be done twice if `mayRepeat` or if it was not done, up to four times. @throws the last error of `run` */
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
  /** Statements that wait for their answer fail like those of a lost connection; the next one makes a new connection. */
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
