/** The audit log of the account. */
import type { AuditEntry } from '../../../domain/ports/auditLog.ts';
import { builder } from '../builder.ts';
import { pageSizeField } from '../pageArguments.ts';
import { ROW_COST } from '../readCosts.ts';

const DEFAULT_ROWS = 20;

const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description:
    'A row of the audit log: a change of keys, policies, profiles or the vault, a use of the vault, a take-over, an approval.',
  fields: t => ({
    seq: t.exposeInt('seq', { description: '1, 2, 3, … within the account.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    actor: t.exposeString('actor', {
      description: 'The id of the key of the caller; `wallet:…`, `oauth:…`; `operator` for the command line.',
    }),
    action: t.exposeString('action', { description: 'The kind of the row, such as `vault.fill`.' }),
    subject: t.exposeString('subject', { description: 'The id or the name of what it is about.' }),
    details: t.expose('details', { type: 'JSON', description: 'More of it, without secrets.' }),
    hash: t.exposeString('hash', {
      description: 'SHA-256 of the row and of the hash of the row before, hex.',
    }),
  }),
});

builder.queryField('auditLog', t =>
  t.field({
    type: [AuditEntryType],
    authScopes: { admin: true },
    complexity: ({ first }) => ({ field: 10, multiplier: (first ?? DEFAULT_ROWS) * ROW_COST }),
    description: 'Rows of the audit log of the account, the newest first. Requires the scope ADMIN.',
    args: {
      first: t.arg.int({
        description: `The number of rows: 1 to 100. Default ${DEFAULT_ROWS}.`,
        validate: { type: 'number', schema: pageSizeField },
      }),
      before: t.arg.int({ description: 'Only rows with a lower `seq`. Default: the newest.' }),
    },
    resolve: async (_root, { first, before }, { service, viewer }) => [
      ...(await service.auditEntries(viewer, before ?? null, first ?? DEFAULT_ROWS)),
    ],
  }),
);
