/** A reader on the connections of a pool. */
import type { Compilable, Kysely } from 'kysely';
import type { Reader } from '../reader.ts';
import type { Tables } from '../tables.ts';
import { TurnQueue } from '../turnQueue.ts';

interface Waiting {
  readonly accountId: string;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** Maximum number of reads that run at once, so that they leave connections to the other queries. */
const MAX_READS = 3;

/** Creates a reader whose accounts take turns: an account has at most one running read. */
export function turnReader(db: Kysely<Tables>): Reader {
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

const closedError = (): Error => new Error('The store is closed');
