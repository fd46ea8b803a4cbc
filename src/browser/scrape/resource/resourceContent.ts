import type { PagePart } from '../../../domain/content/contentParts.ts';
import type { PageValues } from '../../../domain/content/scrape.ts';

/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The MIME type of a Content-Type header: in lower case, without parameters. */
export const mimeType = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** The content of a JSON, text, image, PDF or downloaded file, before the requested parts are selected. */
export interface ResourceContent {
  readonly values: Partial<PageValues>;
  readonly truncated: readonly PagePart[];
}

/** The parts that are incomplete when the text of a resource that is not HTML is cut. */
export const TEXT_RESOURCE_PARTS = [
  'mainContent',
  'markdown',
  'text',
  'links',
] as const satisfies readonly PagePart[];
