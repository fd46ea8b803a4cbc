/** The result of a scrape: the content of a page. */
import type { ContentPart, ContentValue, IncompletePart, PagePart } from './contentParts.ts';

/** Parts read from the page; null if not requested. */
export type PageValues = { readonly [Part in PagePart]: ContentValue<Part> | null };
type OtherPart = Exclude<ContentPart, PagePart>;

/** All content parts, and the state of the response. A part that was not requested is null or absent. */
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
   * True if a chunk ended early (`cursor` continues) or a limit cut a part (`incomplete` names it, and no cursor leads
   * to the rest).
   */
  readonly truncated?: boolean;
  readonly cursor?: string | null;
  /** Parts that a limit cut and no cursor continues. */
  readonly incomplete?: readonly IncompletePart[];
}

/** A value that is missing or does not match the schema. */
export interface ExtractError {
  /** Dotted path in the value: `items.0.price`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}
