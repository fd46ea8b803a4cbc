/** The vault: its list, and the mutations that write and delete an entry. Steps fill its values. */
import { deleteVaultEntry, listVault, saveVaultEntry, vaultEntryShape } from '../../../operations/vault.ts';
import { builder, ROW_COST } from '../builder.ts';
import { inputType, resultType } from '../operationTypes.ts';
import { selectionOf } from './selects.ts';

const VaultEntryType = resultType(vaultEntryShape);

builder.queryField('vault', t =>
  t.field({
    type: [VaultEntryType],
    authScopes: { read: true },
    complexity: { field: 10, multiplier: ROW_COST },
    description: 'The entries of the vault by name, without their values.',
    resolve: async (_root, _args, context) => [...(await listVault(context))],
  }),
);

const SaveInput = inputType(saveVaultEntry.request, saveVaultEntry.fields);

builder.mutationField(saveVaultEntry.name, t =>
  t.field({
    type: VaultEntryType,
    authScopes: { admin: true },
    complexity: 20,
    description: saveVaultEntry.description,
    args: { input: t.arg({ type: SaveInput, required: true, description: 'The entry.' }) },
    resolve: (_root, { input }, context, info) => saveVaultEntry.run(input, context, selectionOf(info)),
  }),
);

const DeleteInput = inputType(deleteVaultEntry.request, deleteVaultEntry.fields);

builder.mutationField(deleteVaultEntry.name, t =>
  t.field({
    type: 'String',
    authScopes: { admin: true },
    complexity: 20,
    description: deleteVaultEntry.description,
    args: { input: t.arg({ type: DeleteInput, required: true, description: 'The entry.' }) },
    resolve: (_root, { input }, context, info) => deleteVaultEntry.run(input, context, selectionOf(info)),
  }),
);
