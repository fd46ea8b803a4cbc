/** The request bodies of REST, made from the fields of operations: flat, in snake_case. */
import { z } from 'zod';
import {
  type EnumTable,
  FLAT,
  type Group,
  type RequestField,
  type RequestFields,
  type Rule,
  restName,
  restWords,
} from '../../operations/field.ts';

/** The place of a body's field in the request of the operation. */
interface Binding {
  readonly rest: string;
  readonly name: string;
  /** The group that contains it; null for none. */
  readonly group: string | null;
  /** The fields inside it, if it is an object. */
  readonly inner: readonly Binding[] | null;
}

/** Returns the zod schemas of the fields, by their names in REST. */
export function restFields(fields: RequestFields): z.ZodRawShape {
  const shapes: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.rest === null) continue;
    if (field.rest === FLAT) Object.assign(shapes, restFields((field.type as Group).fields));
    else shapes[restName(name, field)] = fieldSchema(field);
  }
  return shapes;
}

function fieldSchema({
  type,
  check,
  required,
  description,
  default: value,
  examples,
}: RequestField): z.ZodType {
  const schema = check ?? typeSchema(type);
  return (required ? schema : schema.nullish()).meta({
    description: restWords(description),
    ...(value !== undefined && { default: value }),
    ...(examples !== undefined && { examples: [...examples] }),
  });
}

function typeSchema(type: RequestField['type']): z.ZodType {
  if (typeof type === 'object') {
    if (!('kind' in type)) return z.array(typeSchema(type[0]));
    if (type.kind === 'enum') return z.enum(Object.keys((type as EnumTable).values));
    return withRules(z.strictObject(restFields(type.fields)), [type]);
  }
  if (type === 'Boolean') return z.boolean();
  if (type === 'Int' || type === 'SafeInt') return z.int();
  if (type === 'Float') return z.number();
  return type === 'JSON' ? z.unknown() : z.string();
}

/** Returns the schema with the rules of the groups, whose fields it has. */
function withRules<Schema extends z.ZodType>(schema: Schema, groups: readonly Group[]): Schema {
  return groups.reduce((refined, { rule, fields }) => {
    if (rule === undefined) return refined;
    const names = Object.entries(fields).map(([name, field]) => [name, restName(name, field)] as const);
    return refined.refine(
      body => {
        const values = body as Record<string, unknown>;
        return rule.holds(Object.fromEntries(names.map(([name, rest]) => [name, values[rest]])));
      },
      { message: rule.message, path: [restName(rule.field, fields[rule.field] ?? {})] },
    );
  }, schema);
}

const flatGroups = (fields: RequestFields): Group[] =>
  Object.values(fields)
    .filter(field => field.rest === FLAT)
    .map(field => field.type as Group);

/** Returns the schema of a body. @param more fields that only REST has @param rules conditions on fields by their REST names */
export const bodyOf = (
  id: string,
  fields: RequestFields,
  more: z.ZodRawShape,
  rules: readonly Rule[],
): z.ZodType =>
  rules
    .reduce<z.ZodType>(
      (schema, { holds, field, message }) =>
        schema.refine(body => holds(body as Record<string, unknown>), { message, path: [field] }),
      withRules(z.strictObject({ ...restFields(fields), ...more }), flatGroups(fields)),
    )
    .meta({ id });

/** Returns the function that converts a valid body to the request of the operation. */
export function toRequest(
  fields: RequestFields,
): (body: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const bindings = bindingsOf(fields, null);
  return body => values(bindings, body);
}

function bindingsOf(fields: RequestFields, group: string | null): Binding[] {
  return Object.entries(fields).flatMap(([name, field]): Binding[] => {
    const { type, rest } = field;
    if (rest === null) return [];
    const item = typeof type === 'object' && !('kind' in type) ? type[0] : type;
    const inner = typeof item === 'object' && 'kind' in item && item.kind === 'group' ? item.fields : null;
    if (rest === FLAT && inner !== null) return bindingsOf(inner, name);
    return [{ rest: restName(name, field), name, group, inner: inner && bindingsOf(inner, null) }];
  });
}

function values(
  bindings: readonly Binding[],
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const { rest, name, group, inner } of bindings) {
    const given = body[rest];
    if (given === undefined || given === null) continue;
    const value =
      inner === null
        ? given
        : Array.isArray(given)
          ? given.map(item => values(inner, item))
          : values(inner, given as Record<string, unknown>);
    if (group === null) request[name] = value;
    else {
      const target = (request[group] ?? {}) as Record<string, unknown>;
      target[name] = value;
      request[group] = target;
    }
  }
  return request;
}
