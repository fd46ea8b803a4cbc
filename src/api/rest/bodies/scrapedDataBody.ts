/** The content of a page in a REST response. */
import { z } from 'zod';
import {
  CONTENT_PART_KEYS,
  CONTENT_PARTS,
  type ContentPart,
  IMAGE_CATEGORIES,
  type ImageCategory,
  INCOMPLETE_PARTS,
  type IncompletePart,
} from '../../../domain/content/contentParts.ts';
import type { DataFieldsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from '../../http/enumName.ts';
import { evaluateBody, type WantedFields } from './bodySelection.ts';

const text = z.string().nullable();

/** The REST shapes of content parts. A part without an entry has the shape of its `kind` in KIND_SHAPES. */
const PART_SHAPES = {
  images: z
    .array(
      z.object({
        id: z.string(),
        url: text,
        alt: text,
        category: z.enum(IMAGE_CATEGORIES),
        width: z.int().nullable(),
        height: z.int().nullable(),
      }),
    )
    .optional(),
  links: z.array(z.object({ url: z.string(), text: z.string() })).optional(),
  metadata: z
    .object({ byline: text, published: text, lang: text, site_name: text, canonical: text, excerpt: text })
    .nullable(),
  pdf: text,
} satisfies Partial<Record<ContentPart, z.ZodType>>;
const KIND_SHAPES = { text, list: z.array(z.unknown()).optional(), value: z.unknown() } as const;

type Parts = typeof CONTENT_PARTS;
type PartShapes = {
  [Part in ContentPart as Parts[Part]['name']]: Part extends keyof typeof PART_SHAPES
    ? (typeof PART_SHAPES)[Part]
    : (typeof KIND_SHAPES)[Parts[Part]['kind']];
};

const shapeOf = (part: ContentPart): z.ZodType =>
  part in PART_SHAPES ? PART_SHAPES[part as keyof typeof PART_SHAPES] : KIND_SHAPES[CONTENT_PARTS[part].kind];

const partShapes = Object.fromEntries(
  CONTENT_PART_KEYS.map(part => {
    const { name, description } = CONTENT_PARTS[part];
    return [name, shapeOf(part).meta({ description })];
  }),
) as PartShapes;

/** The shape of `data` in the response of step and scrape. */
export const ScrapedDataBody = z
  .object({
    ...partShapes,
    extract_errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description:
          'Values of `extracted` that are missing or do not match the schema; absent without a schema.',
      }),
    content_type: text.meta({ description: 'MIME type of what was read, as its server declares it.' }),
    truncated: z.boolean().meta({
      description:
        'True when something was cut, at `max_characters` or by a limit that makes a part incomplete.',
    }),
    cursor: text.meta({
      description:
        'Send it with the next scrape to continue what was cut at `max_characters`; null at the end.',
    }),
    incomplete: z.array(z.enum(INCOMPLETE_PARTS)).meta({
      description: 'Parts that a limit cut for good. No cursor leads to the rest.',
    }),
  })
  .meta({ id: 'ScrapedData', description: 'The content of a page.' });

/** For each content part that REST writes differently from GraphQL: converts its value to REST. */
const REST_VALUES: { readonly [Part in ContentPart]?: (data: DataFieldsFragment) => unknown } = {
  images: ({ images }) =>
    images?.map(image => ({ ...image, category: fromEnumName<ImageCategory>(image.category) })),
  metadata: ({ metadata }) => {
    if (metadata === null) return null;
    const { siteName: site_name, ...same } = metadata;
    return { ...same, site_name };
  },
};

/** Returns the value of a content part. A list that was not made is absent. */
function partValue(data: DataFieldsFragment, part: ContentPart): unknown {
  const value = REST_VALUES[part]?.(data) ?? data[part];
  return value ?? (shapeOf(part) instanceof z.ZodOptional ? undefined : null);
}

/** Converts the scraped data that the GraphQL document returned to the REST body. */
export const scrapedDataBody = (
  data: DataFieldsFragment,
  wanted: WantedFields,
): z.infer<typeof ScrapedDataBody> =>
  evaluateBody<z.infer<typeof ScrapedDataBody>>(
    {
      ...(Object.fromEntries(
        CONTENT_PART_KEYS.map(part => [CONTENT_PARTS[part].name, () => partValue(data, part)]),
      ) as { [Name in keyof PartShapes]: () => z.infer<PartShapes[Name]> }),
      extract_errors: () => data.extractErrors ?? undefined,
      content_type: () => data.contentType,
      truncated: () => data.truncated,
      cursor: () => data.cursor,
      incomplete: () => data.incomplete.map(part => fromEnumName<IncompletePart>(part)),
    },
    wanted,
  );
