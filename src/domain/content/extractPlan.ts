import { z } from 'zod';
import { issueMessage } from '../failure/issueMessage.ts';
import type { Json } from '../json.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

/** One part of the caller's schema for `extract`: the type of a value, and where it is on the page. */
export interface ExtractPlan {
  /** Dotted path of this part in the schema; empty for the whole schema. */
  readonly path: string;
  readonly type: (typeof TYPES)[number];
  /** CSS selector, searched inside the element of the parent part; null to search by `label`. */
  readonly selector: string | null;
  /** The text beside the value on the page: a label, a term, a row header. Default: the name of the property; null if there is none. */
  readonly label: string | null;
  /** The attribute that contains the value; null if the element's text is the value. */
  readonly attribute: string | null;
  readonly isNullable: boolean;
  /** Properties of an object, each with its own part; empty for other types. */
  readonly properties: readonly { readonly name: string; readonly plan: ExtractPlan }[];
  /** The part that describes the items of an array; null for other types. */
  readonly items: ExtractPlan | null;
}

/** Maximum number of parts in a schema, because the service searches the page for each part. */
const MAX_PARTS = 300;
const MAX_DEPTH = 10;

const shortText = z.string().min(1).max(1_000);
const partSchema = z.looseObject({
  type: z.enum(TYPES).optional(),
  selector: shortText.optional(),
  label: shortText.optional(),
  attribute: z
    .string()
    .regex(/^[a-zA-Z][\w:.-]{0,100}$/, 'must be the name of an attribute')
    .optional(),
  nullable: z.boolean().optional(),
  format: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
});

/** The caller's schema for `extract` is not valid. The message is words that follow the path: `is an array without items`. */
export class ExtractSchemaError extends Error {
  /** Dotted path of the invalid part of the schema; empty for the whole schema. */
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ExtractSchemaError';
    this.path = path;
  }
}

/** Parses the schema for `extract`. An object without `type` is shorthand for its `properties`. @throws ExtractSchemaError also if it is too large */
export function parseExtractPlan(schema: Json): ExtractPlan {
  const budget = { parts: MAX_PARTS };
  return parsePart(expandShorthand(schema), null, [], budget);
}

/** Returns the schema as plain JSON Schema: without the keywords `selector`, `label`, `attribute` and `nullable`, which only `extract` has. */
export function toValidationSchema(schema: Json): Json {
  return withoutExtractKeywords(expandShorthand(schema));
}

function expandShorthand(schema: Json): Json {
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

function parsePart(
  schema: Json,
  name: string | null,
  path: readonly string[],
  budget: { parts: number },
): ExtractPlan {
  const dottedPath = path.join('.');
  if (budget.parts-- <= 0) throw new ExtractSchemaError(dottedPath, `has more than ${MAX_PARTS} parts`);
  if (path.length > 2 * MAX_DEPTH)
    throw new ExtractSchemaError(dottedPath, `nests more than ${MAX_DEPTH} levels deep`);
  const parsed = partSchema.safeParse(schema);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ExtractSchemaError(
      [...path, ...(issue?.path ?? [])].join('.'),
      issue === undefined ? 'is not a schema' : issueMessage(issue),
      parsed.error,
    );
  }
  const part = parsed.data;
  const type = part.type ?? (part.properties ? 'object' : part.items === undefined ? 'string' : 'array');
  if (type === 'array' && part.items === undefined)
    throw new ExtractSchemaError(dottedPath, 'is an array without `items`');
  const undeclared = (part.required ?? []).find(key => !Object.hasOwn(part.properties ?? {}, key));
  if (type === 'object' && undeclared !== undefined)
    throw new ExtractSchemaError(
      [...path, 'required'].join('.'),
      `names "${undeclared}", which is not one of its properties: the schema does not say where to find it`,
    );
  const inner = (key: string, value: unknown, label: string | null, ...more: string[]) =>
    parsePart(value as Json, label, [...path, ...more, key], budget);
  return {
    path: dottedPath,
    type,
    selector: part.selector ?? null,
    label: part.label ?? name,
    attribute: part.attribute ?? null,
    isNullable: part.nullable ?? false,
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

const EXTRACT_KEYWORDS = new Set(['selector', 'label', 'attribute', 'nullable']);

function withoutExtractKeywords(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (EXTRACT_KEYWORDS.has(key)) continue;
    if (key === 'properties' && isObject(value))
      kept[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutExtractKeywords(part)]),
      );
    else kept[key] = key === 'items' ? withoutExtractKeywords(value) : value;
  }
  return kept;
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
