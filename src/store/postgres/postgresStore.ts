import { type Compilable, Kysely, PostgresDialect, sql } from 'kysely';
import { TurnQueue } from '../../async/fairTurns.ts';
import type { RateLimiter } from '../../domain/account/rateLimit.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { IdempotencyStore, NodeRegistry } from '../../domain/ports/nodes.ts';
import { auditLedger } from '../auditLedger.ts';
import { kyselyAccountStore, kyselyWalletStore } from '../kyselyAccountStore.ts';
import { kyselyAuditLog } from '../kyselyAuditLog.ts';
import { kyselyLedgerStore } from '../kyselyLedgerStore.ts';
import { kyselyProfileStore } from '../kyselyProfileStore.ts';
import { kyselySessionStore } from '../kyselySessionStore.ts';
import { kyselyShareLinkStore } from '../kyselyShareLinkStore.ts';
import { kyselyVaultStore, resealRows } from '../kyselyVaultStore.ts';
import { MigrationDialect, migrate } from '../migrations/migrations.ts';
import { postgresRateLimiter } from '../rateLimiter.ts';
import { closedError } from '../sqlEngine.ts';
import { postgresAdvice, type Reader, type Store, StoreError, sentences } from '../store.ts';
import type { Tables } from '../tables.ts';
import {
  type Authority,
  postgresEngine,
  postgresIdempotencyStore,
  postgresNodeRegistry,
} from './postgresClusterStore.ts';
import {
  AccountWrites,
  type CuttablePool,
  markDatabaseRun,
  type PoolBounds,
  postgresPool,
  repeat,
} from './postgresPool.ts';

/** SQLSTATEs of a user who may not call a function, and of a server that does not have it. */
const UNREADABLE_STATES = ['42501', '42883'];

/**
 * Returns the system identifier of the server and the number of the database, with a hyphen between them: a standby that
 * takes over has the same one, a copy in another database or on another server does not. Null if the server does not tell it.
 */
async function readDatabaseId(db: Kysely<Tables>): Promise<string | null> {
  try {
    const { rows } = await sql<{ readonly id: string }>`
      select (select system_identifier from pg_control_system()) || '-' || oid as id
      from pg_database where datname = current_database()`.execute(db);
    return rows[0]?.id ?? null;
  } catch (error) {
    if (UNREADABLE_STATES.includes((error as { readonly code?: string }).code ?? '')) return null;
    throw error;
  }
}

