import { type Kysely, sql } from 'kysely';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type {
  ClaimState,
  IdempotencyClaim,
  IdempotencyStore,
  NodeEpoch,
  NodeRegistry,
} from '../../domain/ports/nodes.ts';
import type { SqlEngine, StoreTransaction } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';
import {
  type AccountWrites,
  type BegunTransaction,
  databaseRun,
  isCommitted,
  isConnectionLost,
  markDatabaseRun,
  repeat,
} from './postgresPool.ts';

/** Returns the epoch of this node; null before it has one and after it has lost it. */
export type Authority = () => NodeEpoch | null;

/** @param authority absent for the command line, which has no epoch @param writes absent for a database without accounts */
export function postgresEngine(db: Kysely<Tables>, authority?: Authority, writes?: AccountWrites): SqlEngine {
  return {
    db,
    transact: work => repeat(() => runOnce(db, work)),
    transactAsNode: (work, accountId) => {
      // The epoch is that of the call, also if the transaction waits.
      const run = asNode(db, authority, work);
      return accountId === undefined || writes === undefined ? run() : writes.run(accountId, run);
    },
    async lock(trx, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
    },
  };
}

function asNode<Result>(
  db: Kysely<Tables>,
  authority: Authority | undefined,
  work: (trx: StoreTransaction, owner: NodeEpoch | null) => Promise<Result>,
): () => Promise<Result> {
  if (authority === undefined) return () => repeat(() => runOnce(db, trx => work(trx, null)));
  // A repetition under a later epoch would write what the node knew before it lost its lease.
  const first = authority();
  return () =>
    repeat(async () => {
      const owner = authority();
      if (owner === null || owner.epoch !== first?.epoch) throw lostLease();
      return runOnce(db, trx => work(trx, owner), owner);
    });
}

async function runOnce<Result>(
  db: Kysely<Tables>,
  work: (trx: StoreTransaction) => Promise<Result>,
  owner: NodeEpoch | null = null,
): Promise<Result> {
  const trx = await db.startTransaction().execute();
  // A connection that is lost has nothing to roll back.
  const rollBack = () =>
    trx
      .rollback()
      .execute()
      .catch(() => {});
  let begun: BegunTransaction;
  let result: Result;
  try {
    begun = await begin(trx, owner);
    result = await work(trx);
  } catch (error) {
    await rollBack();
    throw error;
  }
  // After a crash of the server its new run has no token yet. If this fails, a later transaction does it.
  if (begun.run === null) void markDatabaseRun(db).catch(() => {});
  try {
    await trx.commit().execute();
  } catch (error) {
    await rollBack();
    const isLost = isFailure(error) && isConnectionLost(error.cause);
    // Another error than a lost connection is the server's answer: the transaction has not been committed.
    if (!isLost || !(await isCommitted(db, begun, error))) throw error;
  }
  return result;
}

/** Numbers the transaction. For a node, proves that its epoch is open, and keeps it open until the commit. */
async function begin(trx: StoreTransaction, owner: NodeEpoch | null): Promise<BegunTransaction> {
  // `for key share` conflicts only with the lock under which an epoch ends, not with a renewal of the lease.
  const proof =
    owner === null
      ? sql`true`
      : sql`(select true from nodes where epoch = ${owner.epoch} and node_id = ${owner.nodeId}
          and ended_at is null for key share)`;
  const { rows } = await sql<BegunTransaction & { is_open: boolean | null }>`
    select pg_current_xact_id()::text as xid, pg_backend_pid() as pid, ${databaseRun} as run,
      ${proof} as is_open`.execute(trx);
  const [row] = rows;
  if (row?.is_open !== true) throw lostLease();
  return row;
}

const lostLease = (): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'This node of the service lost its lease, so it may write nothing. Nothing was done; another node can do it.',
    { retryAfterSeconds: 2 },
  );

const KEPT_MINUTES = 10;
/** Maximum size of the responses that are kept for an account, in bytes. */
const MAX_ACCOUNT_BYTES = 16_000_000;

interface StoredClaim {
  readonly input_hash: string;
  readonly response: Uint8Array | null;
  readonly epoch: number;
  /** Null if the epoch has ended. */
  readonly node_id: string | null;
}

