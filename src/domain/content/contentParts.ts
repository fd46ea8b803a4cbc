/** Everything that a scrape can return. Each row makes GraphQL, REST and its `formats`, cursors, `incomplete`, and the table in docs/scraping.md. */
import type { Json } from '../json.ts';

export const IMAGE_CATEGORIES = ['icon', 'content_image', 'decorative', 'svg_icon', 'svg_content'] as const;
export type ImageCategory = (typeof IMAGE_CATEGORIES)[number];

export interface ScrapedImage {
  /** `IMG1`, `IMG2`, … in document order. */
  readonly id: string;
  /** Absolute URL; null for an inline SVG. */
  readonly url: string | null;
  readonly alt: string | null;
  readonly category: ImageCategory;
  /** Natural width in pixels; null if unknown. */
  readonly width: number | null;
  /** Natural height in pixels; null if unknown. */
  readonly height: number | null;
}

export interface ScrapedLink {
  /** Absolute URL. */
  readonly url: string;
  readonly text: string;
}

/** Metadata that a page declares about itself. A field is null if the page does not declare it. */
export interface ArticleMetadata {
  readonly byline: string | null;
  readonly published: string | null;
  readonly lang: string | null;
  readonly siteName: string | null;
  readonly canonical: string | null;
  readonly excerpt: string | null;
}

interface ContentPartRow {
  /** Name of the part in REST, in `formats` and in `incomplete`. GraphQL enums use it in capitals, GraphQL fields use the row's key. */
  readonly name: string;
  /** Description of the part in schema.graphql, the OpenAPI document and docs/scraping.md. */
  readonly description: string;
  /** A `text` and a `list` are split at `maxCharacters` and continued by a cursor. A `value` is always returned whole. */
  readonly kind: 'text' | 'list' | 'value';
  /** `page`: the injected scraper reads the part. `browser`: Chromium makes it. `schema`: returned when the input has `extract`. */
  readonly source: 'page' | 'browser' | 'schema';
  /** True if REST returns the part when `formats` is absent. */
  readonly isDefault: boolean;
  /** True if a limit can cut the part without a way to read the rest; then `incomplete` names it. */
  readonly canBeIncomplete: boolean;
}

declare const valueType: unique symbol;
interface Typed<Value> {
  readonly [valueType]?: Value;
}

const part =
  <Value>() =>
  <const Row extends ContentPartRow>(row: Row): Row & Typed<Value> =>
    row;

