import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ZodPlugin from '@pothos/plugin-zod';
import type { GraphQLResolveInfo } from 'graphql';
import { scopesGrant } from '../../domain/account/account.ts';
import { scopeDenied } from '../../operations/operation.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../operations/sessions.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { decodeGlobalId, encodeGlobalId, pageSizeField } from './pageArguments.ts';
import type { RequestContext } from './requestContext.ts';

/** The cost of fields that read the store or the disk, by what is read, not by what is returned; the unit is about one returned field. */

export const ROW_COST = 5;
export const COUNT_EVENTS_COST = 20;
/** Cost of reading the last observation of a session, a JSON document with up to 10,000 actions. */
export const OBSERVATION_COST = 50;
export const MARKDOWN_COST = 20;
export const FOLDER_COST = 50;
export const SESSION_CHARGES_COST = 10;
/** Cost of counting the sessions of an account. It is multiplied by the size of the page of sessions that the count is read with. */
export const COUNT_SESSIONS_COST = 5;
export const SEARCH_SESSIONS_COST = 1_000;
export const ALL_CHARGES_COST = 1_000;

interface OutputScalar<Output> {
  Input: never;
  Output: Output;
}

function requiredScope({ parentType, fieldName }: GraphQLResolveInfo): string {
  const options = parentType.getFields()[fieldName]?.extensions.pothosOptions;
  const { authScopes = {} } = (options ?? {}) as { authScopes?: object };
  return Object.keys(authScopes)[0] ?? 'read';
}

export const builder = new SchemaBuilder<{
  Context: RequestContext;
  Scalars: {
    ID: { Input: string; Output: string };
    /** A time: milliseconds since the epoch in the code, ISO 8601 in requests and responses. */
    DateTime: { Input: number; Output: number };
    URL: OutputScalar<string>;
    JSON: { Input: unknown; Output: unknown };
    Base64: OutputScalar<string>;
    SafeInt: { Input: number; Output: number };
    Params: { Input: Readonly<Record<string, string>>; Output: never };
  };
  AuthScopes: { read: boolean; operate: boolean; admin: boolean };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
}>({
  // The order is that of the checks. Scopes come before arguments, so that a caller without the scope learns nothing
  // about the field.
  plugins: [ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin, ZodPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authScopes: ({ viewer: { scopes } }) => ({
      operate: scopesGrant(scopes, 'operate'),
      read: scopesGrant(scopes, 'read'),
      admin: scopesGrant(scopes, 'admin'),
    }),
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, _context, info) => {
      return scopeDenied(requiredScope(info), info.fieldName);
    },
  },
  // The cost is checked once per operation, before it runs (plugins/queryLimits.ts), not in each root field.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 1 },
  zod: { validationError: error => validationFailure(error) },
  relay: {
    encodeGlobalID: (typename, id) => encodeGlobalId(typename, String(id)),
    decodeGlobalID: decodeGlobalId,
    nodesQueryOptions: false,
    idFieldOptions: {
      description: 'Global id of the object, which `node(id)` accepts.',
    },
    nodeTypeOptions: { description: 'An object with a global id.' },
    nodeQueryOptions: {
      description: 'The object with this global id; null if the account has none.',
      authScopes: { read: true },
      args: { id: { description: 'The `id` of a Node. For a Session it is the session_id.' } },
    },
    pageInfoTypeOptions: { description: 'The position of a page within the whole list.' },
    hasNextPageFieldOptions: { description: 'True when items follow after this page.' },
    hasPreviousPageFieldOptions: { description: 'True when items precede this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null if the page is empty.' },
    endCursorFieldOptions: {
      description:
        'The cursor of the last item: pass it as `after` to get the next page. Null if the page is empty.',
    },
    cursorFieldOptions: {
      description: 'The position of the item in the list: pass it as `after` or `before`.',
    },
    nodeFieldOptions: { description: 'The item.', nullable: false },
    edgesFieldOptions: {
      description: 'The items of the page with their cursors.',
      nullable: { list: false, items: false },
    },
    pageInfoFieldOptions: { description: 'The position of the page within the whole list.' },
    firstArgOptions: {
      description: `Return the first n items: 1 to ${MAX_PAGE_SIZE}. Default ${DEFAULT_PAGE_SIZE}.`,
      validate: { type: 'number', schema: pageSizeField },
    },
    lastArgOptions: {
      description: `Return the last n items before \`before\`, or of the whole list: 1 to ${MAX_PAGE_SIZE}.`,
      validate: { type: 'number', schema: pageSizeField },
    },
    afterArgOptions: { description: 'Return items after this cursor.' },
    beforeArgOptions: { description: 'Return items before this cursor.' },
  },
});

/** The type parameter of the schema builder. A function that takes one of its field builders needs it. */
export type SchemaTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

builder.queryType({
  description: 'Reads. No query opens a page, costs browser time or resets the idle timer of a session.',
});
builder.mutationType({
  description:
    'Operations in real browser sessions, and the management of API keys and credit. An operation in a session resets its idle timer.',
});
builder.subscriptionType({
  description: 'Live updates, over WebSocket (graphql-transport-ws) or server-sent events.',
});
