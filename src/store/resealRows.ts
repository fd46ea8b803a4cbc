import type { Kysely } from 'kysely';
import type { SealedRow, Store } from './store.ts';
import type { Tables } from './tables.ts';

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
