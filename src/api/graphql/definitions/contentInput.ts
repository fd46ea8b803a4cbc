/** The input type ContentInput: selects the content that observe, step and scrape extract from a page. */
import type { GraphQLResolveInfo } from 'graphql';
import {
  DEFAULT_MAX_CHARACTERS,
  HIGHEST_MAX_CHARACTERS,
  LOWEST_MAX_CHARACTERS,
} from '../../../domain/content/contentChunk.ts';
import {
  CHUNKED_PARTS,
  CONTENT_FORMATS,
  CONTENT_PARTS,
  describeParts,
  FORMAT_PARTS,
  type ContentFormat as Format,
  type FormatPart,
} from '../../../domain/content/contentParts.ts';
import type { ScrapeRequest } from '../../../domain/content/scrapeRequest.ts';
import { cursorField, maxCharactersField } from '../../../domain/inputFields.ts';
import type { Json } from '../../../domain/json.ts';
import { builder, type Nullish } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';
import { formatCount } from './formatCount.ts';
import { selects } from './selects.ts';

const ContentFormat = domainEnum<Format>(
  'ContentFormat',
  'A part of the content of a page.',
  describeParts(CONTENT_FORMATS),
);

const fieldNames = (kind: 'text' | 'list'): string =>
  CHUNKED_PARTS.filter(part => CONTENT_PARTS[part].kind === kind)
    .map(part => `\`${part}\``)
    .join(', ');

export const ContentInput = builder.inputType('ContentInput', {
  description:
    'The content to extract from the page into `data`. Parts of `data` that you do not select are neither computed nor charged.',
  fields: t => ({
    onlyMainContent: t.boolean({
      description:
        'true: the main content, as the type of the page tells: the text of an article, the posts of a thread, the cards of a collection, the description and specification of a product; without navigation bars, footers and other boilerplate. false: the whole visible page. Default true.',
    }),
    formats: t.field({
      type: [ContentFormat],
      description:
        'Make only these parts of `data`, if you select them; the others are null. For documents with a fixed selection. Default: all that you select.',
    }),
    extract: t.field({
      type: 'JSON',
      description:
        'A JSON Schema whose parts say where their values are (`selector`, `label`, `attribute`): `{price: {type: "number", selector: ".price"}}`. `data.extracted` has the values; `data.extractErrors` lists those that are missing or do not match the schema.',
    }),
    maxCharacters: t.int({
      description: `Maximum length of each text in the response (${fieldNames('text')}), and of each list (${fieldNames('list')}) as JSON, in characters: ${formatCount(LOWEST_MAX_CHARACTERS)} to ${formatCount(HIGHEST_MAX_CHARACTERS)}. Default ${formatCount(DEFAULT_MAX_CHARACTERS)}. If there is more, \`data.truncated\` is true and \`data.cursor\` continues.`,
      validate: { type: 'number', schema: maxCharactersField },
    }),
    cursor: t.string({
      description: 'Continue the content from the `data.cursor` of an earlier response.',
      validate: { type: 'string', schema: cursorField },
    }),
  }),
});

/** Returns the scrape to do: the parts that the operation selects and `formats` allows. Null if it does not select `data`. */
export function toScrapeRequest(
  input: Nullish<typeof ContentInput.$inferInput>,
  info: GraphQLResolveInfo,
): ScrapeRequest | null {
  if (!selects(info, 'data')) return null;
  const isRequested = (part: FormatPart): boolean =>
    selects(info, 'data', part) && input?.formats?.includes(CONTENT_PARTS[part].name) !== false;
  return {
    ...(Object.fromEntries(FORMAT_PARTS.map(part => [part, isRequested(part)])) as Record<
      FormatPart,
      boolean
    >),
    onlyMainContent: input?.onlyMainContent ?? true,
    extract: (input?.extract ?? null) as Json | null,
    chunk: { maxCharacters: input?.maxCharacters ?? DEFAULT_MAX_CHARACTERS, cursor: input?.cursor ?? null },
  };
}
