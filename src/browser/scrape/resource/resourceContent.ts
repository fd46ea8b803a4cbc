import type { PagePart } from '../../../domain/contentParts.ts';
import type { PageValues } from '../../../domain/scrapedData.ts';

/** The content of a resource, before the requested parts are selected. */
export interface ResourceContent {
  /** The content parts that the resource has; a missing part is empty. */
  readonly values: Partial<PageValues>;
  /** Parts that a limit cut. */
  readonly truncated: readonly PagePart[];
}

/** The parts that lose content when the text of a resource is cut. */
export const TEXT_RESOURCE_PARTS = [
  'mainContent',
  'markdown',
  'text',
  'links',
] as const satisfies readonly PagePart[];
