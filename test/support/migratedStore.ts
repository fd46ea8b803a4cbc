/** Stores with the schema of the migrations, which run once in a worker: they take longer than most of the tests of a store. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/store/sqlite/openDatabase.ts';
import { createSqliteStore, openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';

let schema: Promise<string> | null = null;
let file: Promise<Buffer> | null = null;

/** Opens an empty store in memory. */
export async function openMemoryStore(): Promise<Store> {
  return createSqliteStore(await withSchema(':memory:'));
}

/** Opens an empty store in a new file. @param path nothing is there */
export async function openNewStore(path: string): Promise<Store> {
  file ??= migratedFile();
  await writeFile(path, await file);
  return openSqliteStore(path);
}

/** Returns the bytes of an empty store's file: a disk takes longer to confirm each statement of the schema than to write the file. */
async function migratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-store-'));
  try {
    const path = join(folder, 'store.sqlite');
    (await withSchema(path)).close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function withSchema(path: string): Promise<DatabaseSync> {
  schema ??= migratedSchema();
  const statements = await schema;
  const database = openDatabase(path);
  database.exec(`begin; ${statements}; commit`);
  return database;
}

/** Returns the statements that make what the migrations make: tables, indexes, triggers, and rows. */
async function migratedSchema(): Promise<string> {
  const database = openDatabase(':memory:');
  const store = await createSqliteStore(database);
  const objects = database
    .prepare(`select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'`)
    .all();
  const rowsOf = (table: string): string[] => {
    const columns = database.prepare('select name from pragma_table_info(?)').all(table);
    const quoted = columns.map(({ name }) => `quote("${name}")`).join(` || ', ' || `);
    return database
      .prepare(`select ${quoted} as row from "${table}"`)
      .all()
      .map(({ row }) => `insert into "${table}" values (${row})`);
  };
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  // Triggers last: the rows are there already.
  const inOrder = (kind: (type: unknown) => boolean) =>
    objects.filter(({ type }) => kind(type)).map(({ sql }) => String(sql));
  const statements = [
    ...inOrder(type => type === 'table'),
    ...tables.flatMap(rowsOf),
    ...inOrder(type => type !== 'table'),
  ];
  await store.close();
  return statements.join(';\n');
}
