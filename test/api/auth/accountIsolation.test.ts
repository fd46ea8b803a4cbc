import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../src/api/graphql/schema.ts';
import { restRoutes } from '../../../src/api/rest/restRouteTable.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';
import { overSocket } from '../../support/subscribe.ts';

/**
 * Finds every GraphQL field and REST route that takes an id, and calls it with the ids of one account and the key of another.
 * The other account is an operator, so only the account check can refuse the call. A new field with an unknown kind of id
 * fails until ID_ARGUMENTS lists it.
 */

let product: TestProduct;
let stranger: string;
let owner: string;
let own: Record<IdKind, string>;
const SECRET = 'only-mine';

/** The kinds of ids, and the arguments that take them. */
const ID_ARGUMENTS = {
  session: ['sessionId', 'session_id'],
  node: ['id of node'],
  account: ['accountId'],
  key: ['id of revokeApiKey', 'id of setKeyPolicy', 'keyId', 'key_id'],
  // Ids inside a session that are UUIDs.
  part: ['holdId', 'hold_id', 'linkId', 'link_id'],
  observation: ['diffSince', 'since', 'diff_since'],
  // Ids inside a session, which another argument names.
  within: ['actionId', 'action_id', 'download_id', 'file_id', 'approvalId', 'approval_id', 'observation_id'],
} as const;
type IdKind = keyof typeof ID_ARGUMENTS;

/** Takes ids of other accounts on purpose, and only from the operator; tested elsewhere. */
const OPERATORS_OWN = new Set(['Mutation.creditAccount', 'Mutation.drainNode']);

/** Take an id as a condition of a list of the account's own sessions. */
const CONDITIONS = new Set(['Query.sessions']);

/** Take ids of earlier observations of the session that the field belongs to. */
const WITHIN_OWN_OBJECT = ['Space.diff', 'Session.observation', 'Session.event'];

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  const { store, clock } = product.started;
  stranger = (await addAccount(store, clock, 'stranger', 'local')).key;
  const mine = await addAccount(store, clock, SECRET, 'local');
  owner = mine.key;
  const { body } = await callApi(product.url, 'POST', '/session/start', { key: mine.key, body: {} });
  own = {
    session: body.session_id,
    node: body.session_id,
    account: mine.account.id,
    key: mine.viewer.keyId,
    observation: 'never',
    within: 'D1',
    part: body.session_id,
  };
});
afterAll(() => product[Symbol.asyncDispose]());

const isId = (name: string, type: GraphQLInputType): boolean =>
  getNamedType(type).name === 'ID' || /(Id|_id|Since)$|^id$/.test(name);

function kindOf(name: string, field: string): IdKind {
  for (const [kind, names] of Object.entries(ID_ARGUMENTS))
    if (names.some(known => known === name || known === `${name} of ${field}`)) return kind as IdKind;
  // `session(id)` takes a session id.
  if (name === 'id' && field === 'session') return 'session';
  throw new Error(`${field}(${name}:) takes an unknown kind of id. Add it to ID_ARGUMENTS.`);
}

interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** Returns a value for an argument: an id of the owner, or any valid value if the argument is required. */
function valueFor({ name, type }: Input, field: string): unknown {
  const named = getNamedType(type);
  if (isListType(getNullableType(type)) && isInputObjectType(named))
    return isNonNullType(type) ? [] : undefined;
  if (isInputObjectType(named)) {
    if (!isNonNullType(type) && !takesId({ name, type })) return undefined;
    const entries = Object.values(named.getFields())
      .map(one => [one.name, valueFor(one, field)] as const)
      .filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }
  if (isId(name, type)) {
    const kind = kindOf(name, field);
    if (name === 'actionId') return 'L1';
    return kind === 'observation' ? undefined : own[kind];
  }
  if (!isNonNullType(type)) return undefined;
  if (['Int', 'Float', 'SafeInt'].includes(named.name)) return 1;
  return 'x';
}

const takesId = (input: Input): boolean => {
  const named = getNamedType(input.type);
  if (isInputObjectType(named)) return Object.values(named.getFields()).some(takesId);
  return isId(input.name, input.type);
};

/** Selects the scalar fields of a type and of the objects below it, so that a leak becomes visible. */
function leaves(type: GraphQLObjectType, depth = 0): string {
  const parts = Object.values(type.getFields()).flatMap(field => {
    if (field.args.some(arg => arg.type instanceof GraphQLNonNull)) return [];
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    return isObjectType(named) && depth < 2 ? [`${field.name} { ${leaves(named, depth + 1)} }`] : [];
  });
  return ['__typename', ...parts].join(' ');
}

