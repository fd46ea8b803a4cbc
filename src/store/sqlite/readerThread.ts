/** The thread of `threadReader`: runs one query after another on its own read-only connection. */

import { setPriority } from 'node:os';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { openReadOnly } from './connection.ts';

export interface ReadRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The rows of a query, or the message of its error. */
export type ReadReply = { readonly rows: readonly unknown[] } | { readonly error: string };

const MAX_PREPARED_STATEMENTS = 100;

/** Niceness of the thread (nice(2)): when the processor is busy, the thread of the requests goes first. */
const NICENESS = 5;

// On Linux the process id 0 means this thread only; elsewhere it means the process.
if (process.platform === 'linux') setPriority(0, NICENESS);
const database = openReadOnly(String(workerData));
const prepared = new LRUCache<string, StatementSync>({ max: MAX_PREPARED_STATEMENTS });

function read({ sql, parameters }: ReadRequest): ReadReply {
  try {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    // Safe: the tables contain only text, numbers and null, and so do the parameters of the queries.
    return { rows: statement.all(...(parameters as readonly SQLInputValue[])) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(read(request)));
