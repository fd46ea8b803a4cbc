/**
 * Makes the schema that operations are executed with. It differs from the public schema in the types of fields with plain data: there they are
 * scalars, whose values `plainData.ts` converts at once. Operations are parsed, validated and priced with the public schema.
 */
import {
  defaultFieldResolver,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { CallerTurns } from '../../async/fairTurns.ts';
import { isPlainData, type PlainReader, plainReader } from './plainData.ts';
import type { RequestContext } from './requestContext.ts';

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** Returns the schema to execute operations of `schema` with; the same one for each call. @throws Error if plain data are not plain */
export function executionSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  const known = schemas.get(schema) ?? toExecutionSchema(schema);
  schemas.set(schema, known);
  return known;
}

/** The type of converted plain data. Its values are JSON already. */
const PlainJson = new GraphQLScalarType({ name: 'PlainJson' });

function toExecutionSchema(schema: GraphQLSchema): GraphQLSchema {
  const { types, query, mutation, subscription, ...config } = schema.toConfig();
  for (const type of types) if (isObjectType(type) && isPlainData(type)) assertPlain(type, schema);
  const mapped = new Map<GraphQLNamedType, GraphQLNamedType>();
  const map = <Type extends GraphQLNamedType>(type: Type): Type => {
    const found = mapped.get(type) ?? copyOf(type, mapType);
    mapped.set(type, found);
    // A copy is of the same class.
    return found as Type;
  };
  const mapType = <Type extends GraphQLOutputType>(type: Type): Type => {
    if (isNonNullType(type)) return new GraphQLNonNull(mapType(type.ofType)) as Type;
    return (isListType(type) ? new GraphQLList(mapType(type.ofType)) : map(type as GraphQLNamedType)) as Type;
  };
  const rootOf = (root: GraphQLObjectType | null | undefined) => (root == null ? null : map(root));
  return new GraphQLSchema({
    ...config,
    types: types.map(map),
    query: rootOf(query),
    mutation: rootOf(mutation),
    subscription: rootOf(subscription),
    assumeValid: true,
  });
}

/** Makes a copy of a composite type whose fields have the types that `mapType` returns. Other types remain as they are. */
function copyOf(
  type: GraphQLNamedType,
  mapType: <Type extends GraphQLOutputType>(type: Type) => Type,
): GraphQLNamedType {
  if (isIntrospectionType(type)) return type;
  if (isUnionType(type))
    return new GraphQLUnionType({ ...type.toConfig(), types: () => type.getTypes().map(mapType) });
  if (!isObjectType(type) && !isInterfaceType(type)) return type;
  const parts = {
    interfaces: () => type.getInterfaces().map(mapType),
    fields: () =>
      Object.fromEntries(
        Object.entries(type.toConfig().fields).map(([name, field]) => [name, copyOfField(field, mapType)]),
      ),
  };
  return isObjectType(type)
    ? new GraphQLObjectType({ ...type.toConfig(), ...parts })
    : new GraphQLInterfaceType({ ...type.toConfig(), ...parts });
}

type FieldConfig = GraphQLFieldConfig<unknown, RequestContext>;

function copyOfField(
  field: FieldConfig,
  mapType: <Type extends GraphQLOutputType>(type: Type) => Type,
): FieldConfig {
  const { type, resolve } = field;
  if (!isPlainData(type)) return { ...field, type: mapType(type) };
  return {
    ...field,
    type: isNonNullType(type) ? new GraphQLNonNull(PlainJson) : PlainJson,
    resolve: convertingResolver(type, resolve),
  };
}

/** Maximum number of items that are converted in one turn of the caller. */
const MAX_ITEMS_AT_ONCE = 200;

/** Returns a resolver whose values are the JSON that the operation selects. */
function convertingResolver(
  type: GraphQLOutputType,
  resolve: GraphQLFieldResolver<unknown, RequestContext> = defaultFieldResolver,
): GraphQLFieldResolver<unknown, RequestContext> {
  const list = getNullableType(type);
  const itemType = isListType(list) ? list.ofType : null;
  return (source, args, context, info) => {
    const convert = (value: unknown): unknown =>
      itemType !== null && Array.isArray(value) && value.length > MAX_ITEMS_AT_ONCE
        ? convertInTurns(value, plainReader(itemType, info), context.turns)
        : plainReader(type, info)(value);
    const value: unknown = resolve(source, args, context, info);
    return value instanceof Promise ? value.then(convert) : convert(value);
  };
}

/** Converts a long list, with turns of other callers in between. */
async function convertInTurns(
  items: readonly unknown[],
  read: PlainReader,
  turns: CallerTurns,
): Promise<unknown[]> {
  const converted: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (index % MAX_ITEMS_AT_ONCE === 0) await turns.continue();
    converted.push(read(item));
  }
  return converted;
}

/** Checks the fields of a type that is marked as plain data. */
function assertPlain(type: GraphQLObjectType, schema: GraphQLSchema): void {
  const isInUnion = Object.values(schema.getTypeMap()).some(
    one => isUnionType(one) && one.getTypes().includes(type),
  );
  if (isInUnion || type.getInterfaces().length > 0)
    throw new Error(`${type.name} is plain data, but its fragments can have conditions.`);
  for (const { name, args, type: fieldType } of Object.values(type.getFields()))
    if (args.length > 0 || !(isLeafType(getNamedType(fieldType)) || isPlainData(fieldType)))
      throw new Error(`${type.name}.${name} is not plain data.`);
}
