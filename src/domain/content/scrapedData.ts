/** The result of a scrape: the content of a page. */
import type { ContentPart, ContentValue, IncompletePart, PagePart } from './contentParts.ts';

/** The content parts that the injected scraper reads from the page; null if not requested. */
export type PageValues = { readonly [Part in PagePart]: ContentValue<Part> | null };
type OtherPart = Exclude<ContentPart, PagePart>;

/** The result of a scrape: the content parts, and whether they are complete. A part that was not requested is null or absent. */
export interface ScrapedData
  extends PageValues,
    Readonly<{ [Part in OtherPart]?: ContentValue<Part> | null }> {
  /** Values of `extracted` that are missing or do not match the schema; null without a schema. */
  readonly extractErrors?: readonly ExtractError[] | null;
  /** MIME type of the scraped document: `text/html`, `application/pdf`. */
  readonly contentType?: string;
  /** The file that the browser downloaded instead of showing a page. */
  readonly file?: { readonly url: string; readonly name: string };
  /**
   * True if content is missing: it is in later chunks (`cursor` is set), or a limit cut a part (`incomplete` names it, and
   * no request returns the rest).
   */
  readonly truncated?: boolean;
  /** The cursor of the next chunk; null if this chunk is the last. */
  readonly cursor?: string | null;
  /** Names of the parts that a limit cut without a way to read the rest. */
  readonly incomplete?: readonly IncompletePart[];
}

/** An extracted value that is missing or does not match the caller's schema. */
export interface ExtractError {
  /** Dotted path in the value: `items.0.price`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}
