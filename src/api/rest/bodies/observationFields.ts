/** The request fields `fields` and `lean`: their names, and the GraphQL fields that they need. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ActionBody, LEAN_ACTION_FIELDS } from './actionBody.ts';
import {
  ALL_FIELDS,
  type BodySelection,
  type FieldTree,
  fieldsIn,
  toFieldTree,
  type WantedFields,
  WHOLE_BODY,
} from './bodySelection.ts';
import { MetadataBody, ObservationBody } from './observationBody.ts';
import { ScrapedDataBody } from './scrapedDataBody.ts';
import { SessionBody } from './sessionBody.ts';
import { DiffBody, SpaceBody } from './spaceBody.ts';

type Path = readonly string[];

/** The objects of a response whose fields can be selected one by one. */
const SELECTABLE: readonly z.ZodObject[] = [
  SessionBody,
  MetadataBody,
  ScrapedDataBody,
  SpaceBody,
  DiffBody,
  ActionBody,
];

/** Returns the selectable object that a field contains, itself or as items of a list. */
function selectableIn(field: unknown): z.ZodObject | undefined {
  let schema = field;
  while (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodArray)
    schema = schema instanceof z.ZodArray ? schema.element : schema.unwrap();
  return SELECTABLE.find(object => object === schema);
}

const has = (object: z.ZodObject, name: string): boolean => Object.hasOwn(object.shape, name);

/** Returns true if the path leads to a field of the response. */
function exists(path: Path, object: z.ZodObject = ObservationBody): boolean {
  const [first = '', ...rest] = path;
  if (!has(object, first)) return false;
  if (rest.length === 0) return true;
  const inner = selectableIn(object.shape[first]);
  return inner !== undefined && exists(rest, inner);
}

/** The service looks up a short name in these objects, in this order: `markdown` is `space.markdown`. */
const SHORT_FOR: Readonly<Record<'space' | 'data', z.ZodObject>> = {
  space: SpaceBody,
  data: ScrapedDataBody,
};

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
/** Maximum length of a name that a failure repeats. Characters. */
const MAX_QUOTED_LENGTH = 40;
/** @param name is quoted where it is short */
const notAField = (name: string): string =>
  `is ${name.length <= MAX_QUOTED_LENGTH ? `"${name}", ` : ''}not a field of the response. Use ${SHORT_NAMES}, or a path such as session.status or actions.id`;

/**
 * Creates the request field `fields`.
 * @param isScrape true where `markdown` could be the content or the list of actions
 */
export const fieldsField = (isScrape: boolean) =>
  z
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
    });

export const leanField = z.boolean().nullish().meta({
  description:
    'true: each action has only `id`, `description`, `category` (actions of the page), and whatever else is not null, empty, `valid` or part of the description. Default: true with `fields`, otherwise false.',
});

interface SelectionRequest {
  readonly fields?: readonly string[] | null | undefined;
  readonly lean?: boolean | null | undefined;
  readonly diff_only?: boolean | null | undefined;
  readonly screenshot?: boolean | null | undefined;
}

/** Maximum number of remembered selections. */
const MAX_SELECTIONS = 200;

/** The selections of earlier requests: a program asks for the same fields each time. */
const selections = new LRUCache<string, BodySelection>({ max: MAX_SELECTIONS });

/**
 * Returns the parts of the response that a valid request asks for; the same object for equal requests. `screenshot: true` adds the
 * screenshot to `fields`.
 */
export function toBodySelection(request: SelectionRequest, isScrape: boolean): BodySelection {
  const { fields, lean, diff_only, screenshot } = request;
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
  if (screenshot === true) paths.push(['screenshot']);
  return { fields: toFieldTree(paths), lean: lean ?? true, diffOnly };
}

const graphqlFields = new WeakMap<BodySelection, FieldTree>();

/** Returns the GraphQL fields that the parts of the response need, the same object each time; ALL_FIELDS for the whole response. */
export function toGraphqlFields(selection: BodySelection): WantedFields {
  const { fields, lean, diffOnly } = selection;
  if (fields === ALL_FIELDS && !lean && !diffOnly) return ALL_FIELDS;
  const known = graphqlFields.get(selection);
  if (known !== undefined) return known;
  const paths = leafPaths(fields, ObservationBody, lean).flatMap(path => graphqlPaths(path, diffOnly));
  const tree = toFieldTree(paths);
  graphqlFields.set(selection, tree);
  return tree;
}

/** Returns the paths of the wanted fields, down to fields that cannot be divided. */
function leafPaths(wanted: WantedFields, object: z.ZodObject, lean: boolean): Path[] {
  return Object.entries(object.shape).flatMap(([name, schema]): Path[] => {
    const inner = fieldsIn(wanted, name);
    if (inner === undefined) return [];
    const below = selectableIn(schema);
    if (below === undefined) return [[name]];
    const wantedBelow: FieldTree | typeof ALL_FIELDS =
      lean && below === ActionBody && inner === ALL_FIELDS ? LEAN_ACTION_FIELDS : inner;
    return leafPaths(wantedBelow, below, lean).map(path => [name, ...path]);
  });
}

/** REST fields that GraphQL names differently, apart from the writing of words. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = {
  observation_id: 'id',
  session_id: 'id',
  page_title: 'title',
};
const ACTION_LISTS: ReadonlySet<string> = new Set(['actions', 'special_actions', 'browser_actions']);

function graphqlPaths(path: Path, diffOnly: boolean): Path[] {
  const [first, second = ''] = path;
  if (first === 'session') return [toGraphqlPath(path, { session_id: 'id' })];
  if (first !== 'space') return [toGraphqlPath(path, GRAPHQL_NAMES)];
  // A cheap field of the space, which says whether there is one.
  const space: Path = ['space', 'truncated'];
  if (second === 'diff') return [space, toGraphqlPath(path.slice(1), {})];
  // The lists, and the Markdown of them, are for an operation without an earlier observation. Beside a difference they are empty.
  const isReplaced = diffOnly && (second === 'markdown' || ACTION_LISTS.has(second));
  return [toGraphqlPath(path, {}), ...(isReplaced ? [['diff', 'markdown']] : [])];
}

const toGraphqlPath = (path: Path, names: Readonly<Record<string, string>>): Path =>
  path.map(
    name => names[name] ?? name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  );