/** The row's response has expired, or its operation was lost with its node so long ago. */
const isFree = sql<boolean>`(idempotency_keys.expires_at <= clock_timestamp()
  or idempotency_keys.expires_at is null and not exists (select from nodes where nodes.epoch = idempotency_keys.epoch
    and (ended_at is null or ended_at > clock_timestamp() - make_interval(mins => ${sql.lit(KEPT_MINUTES)}))))`;

/** The epoch is open, and stays open until the commit. */
const isOpen = ({ nodeId, epoch }: NodeEpoch) =>
  sql<boolean>`exists (select from nodes where epoch = ${epoch} and node_id = ${nodeId} and ended_at is null for key share)`;

const isClaimOf = ({ accountId, key }: IdempotencyClaim, { epoch }: NodeEpoch) =>
  sql<boolean>`account_id = ${accountId} and key = ${key} and epoch = ${epoch} and response is null`;

export function postgresIdempotencyStore(engine: SqlEngine): IdempotencyStore {
  const { db } = engine;

  /** True if the key was free and is this node's now. */
  async function insert(claim: IdempotencyClaim, { epoch }: NodeEpoch): Promise<boolean> {
    const { rows } = await engine.transactAsNode(trx =>
      sql<{ epoch: number }>`
        insert into idempotency_keys (account_id, key, input_hash, epoch)
        values (${claim.accountId}, ${claim.key}, ${claim.inputHash}, ${epoch})
        on conflict (account_id, key) do update
          set input_hash = excluded.input_hash, epoch = excluded.epoch, response = null, expires_at = null
          where ${isFree}
        returning epoch`.execute(trx),
    );
    return rows.length > 0;
  }

  async function read({ accountId, key }: IdempotencyClaim): Promise<StoredClaim | undefined> {
    const { rows } = await sql<StoredClaim>`
      select input_hash, response, k.epoch, n.node_id
      from idempotency_keys k left join nodes n on n.epoch = k.epoch and n.ended_at is null
      where account_id = ${accountId} and key = ${key}`.execute(db);
    return rows[0];
  }

  return {
    async claim(claim, owner) {
      for (;;) {
        if (await insert(claim, owner)) return { type: 'claimed' };
        const stored = await read(claim);
        // Without a row, the other request has just freed the key.
        if (stored !== undefined) return toState(stored, claim);
      }
    },

    async complete(claim, owner, response) {
      const { numAffectedRows = 0n } = await engine.transact(trx =>
        sql`update idempotency_keys
          set response = ${Buffer.from(response)}, expires_at = clock_timestamp() + make_interval(mins => ${sql.lit(KEPT_MINUTES)})
          where ${isClaimOf(claim, owner)} and ${isOpen(owner)}`.execute(trx),
      );
      if (numAffectedRows > 0n) return true;
      // An attempt before this one may have stored it without an answer.
      const stored = await read(claim);
      return stored?.epoch === owner.epoch && stored.response !== null;
    },

    async release(claim, owner) {
      await engine.transact(trx =>
        sql`delete from idempotency_keys where ${isClaimOf(claim, owner)} and ${isOpen(owner)}`.execute(trx),
      );
    },

    async removeExpired() {
      await engine.transactAsNode(async trx => {
        // Another node may remove the same rows: each skips those that the other one has locked.
        await sql`delete from idempotency_keys where (account_id, key) in (
          select account_id, key from idempotency_keys where ${isFree} for update skip locked)`.execute(trx);
        await sql`delete from idempotency_keys where (account_id, key) in (
          select account_id, key from (
            select account_id, key, sum(octet_length(response)) over (
              partition by account_id order by expires_at desc, key) as total
            from idempotency_keys where response is not null) as sized
          where total > ${sql.lit(MAX_ACCOUNT_BYTES)})`.execute(trx);
      });
    },
  };
}

function toState({ input_hash, response, epoch, node_id }: StoredClaim, claim: IdempotencyClaim): ClaimState {
  if (input_hash !== claim.inputHash) return { type: 'reused' };
  if (response !== null) return { type: 'done', response };
  return { type: 'running', owner: node_id === null ? null : { nodeId: node_id, epoch } };
}

