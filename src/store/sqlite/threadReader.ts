/** A reader with threads and connections of its own. SQLite in WAL mode lets them read while the service writes. */
import { Worker } from 'node:worker_threads';
import type { Reader } from '../store.ts';
import { TurnQueue } from '../turnQueue.ts';
import type { ReadReply, ReadRequest } from './readerThread.ts';

interface Read extends ReadRequest {
  readonly accountId: string;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Number of threads. Each has about 10 MB, and starts when it is first needed. */
const THREADS = 2;

/**
 * Creates a reader that runs queries in two threads. Accounts take turns, and an account has at most one running query:
 * one with a thousand waiting reads leaves a thread to the others.
 * @param path the SQLite file
 */
export function threadReader(path: string): Reader {
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

/** One thread, which runs one query at a time. Starts again after a crash. */
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

const closedError = (): Error => new Error('The store is closed');
