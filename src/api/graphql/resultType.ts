/** GraphQL object types, made from the shapes of results. */
import type { FieldMap } from '@pothos/core';
import type { EnumTable } from '../../operations/field.ts';
import type { ResultField, ResultType, Shape } from '../../operations/results/shape.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { enumType } from './inputType.ts';

type ObjectFields<Source> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Source>;

const types = new Map<Shape<never>, unknown>();

/**
 * Returns the GraphQL type of a shape; the first call adds it to the schema.
 * @param more fields that only GraphQL has, or that have arguments there; they replace those of the shape
 */
export function resultType<Source extends object>(
  shape: Shape<Source>,
  more: (t: ObjectFields<Source>) => FieldMap = () => ({}),
) {
  const known = types.get(shape);
  const found =
    known ??
    builder.objectRef<Source>(shape.name).implement({
      description: shape.description,
      fields: t => ({ ...resultFields(t, shape), ...more(t) }),
    });
  types.set(shape, found);
  // The type of a shape is always made here, with its source.
  return found as ReturnType<typeof builder.objectRef<Source>>;
}

/** Makes `type` the GraphQL type of the shape, which has been added to the schema in another way: it is a node. */
export const setResultType = (shape: Shape<never>, type: unknown): void => void types.set(shape, type);

/** Returns the GraphQL fields of a shape. @param without names of fields that are not among them */
export const resultFields = <Source extends object>(
  t: ObjectFields<Source>,
  { fields }: Shape<Source>,
  without: readonly string[] = [],
): FieldMap =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !without.includes(name))
      .map(([name, field]) => [name, resultField(t, name, field)]),
  );

function resultField<Source extends object>(
  t: ObjectFields<Source>,
  name: string,
  { type, nullable, description, cost, read }: ResultField<Source>,
) {
  const property = name as keyof Source;
  const isList = isJsonList(type);
  const isJson = isList || type === 'JSON';
  return t.field({
    // The compiler cannot relate the table to the types of the builder; JSON accepts every value.
    type: resultTypeOf(type) as 'JSON',
    // A list of JSON values may contain null.
    nullable: (nullable && isList ? { list: true, items: true } : nullable === true) as never,
    description,
    ...(cost !== undefined && { complexity: cost }),
    resolve: (source, _args, { service }) => {
      const value = read === undefined ? source[property] : read(source, service);
      return (isJson ? opaqueJson(value) : value) as never;
    },
  });
}

const isJsonList = (type: ResultType): boolean =>
  typeof type === 'object' && !('kind' in type) && type[0] === 'JSON';

function resultTypeOf(type: ResultType): unknown {
  if (typeof type === 'string') return type;
  if (!('kind' in type)) return [resultTypeOf(type[0])];
  return type.kind === 'enum' ? enumType(type as EnumTable) : resultType(type as Shape<object>);
}

/**
 * Returns the value; if it has a field `then`, in an object that is written as the same JSON. The executor takes every object with such a
 * field for a promise, and both pages and callers choose the names of fields.
 */
function opaqueJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(hasThen) ? value.map(opaqueJson) : value;
  return hasThen(value) ? { toJSON: () => value } : value;
}

const hasThen = (value: unknown): boolean => typeof value === 'object' && value !== null && 'then' in value;
