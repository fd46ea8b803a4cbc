/** Implements NodeRegistry on PostgreSQL. */
import { type Kysely, sql } from 'kysely';
import { isFailure } from '../../domain/failure/failures.ts';
import type { NodeEpoch, NodeRegistry } from '../../domain/ports/nodeRegistry.ts';
import type { SqlEngine, StoreTransaction } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';
import type { Authority } from './postgresEngine.ts';

/** Maximum wait for the transactions of a node whose epoch ends, in milliseconds. The next call tries again. */
const END_TIMEOUT_MS = 1_000;
/** Ended epochs are kept for this time, in days: idempotency keys refer to them. */
const KEPT_DAYS = 7;

/**
 * Creates the registry of the nodes.
 * @param engine on connections of its own, so that a renewal never waits for other queries
 * @param authority the node that buries the sessions of ended epochs
 */
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
