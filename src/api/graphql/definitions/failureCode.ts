/** The enum FailureCode, made from the table of failures. */

import { type FailureCode as Code, FAILURES } from '../../../domain/failure/failures.ts';
import type { FailureDefinition } from '../../../domain/failure/failureTable.ts';
import { builder } from '../builder.ts';
import { domainEnum } from '../inputType.ts';

const codes = Object.keys(FAILURES) as Code[];

export const FailureCode = domainEnum<Code>(
  'FailureCode',
  'All error codes, as returned in `extensions.code`.',
  Object.fromEntries(
    codes.map(code => [code, `${FAILURES[code].title}. ${FAILURES[code].description}`]),
  ) as Record<Code, string>,
);

const FailureInfo = builder.objectRef<FailureDefinition & { readonly code: Code }>('FailureInfo').implement({
  description: 'An error code and its meaning.',
  fields: t => ({
    code: t.expose('code', { type: FailureCode, description: 'The error code.' }),
    status: t.exposeInt('status', { description: 'The HTTP status of the same failure over REST.' }),
    title: t.exposeString('title', { description: 'A short title, the same for every occurrence.' }),
    description: t.exposeString('description', {
      description: 'An explanation of the error, and what you can do.',
    }),
    retryable: t.exposeBoolean('retryable', {
      description: 'True when the same request can succeed later.',
    }),
  }),
});

builder.queryField('failureCodes', t =>
  t.field({
    type: [FailureInfo],
    description: 'All error codes with their meanings, in the order of docs/failures.md.',
    resolve: () => codes.map(code => ({ code, ...FAILURES[code] })),
  }),
);
