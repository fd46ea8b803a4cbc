import type { PagePart } from '../../../domain/content/contentParts.ts';
import type { PageValues } from '../../../domain/content/scrape.ts';

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
