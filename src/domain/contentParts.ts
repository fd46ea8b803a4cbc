/**
 * The table of content parts: everything that a scrape can return about a page. Each row generates the GraphQL fields
 * and enums, the REST body and its `formats`, cursors, `incomplete`, and the table in docs/scraping.md.
 */
import type { Json } from './json.ts';

/** The purposes of images: svg_* are inline SVG drawings. */
export const IMAGE_CATEGORIES = ['icon', 'content_image', 'decorative', 'svg_icon', 'svg_content'] as const;
export type ImageCategory = (typeof IMAGE_CATEGORIES)[number];

/** An image that the page shows. */
export interface ScrapedImage {
  /** `IMG1`, `IMG2`, … in document order. */
  readonly id: string;
  /** Absolute URL; null for an inline SVG. */
  readonly url: string | null;
  /** Text alternative; null if the image has none. */
  readonly alt: string | null;
  readonly category: ImageCategory;
  /** Natural size in pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
}

/** A link in the content. */
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
  /** Name in REST, in `formats` and in `incomplete`; GraphQL's enums have it in capitals. GraphQL's fields use the key of the row. */
  readonly name: string;
  /** Published in schema.graphql, the OpenAPI document and docs/scraping.md. */
  readonly description: string;
  /** A `text` and a `list` are split at `maxCharacters` and continued by a cursor. A `value` is always returned whole. */
  readonly kind: 'text' | 'list' | 'value';
  /** `page`: read by the injected scraper. `browser`: made by Chromium. `schema`: returned when the input has `extract`. */
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

/** Creates a row whose part has values of this type. */
const part =
  <Value>() =>
  <const Row extends ContentPartRow>(row: Row): Row & Typed<Value> =>
    row;

/** The rows, in the order of lists and cursors. Add a new text or list after the last one, so that existing cursors stay valid. */
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
    description: 'The content as plain text, one line for each block.',
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
} as const;

type Rows = typeof CONTENT_PARTS;

/** The name of a part in the code and in GraphQL's fields. */
export type ContentPart = keyof Rows;
type PartWith<Column extends keyof ContentPartRow, Value> = {
  [Part in ContentPart]: Rows[Part][Column] extends Value ? Part : never;
}[ContentPart];

/** Parts that the injected scraper reads from the page. */
export type PagePart = PartWith<'source', 'page'>;
/** Parts that `formats` can name. */
export type FormatPart = PartWith<'source', 'page' | 'browser'>;
/** Parts that a cursor continues. */
export type ChunkedPart = PartWith<'kind', 'text' | 'list'>;

/** The name of a part in `formats`. */
export type ContentFormat = Rows[FormatPart]['name'];
/** The name of a part in `incomplete`. */
export type IncompletePart = Rows[PartWith<'canBeIncomplete', true>]['name'];

/** The type of a part's value. */
export type ContentValue<Part extends ContentPart> = Rows[Part] extends Typed<infer Value> ? Value : never;

/** Returns the keys of the rows for which `test` returns true, in the table's order. */
function partsWith<Part extends ContentPart>(test: (row: ContentPartRow) => boolean): readonly Part[] {
  return (Object.keys(CONTENT_PARTS) as ContentPart[]).filter(key => test(CONTENT_PARTS[key])) as Part[];
}

/** All parts. */
export const CONTENT_PART_KEYS = partsWith<ContentPart>(() => true);
/** Parts that the injected scraper reads. */
export const PAGE_PARTS = partsWith<PagePart>(row => row.source === 'page');
/** Parts that `formats` can name. */
export const FORMAT_PARTS = partsWith<FormatPart>(row => row.source !== 'schema');
/** Texts and lists, in the order of the offsets in a cursor. */
export const CHUNKED_PARTS = partsWith<ChunkedPart>(row => row.kind !== 'value');

/** The values of `formats`. */
export const CONTENT_FORMATS = FORMAT_PARTS.map(key => CONTENT_PARTS[key].name);
/** The parts that REST returns if `formats` is absent. */
export const DEFAULT_FORMATS = FORMAT_PARTS.filter(key => CONTENT_PARTS[key].isDefault).map(
  key => CONTENT_PARTS[key].name,
);
const LIMITED_PARTS = partsWith<PartWith<'canBeIncomplete', true>>(row => row.canBeIncomplete);
/** The values of `incomplete`. */
export const INCOMPLETE_PARTS = LIMITED_PARTS.map(key => CONTENT_PARTS[key].name);

/** Returns the names of the parts that a limit cut, in the table's order. */
export const incompleteNames = (truncated: readonly ContentPart[]): readonly IncompletePart[] =>
  LIMITED_PARTS.filter(key => truncated.includes(key)).map(key => CONTENT_PARTS[key].name);

/** Returns the descriptions of the parts with these names, by name. */
export function describeParts<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const rows = Object.values(CONTENT_PARTS).filter(({ name }) => (names as readonly string[]).includes(name));
  return Object.fromEntries(rows.map(({ name, description }) => [name, description])) as Record<Name, string>;
}
