import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { CONTENT_PARTS, type ContentPart } from '../../domain/content/contentParts.ts';
import type { Action } from '../../domain/space/action.ts';
import { type EnumTable, restWords, toSnakeCase } from '../../operations/field.ts';
import type { Selection } from '../../operations/operation.ts';
import {
  ALL_FIELDS,
  type Body,
  fieldsIn,
  Layout,
  type Style,
  toFieldTree,
  type WantedFields,
} from '../../operations/results/layout.ts';
import { metadataShape, observationShape } from '../../operations/results/observation.ts';
import { scrapedDataShape } from '../../operations/results/scrapedData.ts';
import { holdShape, sessionShape } from '../../operations/results/session.ts';
import type { Now, ResultField, ResultType, Shape } from '../../operations/results/shape.ts';
import { actionShape, diffShape, spaceShape } from '../../operations/results/space.ts';

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

/** The parts of the response to observe, step or scrape that a request asks for. */
export interface BodySelection {
  readonly fields: WantedFields;
  /** True to leave out of each action what is null, empty or repeated (`lean`). */
  readonly lean: boolean;
  /** True to return the difference instead of the lists of actions (`diff_only`). */
  readonly diffOnly: boolean;
  readonly selection: Selection;
}

/** The whole response, as without `fields`, `lean` and `diff_only`. */
export const WHOLE_BODY: BodySelection = {
  fields: ALL_FIELDS,
  lean: false,
  diffOnly: false,
  selection: { has: () => true },
};

export const SessionBody = bodySchema(sessionShape);
export const HoldBody = bodySchema(holdShape);
const DiffBody = bodySchema(diffShape);
export const SpaceBody = bodySchema(spaceShape, {
  diff: DiffBody.optional().meta({
    description:
      'The changes since diff_since. Present only if the request has diff_since, or `diff` in `fields`.',
  }),
});
export const ObservationBody = bodySchema(observationShape);

const SELECTABLE: readonly z.ZodObject[] = [
  sessionShape,
  metadataShape,
  scrapedDataShape,
  spaceShape,
  diffShape,
  actionShape,
].map(shape => bodySchema(shape as Shape<never>));

type Path = readonly string[];

function selectableIn(field: unknown): z.ZodObject | undefined {
  let schema = field;
  while (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodArray)
    schema = schema instanceof z.ZodArray ? schema.element : schema.unwrap();
  // A description makes a copy of a schema, with the same fields.
  return schema instanceof z.ZodObject
    ? SELECTABLE.find(({ _zod: { def } }) => def.shape === schema._zod.def.shape)
    : undefined;
}

const has = (object: z.ZodObject, name: string): boolean => Object.hasOwn(object.shape, name);

function exists(path: Path, object: z.ZodObject = ObservationBody): boolean {
  const [first = '', ...rest] = path;
  if (!has(object, first)) return false;
  if (rest.length === 0) return true;
  const inner = selectableIn(object.shape[first]);
  return inner !== undefined && exists(rest, inner);
}

/** The service looks up a short name in these objects, in this order: `markdown` is `space.markdown`. */
const SHORT_FOR = { space: SpaceBody, data: bodySchema(scrapedDataShape) } as const;

/** Returns the path of a name of `fields`: `['space', 'markdown']`. @returns a message if there is no such field */
function resolveField(name: string, isScrape: boolean): Path | string {
  const path = name.split('.');
  const [first = ''] = path;
  if (has(ObservationBody, first)) return exists(path) ? path : notAField(name);
  const homes = (['space', 'data'] as const).filter(home => has(SHORT_FOR[home], first));
  if (isScrape && homes.length > 1) return `is ambiguous: write space.${first} or data.${first}`;
  const [home] = homes;
  return home !== undefined && exists([home, ...path]) ? [home, ...path] : notAField(name);
}

