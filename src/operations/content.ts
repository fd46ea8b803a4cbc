/** The fields of a request that select the content to read from a page. */
import { z } from 'zod';
import {
  CURSOR_PATTERN,
  DEFAULT_MAX_CHARACTERS,
  HIGHEST_MAX_CHARACTERS,
  LOWEST_MAX_CHARACTERS,
} from '../domain/content/contentChunk.ts';
import {
  CHUNKED_PARTS,
  CONTENT_FORMATS,
  CONTENT_PARTS,
  type ContentFormat,
  describeParts,
  FORMAT_PARTS,
  type FormatPart,
} from '../domain/content/contentParts.ts';
import type { ScrapeRequest } from '../domain/content/scrapeRequest.ts';
import type { Json } from '../domain/json.ts';
import { enumTable, FLAT, type Group, type RequestOf, requestFields } from './field.ts';
import type { Selection } from './operation.ts';

const contentFormat = enumTable<ContentFormat>(
  'ContentFormat',
  'A part of the content of a page.',
  describeParts(CONTENT_FORMATS),
);

const partNames = (kind: 'text' | 'list'): string =>
  CHUNKED_PARTS.filter(part => CONTENT_PARTS[part].kind === kind)
    .map(part => `\`${part}\``)
    .join(', ');

const selectors = z.array(z.string().trim().min(1).max(1_000)).max(50);

const contentFields = requestFields({
  onlyMainContent: {
    type: 'Boolean',
    description:
      'Only the main content. Without navigation bars, footers and other boilerplate; what it is, the type of the page tells: the text of an article, the posts of a thread, the cards of a collection, the description and specification of a product. false: the whole visible page.',
    default: true,
  },
  formats: {
    type: [contentFormat],
    description:
      'Make only these parts of `data`. GraphQL makes those of them that you select; by default all that you select. REST by default makes all but `pdf`, and images only with `scrape_images`.',
  },
  include: {
    type: ['String'],
    description:
      'CSS selectors: scrape only what is in these elements, and all of it that they show. Shadow roots and frames are searched too.',
    check: selectors,
    examples: [['#content']],
  },
  exclude: {
    type: ['String'],
    description: 'CSS selectors of elements to leave out.',
    check: selectors,
    examples: [['.comments']],
  },
  keepClasses: {
    type: 'Boolean',
    description: 'true: `mainContent` keeps the attributes `class` and `id`.',
    default: false,
  },
  scroll: {
    type: 'Boolean',
    description:
      'true: scroll to the end of an endless or virtual list first, for at most 30 seconds, 200,000 pixels and 5,000 rows, and read all rows. If there are more, `data.incomplete` has `rows`.',
    default: false,
  },
  dismissBanners: {
    type: 'Boolean',
    description:
      'true: refuse what a consent banner asks for, if it has a button for that, before the page is read. Nothing is ever accepted.',
    default: false,
  },
  extract: {
    type: 'JSON',
    description:
      'A JSON Schema whose parts have a "selector" or "label". It says where the value is, and "attribute" which attribute has it. `{price: {type: "number", selector: ".price"}}`: `data.extracted` has the values; `data.extractErrors` lists those that are missing or do not match the schema.',
    check: z.record(z.string(), z.unknown()),
    examples: [{ price: { type: 'number', selector: '.price' } }],
  },
  maxCharacters: {
    type: 'Int',
    description: `Maximum characters of each text and list. Texts are ${partNames('text')}; the lists ${partNames('list')} count as JSON. If there is more, \`data.truncated\` is true and \`data.cursor\` continues.`,
    check: z.int().min(LOWEST_MAX_CHARACTERS).max(HIGHEST_MAX_CHARACTERS),
    default: DEFAULT_MAX_CHARACTERS,
  },
  cursor: {
    type: 'String',
    description: 'Continue a response that was cut. It is the `data.cursor` of that response.',
    check: z.string().regex(CURSOR_PATTERN, 'must be a cursor that a scrape returned'),
  },
});

/** Selects the content that observe, step and scrape read. */
export const content: Group<typeof contentFields> = {
  kind: 'group',
  name: 'ContentInput',
  description:
    'The content to extract from the page into `data`. Parts of `data` that you do not select are neither computed nor charged.',
  fields: contentFields,
};

/** The request field `content` of scrape, whose fields REST has among the others. */
export const flatContent = {
  type: content,
  description: 'The content to extract into `data`.',
  rest: FLAT,
} as const;

/** Returns the scrape to do: the parts that the caller selects and `formats` allows. Null if the caller does not select `data`. */
export function toScrapeRequest(
  input: RequestOf<typeof contentFields> | null | undefined,
  selection: Selection,
): ScrapeRequest | null {
  if (!selection.has('data')) return null;
  const formats = input?.formats ?? null;
  const parts: Partial<Record<FormatPart, boolean>> = {};
  for (const part of FORMAT_PARTS)
    parts[part] =
      (formats === null || formats.includes(CONTENT_PARTS[part].name)) && selection.has('data', part);
  return {
    ...(parts as Record<FormatPart, boolean>),
    onlyMainContent: input?.onlyMainContent ?? true,
    include: input?.include ?? [],
    exclude: input?.exclude ?? [],
    keepClasses: input?.keepClasses ?? false,
    scroll: input?.scroll ?? false,
    dismissBanners: input?.dismissBanners ?? false,
    extract: (input?.extract ?? null) as Json | null,
    chunk: { maxCharacters: input?.maxCharacters ?? DEFAULT_MAX_CHARACTERS, cursor: input?.cursor ?? null },
  };
}
