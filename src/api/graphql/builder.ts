/** The schema builder with its plugins. It defines no types: each has a file of its own. */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ZodPlugin from '@pothos/plugin-zod';
import type { GraphQLResolveInfo } from 'graphql';
import { scopesGrant } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { decodeGlobalId, encodeGlobalId } from './globalId.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageSizeField } from './pageArguments.ts';
import type { RequestContext } from './requestContext.ts';

/** A text that is an output scalar only; nothing takes one. */
interface OutputScalar<Output> {
  Input: never;
  Output: Output;
}

/** The scope that a field says it needs, for the words of its refusal. */
function requiredScope({ parentType, fieldName }: GraphQLResolveInfo): string {
  const options = parentType.getFields()[fieldName]?.extensions.pothosOptions;
  const { authScopes = {} } = (options ?? {}) as { authScopes?: object };
  return Object.keys(authScopes)[0] ?? 'read';
}

/** Absent or null. */
export type Nullish<Value> = Value | null | undefined;

export const builder = new SchemaBuilder<{
  Context: RequestContext;
  Scalars: {
    ID: { Input: string; Output: string };
    /** Milliseconds since the epoch inside, ISO 8601 outside. */
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
  // The order is the order of the checks: who may not call a field is not told what is wrong with its arguments.
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
      const scope = requiredScope(info);
      return new Failure(
        'SCOPE_DENIED',
        `This key lacks the scope "${scope}", which ${info.fieldName} needs.`,
      );
    },
  },
  // Cost is judged once for the whole operation, before it runs (limits.ts), not in every root field.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 1 },
  zod: { validationError: error => validationFailure(error) },
  relay: {
    encodeGlobalID: (typename, id) => encodeGlobalId(typename, String(id)),
    decodeGlobalID: decodeGlobalId,
    nodesQueryOptions: false,
    idFieldOptions: {
      description: 'Names this object among all objects of the service; `node(id)` finds it again.',
    },
    nodeTypeOptions: { description: 'An object that can be found again by its id.' },
    nodeQueryOptions: {
      description: 'The object with this id, of whatever type; null if the account has none such.',
      authScopes: { read: true },
      args: { id: { description: 'The `id` of a Node. A session_id is the id of its Session.' } },
    },
    pageInfoTypeOptions: { description: 'Where a page of a list stands within the whole list.' },
    hasNextPageFieldOptions: { description: 'Whether more follows after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether something stands before this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null when the page is empty.' },
    endCursorFieldOptions: {
      description:
        'The cursor of the last item, to pass as `after` for the next page; null when the page is empty.',
    },
    cursorFieldOptions: {
      description: "Marks this item's place in the list; pass it as `after` or `before`.",
    },
    nodeFieldOptions: { description: 'The item itself.', nullable: false },
    edgesFieldOptions: {
      description: 'The items of this page with their cursors.',
      nullable: { list: false, items: false },
    },
    pageInfoFieldOptions: { description: 'Where this page stands within the whole list.' },
    firstArgOptions: {
      description: `How many items, from the front: 1 to ${MAX_PAGE_SIZE}. Default ${DEFAULT_PAGE_SIZE}.`,
      validate: { type: 'number', schema: pageSizeField },
    },
    lastArgOptions: {
      description: `How many items, backwards from \`before\` or from the end: 1 to ${MAX_PAGE_SIZE}.`,
      validate: { type: 'number', schema: pageSizeField },
    },
    afterArgOptions: { description: 'Only items after this cursor.' },
    beforeArgOptions: { description: 'Only items before this cursor.' },
  },
});

/** What the builder was told of the schema, for functions that take one of its field builders. */
export type SchemaTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

builder.queryType({
  description: "Reads. None of them opens a page, costs browser time or resets a session's idle timer.",
});
builder.mutationType({
  description: "The operations: each works in a real browser and resets its session's idle timer.",
});
builder.subscriptionType({
  description:
    'What is happening, as it happens, over WebSocket (graphql-transport-ws) or server-sent events.',
});
