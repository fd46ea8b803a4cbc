import { execute } from '@graphql-tools/executor';
import fc from 'fast-check';
import { type GraphQLObjectType, getNamedType, isObjectType, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import type { RequestRateLimit } from '../../../src/api/auth/requestRateLimit.ts';
import { executeDocument } from '../../../src/api/graphql/executeDocument.ts';
import { createRequestContext, type Log } from '../../../src/api/graphql/requestContext.ts';
import { schema } from '../../../src/api/graphql/schema.ts';
import { FairTurns } from '../../../src/async/fairTurns.ts';
import type { Viewer } from '../../../src/domain/account/account.ts';
import { newSession } from '../../../src/domain/session/session.ts';
import type { Action } from '../../../src/domain/space/action.ts';
import type { ObservationResult, Pagespace } from '../../../src/service/pagespace.ts';
import { spaceOf } from '../../domain/spaceOf.ts';

/** Plain data are converted without the executor. It must not show. */

const action = (index: number): Action => ({
  id: `I${index}`,
  kind: index % 2 === 0 ? 'input' : 'button',
  description: `textbox "Field ${index}"`,
  category: 'Main',
  status: index % 3 === 0 ? 'covered' : 'valid',
  params:
    index % 2 === 0
      ? [{ name: 'value', type: 'option', default: 'a', values: index % 4 === 0 ? null : ['a', 'b'] }]
      : [],
  role: 'textbox',
  name: index % 5 === 0 ? null : `Field ${index}`,
  value: '\ud83d',
  checked: index % 2 === 0 ? null : false,
  disabled: false,
  expanded: null,
  inViewport: true,
  bounds: index % 3 === 0 ? null : { x: 0.5, y: -1, width: 10, height: index },
  frame: null,
  fingerprint: 'f',
});

const actions = Array.from({ length: 450 }, (_, index) => action(index));
const session = newSession({
  id: '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11',
  accountId: 'a',
  at: 0,
  timeoutMinutes: 5,
  maxLifetimeMinutes: null,
});
const observation: ObservationResult = {
  session,
  observationId: 'O1',
  metadata: {
    url: 'http://x/',
    title: 'X',
    timestamp: 1_000,
    httpStatus: null,
    tabs: [{ id: 'T1', title: 'X', url: 'http://x/', active: true }],
  },
  space: spaceOf(actions, {
    dialog: { kind: 'prompt', message: 'Name?', defaultValue: null },
    messages: [{ kind: 'alert', text: 'No.', action: null, isNew: true }],
    pending: { requests: ['GET x/y'], timers: [], busy: [], navigation: null },
    downloads: [{ id: null, name: 'a.csv', state: 'running' }],
  }),
  diff: { added: actions.slice(0, 2), removed: [], changed: actions.slice(2, 4), messages: [] },
  data: null,
  screenshot: null,
};

const viewer: Viewer = {
  account: { id: 'a', name: 'a', tier: 'local', createdAt: 0 },
  keyId: 'k',
  scopes: ['operate'],
};
const service = { observe: async () => observation, now: () => 2_000 } as Partial<Pagespace> as Pagespace;
const contextValue = createRequestContext(service, {} as Log, {
  viewer,
  requestId: 'r',
  signal: new AbortController().signal,
  rateLimit: {} as RequestRateLimit,
  record: { sessionId: null } as never,
  turns: new FairTurns().of('a'),
});

/** One selection: fields, with aliases, directives and fragments around them. Conflicts are left to the validation. */
function selection(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter(({ name }) => !UNUSED.has(name));
  const field = fc.constantFrom(...fields).chain(({ name, type: fieldType }) => {
    const inner = getNamedType(fieldType);
    if (!isObjectType(inner)) return fc.constant(name);
    return depth === 0
      ? fc.constant('__typename')
      : selection(inner, depth - 1).map(text => `${name} ${text}`);
  });
  const decorated = fc
    .tuple(field, fc.constantFrom('', '', 'a: ', '__proto__: '), fc.constantFrom(...WRAPS))
    .map(([text, alias, wrap]) => wrap(`${alias}${text}`, type.name));
  return fc.array(decorated, { minLength: 1, maxLength: 5 }).map(all => `{ ${all.join(' ')} }`);
}

const UNUSED: ReadonlySet<string> = new Set(['session', 'account', 'diff', 'data']);
const WRAPS: ReadonlyArray<(field: string, type: string) => string> = [
  field => field,
  field => field,
  field => `${field} __typename`,
  field => `${field} ${field}`,
  field => `... @include(if: $yes) { ${field} }`,
  field => `... @skip(if: $yes) { ${field} }`,
  (field, type) => `... on ${type} { ${field} }`,
];

const variableValues = { yes: true };
const toDocument = (text: string) =>
  parse(`mutation($yes: Boolean!) { observe(input: {url: "http://x/"}) @include(if: $yes) ${text} }`);

test('executeDocument() returns the bytes that the executor returns, for any selection of plain data', async () => {
  const type = schema.getType('Observation');
  if (!isObjectType(type)) throw new Error('The schema has no observation.');
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(selection(type, 3), async text => {
      const document = toDocument(text);
      if (validate(schema, document).length > 0) return;
      const args = { schema, document, contextValue, variableValues };
      const [ours, theirs] = [await executeDocument(args), await execute(args)];
      expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
      // The reader of the document is kept.
      expect(JSON.stringify(await executeDocument(args))).toBe(JSON.stringify(theirs));
      compared += 1;
    }),
    { numRuns: 150 },
  );
  expect(compared).toBeGreaterThan(30);
});

test('executeDocument() returns the public schema', async () => {
  const document = parse(
    '{ __schema { types { name } } __type(name: "Space") { fields { type { name } } } }',
  );
  const result = await executeDocument({ schema, document, contextValue });
  expect(result.errors).toBeUndefined();
  expect(JSON.stringify(result)).toContain('ActionParam');
  expect(JSON.stringify(result)).not.toContain('PlainJson');
});

test('executeDocument() fails for null where the type has none, as the executor does', async () => {
  const broken = { ...observation, metadata: { ...observation.metadata, title: null } };
  const document = toDocument('{ id metadata { title } }');
  const args = {
    schema,
    document,
    variableValues,
    contextValue: { ...contextValue, service: { ...service, observe: async () => broken } },
  };
  const [ours, theirs] = [await executeDocument(args), await execute(args)];
  expect(ours.data).toEqual('data' in theirs ? theirs.data : undefined);
  expect(ours.errors?.[0]?.path).toEqual(['observe', 'metadata']);
});