interface Waiting {
  readonly accountId: string;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** Maximum number of reads that run at once, so that they leave connections to the other queries. */
const MAX_READS = 3;

/** Creates a reader whose accounts take turns: an account has at most one running read. */
function turnReader(db: Kysely<Tables>): Reader {
  const waiting = new TurnQueue<Waiting>();
  const running = new Set<string>();
  let isClosed = false;

  function next(): void {
    while (!isClosed && running.size < MAX_READS) {
      const read = waiting.shift(accountId => !running.has(accountId));
      if (read === null) return;
      running.add(read.accountId);
      read.start();
    }
  }

  return {
    async all<Row>(accountId: string, query: Compilable<Row>): Promise<readonly Row[]> {
      if (isClosed) throw closedError();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push(accountId, { accountId, start: resolve, reject });
      next();
      await promise;
      try {
        return (await db.executeQuery(query.compile())).rows;
      } finally {
        running.delete(accountId);
        next();
      }
    },
    async close() {
      isClosed = true;
      for (let read = waiting.shift(); read !== null; read = waiting.shift()) read.reject(closedError());
    },
  };
}

export interface ClusterStore extends Store {
  readonly nodes: NodeRegistry;
  readonly idempotency: IdempotencyStore;
  readonly limiter: RateLimiter;
  /** Tells the database from every other one, in digits and a hyphen; null if the server does not tell it. */
  readonly databaseId: string | null;
  /** Ends all connections when the lease was lost, so that what waits fails now; the next statement makes a new connection. */
  disconnect(): void;
}

export interface PostgresStoreOptions {
  /** Every write of sessions, charges and idempotency keys proves that this epoch is open. Absent for the command line. */
  readonly authority?: Authority;
  readonly maxConnections?: number;
  /** Maximum duration of one statement, in milliseconds; null for no maximum. Default: 15,000 */
  readonly statementTimeoutMs?: number | null;
  /** For a connection and a statement of the leases, in milliseconds. Default: 2,000 and 3,000. For tests that renew no lease in time. */
  readonly leaseTimeoutMs?: number;
}

/** A start that cannot reach the database fails after this time, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** On a busy node a query waits at most this long for one of the connections, in milliseconds. */
const QUEUE_TIMEOUT_MS = 15_000;
/** Share of the connections that the transactions of one account may hold. */
const WRITES_SHARE = 0.4;
/** The end of a node's epoch waits this long for the transactions that the node has left, in milliseconds. */
const IDLE_TRANSACTION_TIMEOUT_MS = 2_000;
const MIGRATION_BOUNDS: PoolBounds = {
  maxConnections: 2,
  connectTimeoutMs: CONNECT_TIMEOUT_MS,
  queueTimeoutMs: CONNECT_TIMEOUT_MS,
  statementTimeoutMs: null,
  // A busy process loads its modules while it migrates.
  idleTransactionTimeoutMs: 30_000,
};
/** Leases have short times: a renewal that takes longer comes too late. */
const LEASE_BOUNDS: PoolBounds = {
  maxConnections: 2,
  connectTimeoutMs: 2_000,
  queueTimeoutMs: 2_000,
  statementTimeoutMs: 3_000,
  idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
};

/**
 * Opens a PostgreSQL database as the store, and brings its schema up to date under a lock: nodes that start together wait
 * for each other. The store works again by itself after the database was away.
 * @param url `postgres://user:password@host:port/database`
 * @throws StoreError if the database cannot be reached or used; within about five seconds, and without the password
 */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<ClusterStore> {
  const { authority, maxConnections = 10, statementTimeoutMs = 15_000, leaseTimeoutMs } = options;
  const databaseId = await migratePostgres(url);
  const pools: CuttablePool[] = [];
  const open = (bounds: PoolBounds): Kysely<Tables> => {
    const pool = postgresPool(url, bounds);
    pools.push(pool);
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  };
  const db = open({
    maxConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queueTimeoutMs: QUEUE_TIMEOUT_MS,
    statementTimeoutMs,
    idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
  });
  const leases = open({
    ...LEASE_BOUNDS,
    ...(leaseTimeoutMs !== undefined && {
      connectTimeoutMs: leaseTimeoutMs,
      queueTimeoutMs: leaseTimeoutMs,
      statementTimeoutMs: leaseTimeoutMs,
    }),
  });
  const writes = new AccountWrites(Math.ceil(maxConnections * WRITES_SHARE), QUEUE_TIMEOUT_MS);
  const engine = postgresEngine(db, authority, writes);
  const reader = turnReader(db);
  let closing: Promise<unknown> | null = null;
  return {
    sessions: kyselySessionStore(engine, reader),
    accounts: kyselyAccountStore(db),
    ledger: kyselyLedgerStore(engine, reader),
    wallets: kyselyWalletStore(engine),
    profiles: kyselyProfileStore(engine),
    vault: kyselyVaultStore(db),
    auditLog: kyselyAuditLog(engine),
    shareLinks: kyselyShareLinkStore(db),
    nodes: postgresNodeRegistry(postgresEngine(leases), authority ?? (() => null)),
    idempotency: postgresIdempotencyStore(engine),
    limiter: postgresRateLimiter(db, repeat),
    databaseId,
    reseal: resealRows(db),
    auditLedger: () => auditLedger(db),
    disconnect() {
      for (const pool of pools) pool.cut();
    },
    async close() {
      closing ??= reader.close().then(() => Promise.all([db.destroy(), leases.destroy()]));
      await closing;
    },
  };
}

/** Brings the schema of a PostgreSQL database up to date. @returns what tells it from every other one @throws StoreError */
async function migratePostgres(url: string): Promise<string | null> {
  try {
    const dialect = new MigrationDialect(postgresPool(url, MIGRATION_BOUNDS));
    const db = new Kysely<Tables>({ dialect });
    try {
      await migrate(db);
      await markDatabaseRun(db);
      return await readDatabaseId(db);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    throw postgresError(url, error);
  }
}

/** Returns the error of a start that cannot use a database, in one line, without the password. */
export function postgresError(url: string, error: unknown): StoreError {
  const cause = isFailure(error) ? error.cause : error;
  const happened = `The database ${withoutSecret(url)} (PostgreSQL) cannot be used: ${reasonOf(cause)}`;
  return new StoreError(sentences(happened, postgresAdvice(cause)), { cause: error });
}

function withoutSecret(url: string): string {
  if (!URL.canParse(url)) return 'of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Returns the reason of an error in one line. An AggregateError has one error for each address of a host name, and no message. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return reasonOf(error.cause);
  // The messages of `pg` and of its pool for a server that does not answer.
  if (error instanceof Error && /^(timeout expired|Connection .* connection timeout)$/.test(error.message))
    return `no answer within ${CONNECT_TIMEOUT_MS / 1_000} s`;
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  // The hint that Node.js adds is about an option of its own command line, which the operator of the service does not write.
  return message.replace(/; if the root CA is installed locally.*/, '').replaceAll(/\s+/g, ' ');
}