/** The fields of each event type; empty for other interfaces. */
function eventFields(interfaceName: string): string {
  const type = schema.getType(interfaceName);
  if (interfaceName !== 'SessionEvent' || !isInterfaceType(type)) return '';
  return schema
    .getPossibleTypes(type)
    .map(each => `... on ${each.name} { ${leaves(each, 1)} }`)
    .join(' ');
}

function documentOf(operation: string, field: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(field.type);
  const selection = isObjectType(named)
    ? // The cost of a subscription has a low maximum.
      `{ ${leaves(named, operation === 'subscription' ? 1 : 0)} }`
    : isLeafType(named)
      ? ''
      : `{ __typename id ${eventFields(named.name)} }`;
  const passedArguments = field.args.filter(arg => valueFor(arg, field.name) !== undefined);
  const list = (of: (arg: GraphQLArgument) => string) => passedArguments.map(of).join(', ');
  return `${operation} (${list(arg => `$${arg.name}: ${arg.type}`)}) { ${field.name}(${list(arg => `${arg.name}: $${arg.name}`)}) ${selection} }`;
}

const roots = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
] as const;

const fields = roots.flatMap(([operation, type]) =>
  Object.values(type?.getFields() ?? {})
    .filter(field => field.args.some(takesId))
    .map(field => ({ coordinate: `${type?.name}.${field.name}`, operation, field }))
    .filter(({ coordinate }) => !CONDITIONS.has(coordinate)),
);

test('Fields of objects take no ids except those of their own object', () => {
  const rootTypes = new Set(roots.map(([, type]) => type?.name));
  const found = Object.values(schema.getTypeMap())
    .filter(type => isObjectType(type) && !type.name.startsWith('__') && !rootTypes.has(type.name))
    .flatMap(type => Object.values((type as GraphQLObjectType).getFields()).map(field => ({ type, field })))
    .filter(({ field }) => field.args.some(takesId))
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(found).toEqual(WITHIN_OWN_OBJECT);
});

test("The owner's key gets the session that a stranger's key does not", async () => {
  for (const { operation, field } of fields.filter(one => one.operation === 'query')) {
    const variables = Object.fromEntries(field.args.map(arg => [arg.name, valueFor(arg, field.name)]));
    const response = await callGraphql(product.url, owner, documentOf(operation, field), variables);
    expect(response.body.data[field.name]).not.toBeNull();
  }
});

test('This test finds the fields of the schema that take ids', () => {
  const found = fields.map(one => one.coordinate);
  for (const known of [
    'Query.session',
    'Query.node',
    'Mutation.step',
    'Mutation.revokeApiKey',
    'Subscription.sessionEvents',
  ])
    expect(found).toContain(known);
});

describe.each(fields.filter(one => !OPERATORS_OWN.has(one.coordinate)))(
  '$coordinate',
  ({ operation, field }) => {
    test('finds nothing of another account', async () => {
      const variables = Object.fromEntries(field.args.map(arg => [arg.name, valueFor(arg, field.name)]));
      const body = { query: documentOf(operation, field), variables };
      const response = await callApi(product.url, 'POST', '/graphql', {
        key: stranger,
        body,
        headers: { accept: operation === 'subscription' ? 'text/event-stream' : 'application/json' },
      });
      expect(response.text).not.toContain(SECRET);
      const text = response.text;
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
      // Queries return null; mutations and subscriptions fail with a code such as SESSION_NOT_FOUND.
      if (operation === 'query') expect(JSON.parse(text).data).toEqual({ [field.name]: null });
      else expect(code).toMatch(/NOT_FOUND$/);
    });

    test('finds nothing of another account over a WebSocket', async () => {
      const variables = Object.fromEntries(field.args.map(arg => [arg.name, valueFor(arg, field.name)]));
      const results = overSocket({ ...product, key: stranger }, documentOf(operation, field), variables);
      const { value } = await results.next();
      await results.return();
      expect(JSON.stringify(value)).not.toContain(SECRET);
      if (operation === 'query') expect(value?.data).toEqual({ [field.name]: null });
      else expect(value?.errors?.[0]?.extensions.code).toMatch(/NOT_FOUND$/);
    });

    test('responds to an id of another account as to an id that does not exist', async () => {
      const theirs = Object.fromEntries(field.args.map(arg => [arg.name, valueFor(arg, field.name)]));
      const unknownIds = JSON.parse(
        JSON.stringify(theirs).replaceAll(
          /[0-9a-f]{8}-[0-9a-f-]{27}/g,
          '0b4a7c5e-0000-4000-8000-000000000000',
        ),
      );
      const query = documentOf(operation, field);
      const accept = operation === 'subscription' ? 'text/event-stream' : 'application/json';
      const ask = async (variables: object) => {
        const { text } = await callApi(product.url, 'POST', '/graphql', {
          key: stranger,
          body: { query, variables },
          headers: { accept },
        });
        // Ignores ids and fields that differ between any two requests.
        return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
      };
      expect(await ask(theirs)).toBe(await ask(unknownIds));
    });
  },
);

