/** Writes results as REST does: snake_case, values of enumerations in lower case, no field for what is absent. */
import { z } from 'zod';
import type { Action } from '../../domain/space/action.ts';
import { type EnumTable, restWords, toSnakeCase } from '../../operations/field.ts';
import { type Body, Layout, type Style } from '../../operations/results/layout.ts';
import type { Now, ResultField, ResultType, Shape } from '../../operations/results/shape.ts';
import { actionShape } from '../../operations/results/space.ts';

const restNames = (name: string, { rest }: Pick<ResultField<never>, 'rest'>): readonly string[] => {
  if (rest === null) return [];
  if (rest === undefined) return [toSnakeCase(name)];
  return typeof rest === 'string' ? [rest] : rest;
};

const REST: Style = { namesOf: restNames, enumValue: null, leavesOut: true };

/** Writes whole results, or those of their fields that a caller wants. */
export const restLayout = new Layout(REST);

/** The fields of an action that a lean response leaves out: the description or the id has them, or they are not for deciding. */
const NOT_LEAN: ReadonlySet<string> = new Set([
  'kind',
  'role',
  'name',
  'disabled',
  'inViewport',
  'bounds',
  'fingerprint',
]);

const LEAN_FIELDS = new Map(
  Object.keys(actionShape.fields)
    .filter(name => !NOT_LEAN.has(name))
    .map(name => [name, null] as const),
);

/** Returns of an action only what is not null, empty, `valid` or part of the description. */
export function leanAction(action: Action, clock: Now): Body {
  const body = withoutEmpty(restLayout.write(actionShape, action, clock, LEAN_FIELDS));
  // The list that a special action is in says its category.
  if (action.id.startsWith('S')) delete body.category;
  if (body.status === 'valid') delete body.status;
  if (Array.isArray(body.params)) for (const param of body.params) withoutEmpty(param as Body);
  return body;
}

/** Removes the fields that are null, an empty text or an empty list. Returns the same object. */
function withoutEmpty(body: Body): Body {
  for (const [name, value] of Object.entries(body))
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) delete body[name];
  return body;
}

/** As `restLayout`, but of each action only what is not null, empty or repeated. Fields of an action that a caller names are written as they are. */
export const leanLayout = new Layout({ ...REST, own: { shape: actionShape, convert: leanAction as never } });

const schemas = new Map<Shape<never>, z.ZodObject>();

/** Returns the schema of a shape in REST, for OpenAPI. @param more fields beside those of the shape */
export function bodySchema(shape: Shape<never>, more: z.ZodRawShape = {}): z.ZodObject {
  const known = schemas.get(shape);
  if (known !== undefined) return known;
  const fields = Object.entries(shape.fields).flatMap(([name, field]) =>
    restNames(name, field).map(rest => [rest, fieldSchema(field)]),
  );
  const schema = z
    .object({ ...Object.fromEntries(fields), ...more })
    .meta({ id: shape.restName ?? shape.name, description: restWords(shape.description) });
  schemas.set(shape, schema);
  return schema;
}

function fieldSchema({ type, nullable, optional, description }: ResultField<never>): z.ZodType {
  const value = valueSchema(type);
  const schema = optional ? value.optional() : nullable ? value.nullable() : value;
  return schema.meta({
    description: restWords(description),
    ...(type === 'Base64' && { contentEncoding: 'base64' }),
  });
}

function valueSchema(type: ResultType): z.ZodType {
  if (typeof type === 'object') {
    if (!('kind' in type)) return z.array(valueSchema(type[0]));
    return type.kind === 'enum' ? z.enum(Object.keys((type as EnumTable).values)) : bodySchema(type);
  }
  switch (type) {
    case 'Boolean':
      return z.boolean();
    case 'Int':
    case 'SafeInt':
      return z.int();
    case 'Float':
      return z.number();
    case 'DateTime':
      return z.iso.datetime({ precision: 3 });
    case 'JSON':
    case 'Params':
      return z.unknown();
    default:
      return z.string();
  }
}
