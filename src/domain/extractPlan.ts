/** What a caller wants read from a page: a JSON Schema whose parts say where their value stands. */
import { z } from 'zod';
import { issueInWords } from './issueInWords.ts';
import type { Json } from './page.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

/** One part of the schema, as the page reads it. */
export interface ExtractPlan {
  /** Where it stands in the schema, dotted; empty for the whole. */
  readonly path: string;
  readonly type: (typeof TYPES)[number];
  /** CSS; looked for inside the part's parent. */
  readonly selector: string | null;
  /** The words beside the value: a label, a term, a row's header. The property's name where nothing else is said. */
  readonly label: string | null;
  /** The attribute that holds the value; the text where null. */
  readonly attribute: string | null;
  /** Of an object, in order. */
  readonly properties: readonly { readonly name: string; readonly plan: ExtractPlan }[];
  /** Of an array. */
  readonly items: ExtractPlan | null;
}

/** At most this many parts in all, and this deep: each is a search of the page. */
const MOST_PARTS = 300;
const MOST_DEPTH = 10;

const words = z.string().min(1).max(1_000);
const partShape = z.looseObject({
  type: z.enum(TYPES).optional(),
  selector: words.optional(),
  label: words.optional(),
  attribute: z
    .string()
    .regex(/^[a-zA-Z][\w:.-]{0,100}$/, 'must be the name of an attribute')
    .optional(),
  format: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
});

/** A fault of a caller's schema: where (dotted path) and what. */
export class SchemaFault extends Error {
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SchemaFault';
    this.path = path;
  }
}

/**
 * Reads a caller's schema. An object without `type` whose values are schemas is short for its `properties`.
 * @throws SchemaFault
 */
export function planOf(schema: Json): ExtractPlan {
  const budget = { parts: MOST_PARTS };
  return partPlan(longForm(schema), null, [], budget);
}

/** The schema without the words that are ours, for a validator. */
export function validationSchema(schema: Json): Json {
  return withoutOwnWords(longForm(schema));
}

function longForm(schema: Json): Json {
  if (
    !isObject(schema) ||
    'type' in schema ||
    'properties' in schema ||
    'items' in schema ||
    'selector' in schema
  )
    return schema;
  return { type: 'object', properties: schema };
}

function partPlan(
  schema: Json,
  name: string | null,
  path: readonly string[],
  budget: { parts: number },
): ExtractPlan {
  const at = path.join('.');
  if (budget.parts-- <= 0) throw new SchemaFault(at, `has more than ${MOST_PARTS} parts`);
  if (path.length > 2 * MOST_DEPTH) throw new SchemaFault(at, `nests more than ${MOST_DEPTH} levels deep`);
  const read = partShape.safeParse(schema);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new SchemaFault(
      [...path, ...(issue?.path ?? [])].join('.'),
      issue === undefined ? 'is no schema' : issueInWords(issue),
      read.error,
    );
  }
  const part = read.data;
  const type = part.type ?? (part.properties ? 'object' : part.items === undefined ? 'string' : 'array');
  if (type === 'array' && part.items === undefined) throw new SchemaFault(at, 'is an array without items');
  const nowhere = (part.required ?? []).find(key => !Object.hasOwn(part.properties ?? {}, key));
  if (type === 'object' && nowhere !== undefined)
    throw new SchemaFault(
      [...path, 'required'].join('.'),
      `names "${nowhere}", which is none of its properties: nothing says where it stands`,
    );
  const inner = (key: string, value: unknown, label: string | null, ...more: string[]) =>
    partPlan(value as Json, label, [...path, ...more, key], budget);
  return {
    path: at,
    type,
    selector: part.selector ?? null,
    label: part.label ?? name,
    attribute: part.attribute ?? null,
    properties:
      type === 'object'
        ? Object.entries(part.properties ?? {}).map(([key, value]) => ({
            name: key,
            plan: inner(key, value, key, 'properties'),
          }))
        : [],
    items: type === 'array' ? inner('items', part.items, null) : null,
  };
}

const OWN_WORDS = new Set(['selector', 'label', 'attribute']);

function withoutOwnWords(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const found: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (OWN_WORDS.has(key)) continue;
    if (key === 'properties' && isObject(value))
      found[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutOwnWords(part)]),
      );
    else found[key] = key === 'items' ? withoutOwnWords(value) : value;
  }
  return found;
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