/** Lists and cursors have the order of the rows: add a new text or list after the last one, so that existing cursors stay valid. */
export const CONTENT_PARTS = {
  mainContent: part<string>()({
    name: 'main_content',
    description:
      'Sanitized HTML with absolute URLs: the main content, or the whole visible page if the input asks for that.',
    kind: 'text',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  markdown: part<string>()({
    name: 'markdown',
    description: 'The content as Markdown: tables, nested lists, code with its language, images, links.',
    kind: 'text',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  text: part<string>()({
    name: 'text',
    description:
      'The content as plain text, one line for each block; list items begin with `- ` or their number.',
    kind: 'text',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  links: part<readonly ScrapedLink[]>()({
    name: 'links',
    description: 'The links in the content: each URL once, with its text.',
    kind: 'list',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  images: part<readonly ScrapedImage[]>()({
    name: 'images',
    description:
      'The images that the whole page shows: id, URL, text alternative, natural size, category. No image is fetched again.',
    kind: 'list',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  structured: part<readonly Json[]>()({
    name: 'structured',
    description: 'JSON-LD, microdata and OpenGraph of the page, as JSON objects.',
    kind: 'list',
    source: 'page',
    isDefault: true,
    canBeIncomplete: true,
  }),
  metadata: part<ArticleMetadata>()({
    name: 'metadata',
    description:
      'Metadata that the page declares about itself: byline, publication date, language, site name, canonical URL, excerpt.',
    kind: 'value',
    source: 'page',
    isDefault: true,
    canBeIncomplete: false,
  }),
  pdf: part<string>()({
    name: 'pdf',
    description: 'The page as a PDF, in Base64; null for a resource that is not HTML.',
    kind: 'value',
    source: 'browser',
    isDefault: false,
    canBeIncomplete: false,
  }),
  extracted: part<Json>()({
    name: 'extracted',
    description:
      'Values found by the JSON Schema `extract` of the input, in its shape; null without a schema.',
    kind: 'value',
    source: 'schema',
    isDefault: false,
    canBeIncomplete: true,
  }),
  rawHtml: part<string>()({
    name: 'raw_html',
    description:
      'The HTML of the document as its scripts have left it, neither reduced nor sanitized: with scripts, styles and hidden parts.',
    kind: 'text',
    source: 'page',
    isDefault: false,
    canBeIncomplete: true,
  }),
} as const;

/** Content that a page has or announces, and that no part of the result contains. */
export const MISSING_CONTENT = {
  rows: 'The page has more rows or items, which it shows only on scrolling or by a button. The request field `scroll` reads those on scrolling.',
  frames: 'A frame of the page could not be read.',
  include: 'No visible element of the page matches `include`.',
  end: 'The response ended before the page did.',
  refresh: 'The page announces that another page will replace it, which was not awaited.',
} as const;
export type MissingContent = keyof typeof MISSING_CONTENT;

type Rows = typeof CONTENT_PARTS;

export type ContentPart = keyof Rows;
type PartWith<Column extends keyof ContentPartRow, Value> = {
  [Part in ContentPart]: Rows[Part][Column] extends Value ? Part : never;
}[ContentPart];

export type PagePart = PartWith<'source', 'page'>;
export type FormatPart = PartWith<'source', 'page' | 'browser'>;
/** Key of a text or list: a response returns a chunk of it, and a cursor continues it. */
export type ChunkedPart = PartWith<'kind', 'text' | 'list'>;

export type ContentFormat = Rows[FormatPart]['name'];
/** A value of the result field `incomplete`: a part that a limit cut without a way to read the rest, or content that is missing. */
export type IncompletePart = Rows[PartWith<'canBeIncomplete', true>]['name'] | MissingContent;

export type ContentValue<Part extends ContentPart> = Rows[Part] extends Typed<infer Value> ? Value : never;

function partsWith<Part extends ContentPart>(test: (row: ContentPartRow) => boolean): readonly Part[] {
  return (Object.keys(CONTENT_PARTS) as ContentPart[]).filter(key => test(CONTENT_PARTS[key])) as Part[];
}

export const CONTENT_PART_KEYS = partsWith<ContentPart>(() => true);
export const PAGE_PARTS = partsWith<PagePart>(row => row.source === 'page');
export const FORMAT_PARTS = partsWith<FormatPart>(row => row.source !== 'schema');
/** Keys of the parts that are texts or lists, in the order of the offsets in a cursor. */
export const CHUNKED_PARTS = partsWith<ChunkedPart>(row => row.kind !== 'value');

export const CONTENT_FORMATS = FORMAT_PARTS.map(key => CONTENT_PARTS[key].name);
/** Names of the parts that REST returns if the request field `formats` is absent. */
export const DEFAULT_FORMATS = FORMAT_PARTS.filter(key => CONTENT_PARTS[key].isDefault).map(
  key => CONTENT_PARTS[key].name,
);
const LIMITED_PARTS = partsWith<PartWith<'canBeIncomplete', true>>(row => row.canBeIncomplete);
/** The values that the result field `incomplete` can contain, with their descriptions. */
export const INCOMPLETE_PARTS: Readonly<Record<IncompletePart, string>> = {
  ...(Object.fromEntries(
    LIMITED_PARTS.map(key => [CONTENT_PARTS[key].name, CONTENT_PARTS[key].description]),
  ) as Record<Exclude<IncompletePart, MissingContent>, string>),
  ...MISSING_CONTENT,
};

/** Returns the value of the result field `incomplete`: the names of the parts that a limit cut, in the order of `CONTENT_PARTS`, then what is missing. */
export const incompleteNames = (
  truncated: readonly ContentPart[],
  missing: readonly MissingContent[] = [],
): readonly IncompletePart[] => [
  ...LIMITED_PARTS.filter(key => truncated.includes(key)).map(key => CONTENT_PARTS[key].name),
  ...new Set(missing),
];

export function describeParts<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const rows = Object.values(CONTENT_PARTS).filter(({ name }) => (names as readonly string[]).includes(name));
  return Object.fromEntries(rows.map(({ name, description }) => [name, description])) as Record<Name, string>;
}

export function contentPartsTable(): string {
  const lines = Object.entries(CONTENT_PARTS).map(
    ([field, { name, kind, isDefault, description }]) =>
      `| \`${name}\` | ${field === name ? '' : `\`${field}\``} | ${kind} | ${isDefault ? 'yes' : ''} | ${description} |`,
  );
  return `| Part | GraphQL, if different | Kind | Default | What it is |\n|---|---|---|---|---|\n${lines.join('\n')}`;
}