/** The fields that a route requires besides ids. */
const REQUIRED: Readonly<Record<string, object>> = {
  '/session/request-take-over': { instructions: 'x' },
  '/session/take-over': { name: 'x' },
};

const paths = restRoutes.flatMap(route =>
  [route.path, ...route.aliases].map(path => ({ route, path, name: `${route.method} ${path}` })),
);
/** Returns the fields of a route's request that are ids. */
const idsOf = (route: (typeof restRoutes)[number]): string[] => {
  const shape = (route.request as unknown as { shape?: object; def?: { in?: { shape?: object } } }).shape;
  return Object.keys(shape ?? {}).filter(name => /_id$|_since$/.test(name));
};

describe.each(paths.filter(({ route, path }) => path !== '/session/start' && idsOf(route).length > 0))(
  '$name',
  ({ route, path }) => {
    test('finds nothing of another account', async () => {
      const ids = Object.fromEntries(
        idsOf(route)
          .map(name => [name, kindOf(name, path)] as const)
          .filter(([, kind]) => kind !== 'observation')
          .map(([name, kind]) => [name, name === 'action_id' ? 'L1' : own[kind]]),
      );
      const address = path.replaceAll(
        /\{(\w+)\}/g,
        (_all, name: string) => ids[name] ?? (name === 'number' ? '1' : 'x'),
      );
      const response = await callApi(product.url, route.method, address, {
        key: stranger,
        ...(route.bodyType === 'json' && { body: { ...ids, ...REQUIRED[path] } }),
        ...(route.bodyType === 'bytes' && { body: 'bytes', headers: { 'content-type': 'text/plain' } }),
      });
      expect(response.status).toBe(404);
      expect(response.body.code).toBe('SESSION_NOT_FOUND');
    });
  },
);

test('The request of each route with {session_id} in its path has session_id', () => {
  for (const { route, path } of paths)
    if (path.includes('{session_id}')) expect(idsOf(route), path).toContain('session_id');
});

test('Sessions, keys, usage and ledger of a stranger contain nothing of another account', async () => {
  const query = `{ sessions(first: 100) { totalCount edges { node { id } } }
    viewer { account { name keys { id } usage(by: SESSION) { groups { name } } ledger { edges { node { sessionId } } } } } }`;
  const { text } = await callGraphql(product.url, stranger, query);
  for (const secret of [SECRET, own.session, own.key, own.account]) expect(text).not.toContain(secret);
  const csv = await callApi(product.url, 'GET', '/account/ledger.csv', { key: stranger });
  expect(csv.text).not.toContain(own.session);
});

test('A list with the key of another account as its condition is empty', async () => {
  const query = 'query ($key: ID) { sessions(keyId: $key) { totalCount edges { node { id } } } }';
  const { body } = await callGraphql(product.url, stranger, query, { key: own.key });
  expect(body.data.sessions).toEqual({ totalCount: 0, edges: [] });
});

test('A cursor of another account shows nothing of it', async () => {
  const sessions = (after: string) =>
    `{ sessions(first: 5${after}) { totalCount edges { cursor node { id } } } }`;
  const mine = await callGraphql(product.url, owner, sessions(''));
  const { cursor } = mine.body.data.sessions.edges[0];
  for (const way of ['after', 'before']) {
    const query = sessions(`, ${way}: ${JSON.stringify(cursor)}`);
    const { body } = await callGraphql(product.url, stranger, query);
    expect(body.data.sessions).toEqual({ totalCount: 0, edges: [] });
  }
});

test('node(id) returns null for a global id of another account', async () => {
  const query = 'query ($id: ID!) { node(id: $id) { id } }';
  const { body } = await callGraphql(product.url, stranger, query, { id: `Account:${own.account}` });
  expect(body.data.node).toBeNull();
});
