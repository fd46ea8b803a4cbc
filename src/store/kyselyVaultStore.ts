import type { Kysely, Selectable } from 'kysely';
import type { VaultStore } from '../domain/ports/accountStore.ts';
import { VAULT_FIELDS, type VaultEntry } from '../domain/vault.ts';
import { excluded } from './sqlEngine.ts';
import type { SealedRow, Store } from './store.ts';
import type { Tables, VaultEntryRow } from './tables.ts';

export function kyselyVaultStore(db: Kysely<Tables>): VaultStore {
  return {
    async save(accountId, { name, fields, origins, savedAt }, sealed) {
      const row = {
        account_id: accountId,
        name,
        fields: fields.join(' '),
        origins: origins.join(' '),
        saved_at: savedAt,
        sealed,
      };
      await db
        .insertInto('vault_entries')
        .values(row)
        .onConflict(conflict =>
          conflict
            .columns(['account_id', 'name'])
            .doUpdateSet(excluded('fields', 'origins', 'saved_at', 'sealed')),
        )
        .execute();
    },

    async find(accountId, name) {
      const row = await db
        .selectFrom('vault_entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? null : { entry: toEntry(row), sealed: row.sealed };
    },

    async list(accountId) {
      const rows = await db
        .selectFrom('vault_entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('name')
        .execute();
      return rows.map(toEntry);
    },

    async recordUse(accountId, name, at) {
      await db
        .updateTable('vault_entries')
        .set({ used_at: at })
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .execute();
    },

    async remove(accountId, name) {
      const removed = await db
        .deleteFrom('vault_entries')
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .returning('name')
        .execute();
      return removed.length > 0;
    },
  };
}

const toEntry = ({ name, fields, origins, saved_at, used_at }: Selectable<VaultEntryRow>): VaultEntry => ({
  name,
  // Ignore fields that only newer versions know.
  fields: VAULT_FIELDS.filter(field => fields.split(' ').includes(field)),
  origins: origins.split(' '),
  savedAt: saved_at,
  usedAt: used_at,
});

/** Returns the function that replaces the encrypted contents of a database: see `Store.reseal`. */
export const resealRows =
  (db: Kysely<Tables>): Store['reseal'] =>
  async reseal => {
    let count = 0;
    for (const table of ['profiles', 'vault_entries'] as const) {
      const columns = [
        'account_id',
        'name',
        ...(table === 'profiles' ? (['version'] as const) : []),
      ] as const;
      // One after the other: each can have megabytes.
      for (const key of await db
        .selectFrom(table as 'profiles')
        .select(columns)
        .execute()) {
        const found = await db
          .selectFrom(table as 'profiles')
          .select(['account_id', 'name', 'origins', 'sealed'])
          .where(({ and }) => and(key))
          .executeTakeFirst();
        if (found === undefined) continue;
        const { account_id: accountId, name, origins, sealed: before } = found;
        const kind: SealedRow['kind'] = table === 'profiles' ? 'profile' : 'vault';
        const sealed = reseal({ kind, accountId, name, origins: origins.split(' '), sealed: before });
        if (sealed === null) continue;
        const { numUpdatedRows } = await db
          .updateTable(table as 'profiles')
          .set({ sealed })
          .where(({ and }) => and({ ...key, sealed: before }))
          .executeTakeFirst();
        count += Number(numUpdatedRows);
      }
    }
    return count;
  };
