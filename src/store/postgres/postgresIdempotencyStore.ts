/** Implements IdempotencyStore on PostgreSQL. */
import { sql } from 'kysely';
import type { ClaimState, IdempotencyClaim, IdempotencyStore } from '../../domain/ports/idempotencyStore.ts';
import type { NodeEpoch } from '../../domain/ports/nodeRegistry.ts';
import type { SqlEngine } from '../sqlEngine.ts';

/** A response is kept for this time, in minutes. */
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

  /** Returns true if the key was free and is this node's now. */
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
