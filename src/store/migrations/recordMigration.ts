/** Names and labels of sessions, the mode of their record, and one number an account for all its events. */
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the columns and tables for the record of sessions. Events of earlier versions have no number in their account. */
export const record: Migration = {
  async up(db) {
    for (const column of ['name', 'labels', 'record'])
      await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
    await db.schema
      .createTable('session_labels')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('label', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column =>
        column.notNull().references('sessions.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('session_labels_pk', ['session_id', 'label'])
      .execute();
    await db.schema
      .createIndex('session_labels_of_account')
      .on('session_labels')
      .columns(['account_id', 'label', 'session_id'])
      .execute();
    await db.schema
      .createTable('service_keys')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('value', 'text', column => column.notNull())
      .execute();
    await db.schema
      .createTable('account_event_counters')
      .addColumn('account_id', 'text', column => column.primaryKey())
      .addColumn('last_number', 'bigint', column => column.notNull())
      .execute();
    for (const [column, type] of [
      ['account_id', 'text'],
      ['account_number', 'bigint'],
    ] as const)
      await db.schema.alterTable('session_events').addColumn(column, type).execute();
    await db.schema
      .createIndex('session_events_of_account')
      .unique()
      .on('session_events')
      .columns(['account_id', 'account_number'])
      .where(sql.ref('account_number'), 'is not', null)
      .execute();
  },
};

/** Adds what a key says about the records of its sessions, and whether a session records the console and the requests. */
export const pageLog: Migration = {
  async up(db) {
    for (const [table, column] of [
      ['api_keys', 'record'],
      ['api_keys', 'page_log'],
      ['sessions', 'page_log'],
    ] as const)
      await db.schema.alterTable(table).addColumn(column, 'text').execute();
  },
};