const SHORT_NAMES = [
  ...new Set([...Object.keys(ObservationBody.shape), ...Object.keys(SpaceBody.shape)]),
].join(', ');
const MAX_QUOTED_LENGTH = 40;
/** @param name is quoted where it is short */
const notAField = (name: string): string =>
  `is ${name.length <= MAX_QUOTED_LENGTH ? `"${name}", ` : ''}not a field of the response. Use ${SHORT_NAMES}, or a path such as session.status or actions.id`;

/** @param isScrape true where `markdown` could be the content or the list of actions */
export const selectionFields = (isScrape: boolean): z.ZodRawShape => ({
  diff_only: z.boolean().nullish().meta({
    description:
      'With diff_since: leave the lists of actions empty, and put the difference into `space.markdown`.',
    default: false,
  }),
  lean: z.boolean().nullish().meta({
    description:
      'true: each action has only `id`, `description`, `category` (actions of the page), and whatever else is not null, empty, `valid` or part of the description. Default: true with `fields`, otherwise false.',
  }),
  fields: z
    .array(z.string().max(100, 'must be at most 100 characters'))
    .min(1, 'must name at least one field')
    .max(100, 'must have at most 100 names')
    .superRefine((names, context) => {
      for (const [index, name] of names.entries()) {
        const found = resolveField(name, isScrape);
        if (typeof found === 'string') context.addIssue({ code: 'custom', message: found, path: [index] });
      }
    })
    .nullish()
    .meta({
      description: `Return only these fields of the response, each at its usual place: ${SHORT_NAMES}, or paths such as \`session.status\`, \`metadata.url\` and \`actions.id\`. ${
        isScrape
          ? '`space.markdown` and `data.markdown` need their whole path.'
          : 'A name without a path means the field of `space`.'
      } Fields that you leave out are not computed. Default: all fields.`,
      examples: [isScrape ? ['data.markdown'] : ['markdown']],
    }),
});

export interface SelectionRequest {
  readonly fields?: readonly string[] | null | undefined;
  readonly lean?: boolean | null | undefined;
  readonly diff_only?: boolean | null | undefined;
  readonly screenshot?: boolean | null | undefined;
}

const MAX_SELECTIONS = 200;

/** The selections of earlier requests: a program asks for the same fields each time. */
const selections = new LRUCache<string, BodySelection>({ max: MAX_SELECTIONS });

/** Returns the parts of the response that a valid request asks for; the same object for equal requests. */
export function toBodySelection(request: SelectionRequest, isScrape: boolean): BodySelection {
  const { fields, lean, diff_only, screenshot } = request;
  if (fields == null && lean == null && diff_only == null) return WHOLE_BODY;
  const key = JSON.stringify([fields, lean, diff_only, screenshot, isScrape]);
  const selection = selections.get(key) ?? parseSelection(request, isScrape);
  selections.set(key, selection);
  return selection;
}

function parseSelection(
  { fields, lean, diff_only, screenshot }: SelectionRequest,
  isScrape: boolean,
): BodySelection {
  const diffOnly = diff_only ?? false;
  if (fields == null) return { ...WHOLE_BODY, lean: lean ?? false, diffOnly };
  const paths = fields.map(name => resolveField(name, isScrape)).filter(path => typeof path !== 'string');
  if (screenshot === true) paths.push(['screenshot'], ['screenshot_is_cut']);
  const tree = toFieldTree(paths);
  return { fields: tree, lean: lean ?? true, diffOnly, selection: operationSelection(tree) };
}

const operationSelection = (wanted: WantedFields): Selection => ({
  has(name, part) {
    if (name === 'id') return fieldsIn(wanted, 'observation_id') !== undefined;
    if (name === 'diff') {
      const space = fieldsIn(wanted, 'space');
      return space !== undefined && fieldsIn(space, 'diff') !== undefined;
    }
    const inner = fieldsIn(wanted, name ?? '');
    if (inner === undefined || part === undefined) return inner !== undefined;
    return fieldsIn(inner, CONTENT_PARTS[part as ContentPart].name) !== undefined;
  },
});