/** Maximum wait for the transactions of a node whose epoch ends, in milliseconds. The next call tries again. */
const END_TIMEOUT_MS = 1_000;
/** Ended epochs are kept for this time, in days: idempotency keys refer to them. */
const KEPT_DAYS = 7;

/** `engine` has connections of its own, so that no renewal waits for queries; `authority` buries the sessions of ended epochs. */
export function postgresNodeRegistry(engine: SqlEngine, authority: Authority): NodeRegistry {
  const { db } = engine;
  return {
    register: (nodeId, version) =>
      engine.transact(async trx => {
        await endOpen(trx, nodeId);
        await sql`delete from nodes where ended_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})
          and not exists (select from sessions where sessions.epoch = nodes.epoch and status = 'active')`.execute(
          trx,
        );
        const { rows } = await sql<{ epoch: number }>`
          insert into nodes (node_id, version) values (${nodeId}, ${version}) returning epoch`.execute(trx);
        return { nodeId, epoch: rows[0]?.epoch ?? Number.NaN };
      }),

    async renew({ nodeId, epoch }, { sessions, capacity, draining }) {
      const { numAffectedRows = 0n } = await sql`update nodes
        set renewed_at = clock_timestamp(), sessions = ${sessions}, capacity = ${capacity}, draining = ${draining}
        where epoch = ${epoch} and node_id = ${nodeId} and ended_at is null`.execute(db);
      return numAffectedRows > 0n;
    },

    async endExpired(expiryMs) {
      const { rows } = await sql<{
        epoch: number;
      }>`select epoch from nodes where ${isExpired(expiryMs)}`.execute(db);
      for (const { epoch } of rows) await endIfExpired(engine, epoch, expiryMs);
      return claimBurials(db, authority()?.epoch ?? null);
    },

    async release({ epoch }) {
      await engine.transact(trx => endEpochs(trx, sql`epoch = ${epoch}`));
    },

    async liveNodes() {
      const rows = await db
        .selectFrom('nodes')
        .select(['node_id', 'epoch', 'version', 'sessions', 'capacity', 'draining'])
        .where('ended_at', 'is', null)
        .orderBy('epoch')
        .execute();
      return rows.map(({ node_id, ...row }) => ({ nodeId: node_id, ...row }));
    },
  };
}

const isExpired = (expiryMs: number) => sql<boolean>`ended_at is null
  and renewed_at < clock_timestamp() - make_interval(secs => ${expiryMs / 1_000}::double precision)`;

const endOpen = (trx: StoreTransaction, nodeId: string): Promise<void> =>
  endEpochs(trx, sql`node_id = ${nodeId}`);

/** Ends the open epochs that match. `for update` waits for their transactions, and stops new ones. */
async function endEpochs(trx: StoreTransaction, condition: ReturnType<typeof sql<boolean>>): Promise<void> {
  await sql`with ending as (select epoch from nodes where ended_at is null and ${condition} for update)
    update nodes set ended_at = clock_timestamp() from ending where nodes.epoch = ending.epoch`.execute(trx);
}

async function endIfExpired(engine: SqlEngine, epoch: number, expiryMs: number): Promise<void> {
  try {
    await engine.transact(async trx => {
      await sql`set local lock_timeout = ${sql.lit(END_TIMEOUT_MS)}`.execute(trx);
      await endEpochs(trx, sql`epoch = ${epoch} and ${isExpired(expiryMs)}`);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

/** SQLSTATE lock_not_available. */
const isLockTimeout = (error: unknown): boolean => {
  const cause = isFailure(error) ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === '55P03';
};

/** Returns the ended epochs with active sessions that no other live node buries, and notes that this node does. */
async function claimBurials(db: Kysely<Tables>, buriedBy: number | null): Promise<readonly NodeEpoch[]> {
  const { rows } = await sql<{ node_id: string; epoch: number }>`
    update nodes set buried_by = ${buriedBy}::bigint
    where ended_at is not null
      and exists (select from sessions where sessions.epoch = nodes.epoch and sessions.status = 'active')
      and (buried_by is null or buried_by = ${buriedBy}::bigint
        or not exists (select from nodes other where other.epoch = nodes.buried_by and other.ended_at is null))
    returning node_id, epoch`.execute(db);
  return rows.map(({ node_id, epoch }) => ({ nodeId: node_id, epoch }));
}
