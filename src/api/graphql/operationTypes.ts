import type { FieldMap, InputFieldBuilder, InputFieldRef } from '@pothos/core';
import {
  type EnumTable,
  enumTable,
  fullWords,
  type Group,
  type RequestField,
  type RequestFields,
  type RequestOf,
  type Rule,
} from '../../operations/field.ts';
import type { ResultField, ResultType, Shape } from '../../operations/results/shape.ts';
import { builder, type SchemaTypes } from './builder.ts';

/** Returns the GraphQL name of a value: `timed_out` → `TIMED_OUT`, `search-results` → `SEARCH_RESULTS`. */
export const toEnumName = (value: string): string => value.toUpperCase().replaceAll('-', '_');

const addEnum = ({ name, description, values }: EnumTable) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([value, text]) => [toEnumName(value), { value, description: text }]),
    ),
  });

type EnumRef = ReturnType<typeof addEnum>;
const added = new Map<EnumTable, EnumRef>();

/** Returns the GraphQL enum of a table; the first call adds it to the schema. Its values are those of the table, in capitals. */
export function enumType<Value extends string>(table: EnumTable<Value>) {
  const found = added.get(table) ?? addEnum(table);
  added.set(table, found);
  // The values of the enum are the keys of the table.
  return found as unknown as PothosSchemaTypes.EnumRef<typeof builder.$inferSchemaTypes, Value>;
}

/** Adds a GraphQL enum that no operation uses to the schema. @param descriptions the description of each value */
export const domainEnum = <Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) => enumType(enumTable(name, description, descriptions));

type InputFields = InputFieldBuilder<SchemaTypes, 'InputObject' | 'Arg'>;

/** Adds the input of an operation to the schema. Each field is validated with its own zod schema. */
export const inputType = <Fields extends RequestFields>(
  { name, description }: { readonly name: string; readonly description: string },
  fields: Fields,
  rule?: Rule,
) =>
  builder.inputRef<RequestOf<Fields>>(name).implement({
    description,
    ...(rule !== undefined && {
      validate: { refine: [rule.holds, { message: rule.message, path: [rule.field] }] } as never,
    }),
    // The compiler cannot relate the table to the types of the builder; `RequestOf` says what the fields contain.
    fields: (t: InputFields) => inputFields(t, fields) as never,
  });

/** Returns the arguments of a GraphQL field. @param t `t.arg` of the field's builder */
export const inputArguments = <Fields extends RequestFields>(t: unknown, fields: Fields) =>
  // As above.
  inputFields({ field: t } as InputFields, fields) as unknown as {
    readonly [Name in keyof Fields]: InputFieldRef<
      SchemaTypes,
      Name extends keyof RequestOf<Fields> ? RequestOf<Fields>[Name] : never
    >;
  };

const inputFields = (t: InputFields, fields: RequestFields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inputField(t, field)]));

function inputField(t: InputFields, { type, check, required, ...field }: RequestField) {
  const kind = check === undefined ? null : Array.isArray(type) ? 'array' : VALIDATED[type as string];
  return t.field({
    // As above: the types of the table are known only at run time.
    type: inputTypeOf(type) as 'String',
    required: (required === true) as never,
    description: fullWords({ type, ...field, ...(check && { check }) }),
    ...(kind != null && { validate: { type: kind, schema: check } as never }),
  });
}

/** The types that have bounds, by the names that @pothos/plugin-zod gives them. */
const VALIDATED: Readonly<Record<string, string>> = {
  Int: 'number',
  SafeInt: 'number',
  Float: 'number',
  String: 'string',
  ID: 'string',
};

const groups = new Map<Group, unknown>();

function inputTypeOf(type: RequestField['type']): unknown {
  if (typeof type === 'string') return type;
  if (!('kind' in type)) return [inputTypeOf(type[0])];
  if (type.kind === 'enum') return enumType(type as EnumTable);
  const known = groups.get(type) ?? inputType(type, type.fields, type.rule);
  groups.set(type, known);
  return known;
}

type ObjectFields<Source> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Source>;

const types = new Map<Shape<never>, unknown>();

/** Returns the GraphQL type of a shape. @param more fields that only GraphQL has, or that have arguments there; they replace those of the shape */
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
  { fields }: Pick<Shape<Source>, 'fields'>,
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

/** The executor takes an object with a field `then` for a promise, and pages and callers choose names of fields: such a value hides in `toJSON`. */
function opaqueJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(hasThen) ? value.map(opaqueJson) : value;
  return hasThen(value) ? { toJSON: () => value } : value;
}

const hasThen = (value: unknown): boolean => typeof value === 'object' && value !== null && 'then' in value;
