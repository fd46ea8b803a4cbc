/** The manual of failures, from the one table. */
import { type FailureCode as Code, FAILURES, type FailureDefinition } from '../../../domain/failures.ts';
import { builder } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';

const codes = Object.keys(FAILURES) as Code[];

export const FailureCode = domainEnum<Code>(
  'FailureCode',
  'Every way the service says no. Stands as `code` in the extensions of an error.',
  Object.fromEntries(
    codes.map(code => [code, `${FAILURES[code].title}. ${FAILURES[code].description}`]),
  ) as Record<Code, string>,
);

const FailureInfo = builder.objectRef<FailureDefinition & { readonly code: Code }>('FailureInfo').implement({
  description: 'A row of the table of failures.',
  fields: t => ({
    code: t.expose('code', { type: FailureCode, description: 'The code.' }),
    status: t.exposeInt('status', { description: 'The HTTP status of the same failure over REST.' }),
    title: t.exposeString('title', { description: 'Its short title, the same for every occurrence.' }),
    meaning: t.exposeString('description', { description: 'What happened and what you can do.' }),
    retryable: t.exposeBoolean('retryable', {
      description: 'Whether the same call can succeed later without being changed.',
    }),
  }),
});

builder.queryField('failureCodes', t =>
  t.field({
    type: [FailureInfo],
    description: 'The table of all failures, in the order of the manual.',
    resolve: () => codes.map(code => ({ code, ...FAILURES[code] })),
  }),
);
