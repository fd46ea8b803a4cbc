/** The ledger of an account as a file. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { LedgerEntry } from '../../domain/account/ledger.ts';
import { formatTime } from '../../domain/json.ts';
import { deleteVaultEntry, listVault, saveVaultEntry, vaultEntryShape } from '../../operations/vault.ts';
import { fileRoute, operationRoute, type RestRoute, readRoute } from './route.ts';
import { bodySchema, restLayout } from './selection.ts';

const time = z.iso
  .datetime({ offset: true, error: 'must be an ISO time such as 2026-03-09T00:00:00Z' })
  .transform(text => Date.parse(text));

const LedgerQuery = z
  .strictObject({
    from: time.optional().meta({ description: 'Start of the period (inclusive). Default: the first row.' }),
    to: time.optional().meta({ description: 'End of the period (exclusive). Default: now.' }),
  })
  .meta({ id: 'LedgerQuery' });

const COLUMNS = [
  'seq',
  'at',
  'kind',
  'reference',
  'session_id',
  'key_id',
  'browser_ms',
  'amount_micros',
  'balance_micros',
];

export const ledgerRoute: RestRoute = fileRoute({
  method: 'GET',
  path: '/account/ledger.csv',
  title: 'Get the ledger',
  description: 'Returns charges and credits, oldest first, as CSV (RFC 4180) with a header line.',
  bodyType: null,
  request: LedgerQuery,
  response: null,
  respond: async ({ from = 0, to = Number.MAX_SAFE_INTEGER }, { context: { service, viewer, turns } }) => {
    const pages = service.exportLedger(viewer, { from, to });
    // Read the first page before the response starts, so that a failure can still become a problem.
    const first = await pages.next();
    const chunks = async function* () {
      yield Buffer.from(`${COLUMNS.join(',')}\r\n`);
      if (first.done !== true) yield csvLines(first.value);
      for await (const page of pages) {
        await turns.next();
        yield csvLines(page);
      }
    };
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="ledger.csv"',
        'cache-control': 'no-store',
      },
      body: Readable.toWeb(Readable.from(chunks())) as ReadableStream<Uint8Array>,
    };
  },
});

const csvLines = (rows: readonly LedgerEntry[]): Buffer =>
  Buffer.from(rows.map(row => `${csvLine(row)}\r\n`).join(''));

const csvLine = (row: LedgerEntry): string =>
  [
    row.seq,
    formatTime(row.at),
    row.kind,
    csvField(row.reference),
    row.sessionId ?? '',
    row.keyId ?? '',
    row.browserMs,
    row.amountMicros,
    row.balanceMicros,
  ].join(',');

/** Quotes a CSV field (RFC 4180). An apostrophe keeps a spreadsheet from running a text as a formula (OWASP, CSV injection). */
const csvField = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const EntryBody = bodySchema(vaultEntryShape);

export const vaultRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/vault',
    title: 'List the vault',
    description: 'Lists the entries of the vault by name, without their values.',
    graphql: 'vault',
    request: z.strictObject({}),
    response: z
      .object({ entries: z.array(EntryBody) })
      .meta({ id: 'Vault', description: 'The entries of the vault.' }),
    read: async (_query, context) => ({
      entries: (await listVault(context)).map(entry =>
        restLayout.write(vaultEntryShape, entry, context.service),
      ),
    }),
  }),
  operationRoute({
    operation: saveVaultEntry,
    path: '/vault/save',
    example: { name: 'shop', origins: ['https://shop.example'], username: 'ann', password: 'correct horse' },
    response: EntryBody,
    layOut: (entry, _selection, { service }) => restLayout.write(vaultEntryShape, entry, service),
  }),
  operationRoute({
    operation: deleteVaultEntry,
    path: '/vault/delete',
    example: { name: 'shop' },
    response: z
      .object({ name: z.string().meta({ description: 'The name of the entry.' }) })
      .meta({ id: 'DeletedVaultEntry', description: 'The entry that was deleted.' }),
    layOut: name => ({ name }),
  }),
];
