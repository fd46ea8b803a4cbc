/** The routes of the vault. */
import { z } from 'zod';
import { vaultEntryShape } from '../../operations/results/vault.ts';
import { deleteVaultEntry, listVault, saveVaultEntry } from '../../operations/vault.ts';
import { bodySchema, restLayout } from './body.ts';
import { bodyOf } from './request.ts';
import { operationRoute, type RestRoute, readRoute } from './route.ts';
import { WHOLE_BODY } from './selection.ts';

const EntryBody = bodySchema(vaultEntryShape);

/** The routes that list, write and delete entries of the vault. */
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
    body: bodyOf('SaveVaultEntryRequest', saveVaultEntry.fields, {}, []) as z.ZodType<object>,
    complete: request => request,
    toSelection: () => WHOLE_BODY,
    response: EntryBody,
    layOut: (entry, _selection, { service }) => restLayout.write(vaultEntryShape, entry, service),
  }),
  operationRoute({
    operation: deleteVaultEntry,
    path: '/vault/delete',
    example: { name: 'shop' },
    body: bodyOf('DeleteVaultEntryRequest', deleteVaultEntry.fields, {}, []) as z.ZodType<object>,
    complete: request => request,
    toSelection: () => WHOLE_BODY,
    response: z
      .object({ name: z.string().meta({ description: 'The name of the entry.' }) })
      .meta({ id: 'DeletedVaultEntry', description: 'The entry that was deleted.' }),
    layOut: name => ({ name }),
  }),
];
