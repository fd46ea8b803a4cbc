/** The ledger: charges and credits of an account. */
import { z } from 'zod';
import { type LedgerEntry, type LedgerKind, MAX_BALANCE_MICROS } from '../../../domain/account/ledger.ts';
import { normalizeText } from '../../../domain/space/pageText.ts';
import { DEFAULT_PAGE_SIZE } from '../../../operations/sessions.ts';
import { builder } from '../builder.ts';
import { domainEnum } from '../inputType.ts';
import { decodeGlobalId, parsePageArguments, parseSeqCursor, toConnection } from '../pageArguments.ts';
import { ROW_COST } from '../readCosts.ts';
import { Account } from './account.ts';

const LedgerKindEnum = domainEnum<LedgerKind>('LedgerKind', 'The kind of a ledger entry.', {
  start: 'A session was started.',
  observe: 'A page was observed.',
  step: 'An action was performed.',
  scrape: 'A page was scraped.',
  upload: 'A file was uploaded.',
  idle: 'The time of a session between its operations, charged when it ends.',
  credit: 'The account was credited.',
});

const MICROS_UNIT = 'In micro-units.';

const LedgerEntryType = builder.objectRef<LedgerEntry>('LedgerEntry').implement({
  description:
    'An entry of the ledger: an operation, the idle time of a session, or a credit. Entries never change.',
  fields: t => ({
    seq: t.expose('seq', {
      type: 'SafeInt',
      description: 'Number of the entry within the account: 1, 2, 3, …',
    }),
    kind: t.expose('kind', { type: LedgerKindEnum, description: 'The kind of entry.' }),
    at: t.expose('at', {
      type: 'DateTime',
      description: 'When the operation ended or the credit was added.',
    }),
    reference: t.exposeString('reference', {
      description:
        'The id of the operation; for idle time the id of the session; for a credit its reference.',
    }),
    sessionId: t.exposeID('sessionId', { nullable: true, description: 'The session; null for a credit.' }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description:
        'The API key of the request; for idle time the key that started the session; null for a credit.',
    }),
    browserMs: t.expose('browserMs', {
      type: 'SafeInt',
      description: 'Browser time in milliseconds.',
    }),
    amountMicros: t.expose('amountMicros', {
      type: 'SafeInt',
      description: `Change of the balance: negative for a charge, positive for a credit. ${MICROS_UNIT}`,
    }),
    balanceMicros: t.expose('balanceMicros', {
      type: 'SafeInt',
      description: `Balance after this entry. ${MICROS_UNIT}`,
    }),
  }),
});

builder.objectField(Account, 'ledger', t =>
  t.connection(
    {
      type: LedgerEntryType,
      description: 'Charges and credits, newest first. As CSV: GET /account/ledger.csv.',
      complexity: ({ first, last }) => ({ field: ROW_COST, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE }),
      resolve: async (_account, args, { ledgerPages, turns }) => {
        const { after, before, limit, fromEnd } = parsePageArguments(args);
        const page = await ledgerPages.load({
          limit,
          fromEnd,
          after: after === null ? null : parseSeqCursor('after', after, 1),
          before: before === null ? null : parseSeqCursor('before', before, 1),
        });
        return toConnection(
          page.rows.map(row => ({ node: row, cursor: String(row.seq) })),
          page,
          turns,
        );
      },
    },
    { name: 'LedgerConnection', description: 'A page of the ledger.' },
    { name: 'LedgerEdge', description: 'A ledger entry with its cursor.' },
  ),
);

const MAX_REFERENCE_LENGTH = 200;

const CreditAccountInput = builder.inputType('CreditAccountInput', {
  description: 'A credit for an account.',
  fields: t => ({
    accountId: t.id({
      required: true,
      description: 'The `id` of the Account, or its id as `npm run accounts` lists it.',
    }),
    amountMicros: t.field({
      type: 'SafeInt',
      required: true,
      description: 'The amount in micro-units, above 0. The balance can be at most 10^15 micro-units.',
      validate: {
        type: 'number',
        schema: z
          .int('must be a whole number')
          .min(1, 'must be above 0')
          .max(MAX_BALANCE_MICROS, `must be at most ${MAX_BALANCE_MICROS.toLocaleString('en')}`),
      },
    }),
    reference: t.string({
      required: true,
      description: `An invoice or transaction number: 1 to ${MAX_REFERENCE_LENGTH} characters. An account is credited once per reference.`,
      validate: {
        type: 'string',
        schema: z
          .string()
          .min(1, 'must not be empty')
          .max(MAX_REFERENCE_LENGTH, `must have at most ${MAX_REFERENCE_LENGTH} characters`)
          .refine(text => normalizeText(text) === text, 'must hold no control or invisible characters'),
      },
    }),
  }),
});

builder.mutationField('creditAccount', t =>
  t.field({
    type: LedgerEntryType,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Adds a credit to an account; the first credit changes a FREE account to PAY_AS_YOU_GO. Requires a key of the operator with the scope ADMIN. A repeated request with the same reference returns the existing entry.',
    args: {
      input: t.arg({ type: CreditAccountInput, required: true, description: 'The account and the amount.' }),
    },
    resolve: (_root, { input }, { service, viewer }) =>
      service.credit(viewer, { ...input, accountId: decodeGlobalId(input.accountId).id }),
  }),
);
