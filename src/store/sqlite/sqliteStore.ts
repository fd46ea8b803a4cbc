/** The embedded store: one SQLite file, opened with node:sqlite. */
import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { TurnQueue } from '../../async/fairTurns.ts';
import { auditLedger } from '../auditLedger.ts';
import { kyselyAccountStore, kyselyWalletStore } from '../kyselyAccountStore.ts';
import { kyselyAuditLog } from '../kyselyAuditLog.ts';
import { kyselyLedgerStore } from '../kyselyLedgerStore.ts';
import { kyselyProfileStore } from '../kyselyProfileStore.ts';
import { kyselySessionStore } from '../kyselySessionStore.ts';
import { kyselyShareLinkStore } from '../kyselyShareLinkStore.ts';
import { kyselyVaultStore, resealRows } from '../kyselyVaultStore.ts';
import { migrate } from '../migrations/migrations.ts';
import { closedError, sqliteEngine } from '../sqlEngine.ts';
import { type Reader, type Store, sameThreadReader, sqliteOpeningError } from '../store.ts';
import type { Tables } from '../tables.ts';
import { NodeSqliteDialect, openDatabase } from './openDatabase.ts';
import type { ReadReply, ReadRequest } from './readerThread.ts';

/** Milliseconds after the opening of the store until the thread starts: a command that only reads a key does not need it. */
const START_DELAY_MS = 1_000;

/** If the thread fails, SQLite's own checkpoints go on in that of the writes. @returns a function that ends it; idempotent */
export function startCheckpointer(path: string): () => Promise<void> {
  let worker: Worker | null = null;
  const timer = setTimeout(() => {
    worker = new Worker(new URL('./checkpointThread.ts', import.meta.url), { workerData: path });
    // The thread alone must not keep the process alive.
    worker.unref();
    worker.on('error', () => {});
  }, START_DELAY_MS);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    const running = worker;
    worker = null;
    if (running === null || running.threadId === -1) return;
    const ended = once(running, 'exit');
    // Without this, a process with nothing else to do would end here.
    running.ref();
    running.postMessage('close');
    await ended;
  };
}

interface Read extends ReadRequest {
  readonly accountId: string;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Number of threads. Each has about 10 MB, and starts when it is first needed. */
const THREADS = 2;

/** Two threads; accounts take turns, each with at most one running query, so that a thread is left to the others. */
function threadReader(path: string): Reader {
  const waiting = new TurnQueue<Read>();
  const threads = Array.from({ length: THREADS }, () => new ReaderThread(path, next));
  let isClosed = false;

  function next(): void {
    if (isClosed) return;
    for (const thread of threads) {
      if (thread.running !== null) continue;
      const busy = threads.map(({ running }) => running?.accountId);
      const read = waiting.shift(accountId => !busy.includes(accountId));
      if (read === null) return;
      thread.run(read);
    }
  }

  return {
    async all<Row>(accountId: string, query: { compile(): ReadRequest }): Promise<readonly Row[]> {
      if (isClosed) throw closedError();
      const { sql, parameters } = query.compile();
      const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
      waiting.push(accountId, { accountId, sql, parameters, resolve, reject });
      next();
      // Safe: the query has the type of its rows, and the thread returns its rows.
      return (await promise) as readonly Row[];
    },
    async close() {
      isClosed = true;
      for (let read = waiting.shift(); read !== null; read = waiting.shift()) read.reject(closedError());
      await Promise.all(threads.map(thread => thread.close()));
    },
  };
}

/** Runs one query at a time. Starts again after a crash. */
class ReaderThread {
  readonly #path: string;
  readonly #onIdle: () => void;
  #worker: Worker | null = null;
  running: Read | null = null;

  /** @param onIdle called when the thread can run the next query */
  constructor(path: string, onIdle: () => void) {
    this.#path = path;
    this.#onIdle = onIdle;
  }

  run(read: Read): void {
    this.running = read;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ sql: read.sql, parameters: read.parameters } satisfies ReadRequest);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#settle({ error: closedError().message });
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./readerThread.ts', import.meta.url), { workerData: this.#path });
    // The thread alone must not keep the process alive.
    worker.unref();
    worker.on('message', (reply: ReadReply) => this.#settle(reply));
    const onEnd = (error: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#settle({ error });
    };
    worker.on('error', error => onEnd(String(error)));
    worker.on('exit', code => onEnd(`The reader thread ended with code ${code}`));
    return worker;
  }

