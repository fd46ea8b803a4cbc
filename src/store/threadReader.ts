/** A reader with a thread and a connection of its own. SQLite in WAL mode lets it read while the service writes. */
import { Worker } from 'node:worker_threads';
import type { Reader } from './reader.ts';
import type { ReadReply, ReadRequest } from './readerThread.ts';
import { TurnQueue } from './turnQueue.ts';

interface Read extends ReadRequest {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates a reader that runs one query at a time in a thread, which starts with the first read. Accounts take turns, so
 * that an account with a thousand waiting reads delays another one by a single query.
 * @param path the SQLite file
 */
export function threadReader(path: string): Reader {
  const waiting = new TurnQueue<Read>();
  let worker: Worker | null = null;
  let running: Read | null = null;
  let isClosed = false;

  function startWorker(): Worker {
    const started = new Worker(new URL('./readerThread.ts', import.meta.url), { workerData: path });
    // The thread alone must not keep the process alive.
    started.unref();
    started.on('message', (reply: ReadReply) => {
      const done = running;
      running = null;
      if ('rows' in reply) done?.resolve(reply.rows);
      else done?.reject(new Error(reply.error));
      next();
    });
    const onEnd = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      running?.reject(error);
      running = null;
      next();
    };
    started.on('error', onEnd);
    started.on('exit', code => onEnd(new Error(`The reader thread ended with code ${code}`)));
    return started;
  }

  function next(): void {
    if (running !== null || isClosed) return;
    const read = waiting.shift();
    if (read === null) return;
    running = read;
    worker ??= startWorker();
    worker.postMessage({ sql: read.sql, parameters: read.parameters } satisfies ReadRequest);
  }

  return {
    async all<Row>(accountId: string, query: { compile(): ReadRequest }): Promise<readonly Row[]> {
      if (isClosed) throw closedError();
      const { sql, parameters } = query.compile();
      const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
      waiting.push(accountId, { sql, parameters, resolve, reject });
      next();
      // Safe: the query has the type of its rows, and the thread returns its rows.
      return (await promise) as readonly Row[];
    },
    async close() {
      isClosed = true;
      for (let read = running ?? waiting.shift(); read !== null; read = waiting.shift())
        read.reject(closedError());
      running = null;
      const last = worker;
      worker = null;
      await last?.terminate();
    },
  };
}

const closedError = (): Error => new Error('The store is closed');
