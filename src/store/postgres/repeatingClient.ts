/** A connection of a pool whose reads outlast the loss of the connection. */
import type { PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';
import { repeat } from './repeat.ts';
import { isConnectionLost, toDatabaseFailure } from './toDatabaseFailure.ts';

/** The connections of a pool. */
export interface LentConnection {
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
export function repeatingClient(pool: LentConnection): PostgresPoolClient {
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