  #settle(reply: ReadReply): void {
    const read = this.running;
    this.running = null;
    if (read !== null && 'rows' in reply) read.resolve(reply.rows);
    else if ('error' in reply) read?.reject(new Error(reply.error));
    this.#onIdle();
  }
}

/** Size of the reserve in bytes: SQLite starts to move the write-ahead log into the database at 1,000 pages (4 MB), and needs at most as much space for that. */
const RESERVE_BYTES = 5_000_000;

class DiskReserve {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the space if it is not taken yet. Does nothing if the disk does not have it. */
  take(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
    try {
      writeFileSync(this.#path, new Uint8Array(RESERVE_BYTES), { mode: 0o600 });
    } catch {
      this.release();
    }
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }
}

/**
 * Pages of the write-ahead log (4 kB each) at which a commit itself makes a checkpoint. The checkpoint thread is earlier, unless
 * it has failed. SQLite's default is 1,000: each time, a commit of the service waited for the disk (300 ms on a slow one).
 */
const FALLBACK_CHECKPOINT_PAGES = 4_000;

/** Minimum time between two attempts to make space on a full disk, in milliseconds. */
const FULL_REPORT_INTERVAL_MS = 500;

/**
 * Opens the SQLite file of the service, creates it if it is missing, and brings its schema up to date. Committed data survives a crash of the
 * process; a power failure can lose the last moments (synchronous=NORMAL in WAL mode).
 * @param path a file, or `:memory:`
 * @throws StoreError if the file is damaged, incomplete, not a database, not writable, or from a newer version of pagespace
 */
export async function openSqliteStore(path: string): Promise<Store> {
  try {
    const database = openDatabase(path);
    if (path === ':memory:') return await createSqliteStore(database);
    const reserve = new DiskReserve(`${path}.reserve`);
    database.exec(`pragma wal_autocheckpoint = ${FALLBACK_CHECKPOINT_PAGES}`);
    const reader = threadReader(path);
    const store = await createSqliteStore(database, reader, () => makeSpace(database, reserve));
    reserve.take();
    const stopCheckpointer = startCheckpointer(path);
    return {
      ...store,
      async close() {
        // First: no running read is waited for.
        await reader.close();
        // Then this one: the last connection that closes moves the rest of the log.
        await stopCheckpointer();
        await store.close();
      },
    };
  } catch (cause) {
    throw sqliteOpeningError('store', path, cause);
  }
}

/**
 * Creates the store on an open database and brings its schema up to date. Closing the store closes the database.
 * @param reader runs the reads whose time grows with what is stored; null to run them on `database`
 * @param onFull called outside transactions after a write found the disk full, at most once in half a second
 */
export async function createSqliteStore(
  database: DatabaseSync,
  reader: Reader | null = null,
  onFull: () => void = () => {},
): Promise<Store> {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const reportFull = (): void => {
    if (performance.now() - reportedAt < FULL_REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    // A transaction is open now: Kysely rolls it back after the error.
    setImmediate(() => {
      if (database.isOpen && !database.isTransaction) onFull();
    });
  };
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database, reportFull) });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const heavyReads = reader ?? sameThreadReader(db);
  const engine = sqliteEngine(db);
  return {
    sessions: kyselySessionStore(engine, heavyReads),
    accounts: kyselyAccountStore(db),
    ledger: kyselyLedgerStore(engine, heavyReads),
    wallets: kyselyWalletStore(engine),
    profiles: kyselyProfileStore(engine),
    vault: kyselyVaultStore(db),
    auditLog: kyselyAuditLog(engine),
    shareLinks: kyselyShareLinkStore(db),
    reseal: resealRows(db),
    auditLedger: () => auditLedger(db),
    async close() {
      await heavyReads.close();
      await db.destroy();
    },
  };
}

/** Moves the log, so that it begins anew. When the log itself has filled the disk, only the space of the reserve allows that. */
function makeSpace(database: DatabaseSync, reserve: DiskReserve): void {
  reserve.release();
  try {
    // Passive: it never waits for a reader.
    database.exec('pragma wal_checkpoint(passive)');
  } catch {
    // The disk is still full; the next write that fails tries again.
  }
  reserve.take();
}
