/** The ledger: what was charged and credited. */
import { z } from 'zod';
import { Failure } from '../../../domain/failures.ts';
import type { LedgerEntry, LedgerKind } from '../../../domain/ledger.ts';
import { builder } from '../builder.ts';
import { DEFAULT_PAGE_SIZE, parsePageArguments } from '../pageArguments.ts';
import { Account } from './account.ts';
import { domainEnum } from './domainEnum.ts';

const LedgerKindEnum = domainEnum<LedgerKind>('LedgerKind', 'What a row of the ledger is for.', {
  start: 'A session was started.',
  observe: 'A page was observed.',
  step: 'An action was done.',
  scrape: "A page's content was taken.",
  upload: 'A file was uploaded.',
  idle: 'The time of a session between its operations, charged at its end.',
  credit: 'The account was credited.',
});

const MICROS_UNIT = 'Micro-units: a whole number.';

const LedgerEntryType = builder.objectRef<LedgerEntry>('LedgerEntry').implement({
  description:
    'A row of the ledger: one operation, the idle time of one session, or a credit. It never changes.',
  fields: t => ({
    seq: t.expose('seq', {
      type: 'SafeInt',
      description: 'Its number within the account: rises by one, from 1.',
    }),
    kind: t.expose('kind', { type: LedgerKindEnum, description: 'What it is for.' }),
    at: t.expose('at', {
      type: 'DateTime',
      description: 'When the operation ended, or the credit was given.',
    }),
    reference: t.exposeString('reference', {
      description: "The operation's own id, the session's for its idle time, or what the credit is for.",
    }),
    sessionId: t.exposeID('sessionId', { nullable: true, description: 'The session; null for a credit.' }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description: 'The key that asked; for idle time the one that started the session; null for a credit.',
    }),
    browserMs: t.expose('browserMs', {
      type: 'SafeInt',
      description: 'Milliseconds that a browser was held: a whole number.',
    }),
    amountMicros: t.expose('amountMicros', {
      type: 'SafeInt',
      description: `What it did to the balance: charges are negative. ${MICROS_UNIT}`,
    }),
    balanceMicros: t.expose('balanceMicros', {
      type: 'SafeInt',
      description: `The balance after it. ${MICROS_UNIT}`,
    }),
  }),
});

const cursor = z.coerce.number().int().min(1);

/** @throws Failure VALIDATION_ERROR */
function parseLedgerCursor(path: 'after' | 'before', text: string | null): number | null {
  if (text === null) return null;
  const seq = cursor.safeParse(text);
  if (seq.success) return seq.data;
  const errors = [{ path, message: 'must be a cursor as an earlier page answered it' }];
  throw new Failure('VALIDATION_ERROR', `${path} is not a cursor of this list.`, { errors });
}

builder.objectField(Account, 'ledger', t =>
  t.connection(
    {
      type: LedgerEntryType,
      description:
        'What was charged and credited, the newest first. All of it as CSV: GET /account/ledger.csv.',
      complexity: ({ first, last }) => ({ field: 5, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE }),
      resolve: async (_account, args, { service, viewer }) => {
        const { after, before, ...page } = parsePageArguments(args);
        const { rows, hasNext, hasPrevious } = await service.ledgerPage(viewer, {
          ...page,
          after: parseLedgerCursor('after', after),
          before: parseLedgerCursor('before', before),
        });
        const edges = rows.map(row => ({ node: row, cursor: String(row.seq) }));
        return {
          edges,
          pageInfo: {
            hasNextPage: hasNext,
            hasPreviousPage: hasPrevious,
            startCursor: edges.at(0)?.cursor ?? null,
            endCursor: edges.at(-1)?.cursor ?? null,
          },
        };
      },
    },
    { name: 'LedgerConnection', description: 'A page of the ledger, the newest first.' },
    { name: 'LedgerEdge', description: 'A row of the ledger with its cursor.' },
  ),
);

const MAX_REFERENCE_LENGTH = 200;

const CreditAccountInput = builder.inputType('CreditAccountInput', {
  description: 'Credit for an account.',
  fields: t => ({
    accountId: t.id({ required: true, description: "The account's id, as the operator's list shows it." }),
    amountMicros: t.field({
      type: 'SafeInt',
      required: true,
      description: 'How much: a whole number of micro-units above 0.',
      validate: {
        type: 'number',
        schema: z.int('must be a whole number').min(1, 'must be above 0'),
      },
    }),
    reference: t.string({
      required: true,
      description: `What it is for, such as the number of an invoice: 1 to ${MAX_REFERENCE_LENGTH} characters. An account is credited once for it.`,
      validate: {
        type: 'string',
        schema: z
          .string()
          .min(1, 'must not be empty')
          .max(MAX_REFERENCE_LENGTH, `must have at most ${MAX_REFERENCE_LENGTH} characters`),
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
      "Credits an account; with the first credit a free account begins to pay as it goes. Only the operator's own key with the scope ADMIN may. Sent again with the same reference it answers the row that stands.",
    args: { input: t.arg({ type: CreditAccountInput, required: true, description: 'Whom, and how much.' }) },
    resolve: (_root, { input }, { service, viewer }) => service.credit(viewer, input),
  }),
);
