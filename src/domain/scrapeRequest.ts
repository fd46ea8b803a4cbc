/** The request of a scrape. */
import type { ChunkRequest } from './contentChunk.ts';
import type { ContentPart, PagePart } from './contentParts.ts';
import type { Json } from './json.ts';

/** The parts to read from the page. A part that is false is neither computed nor charged. */
export interface ContentSelection extends Readonly<Record<PagePart, boolean>> {
  /** True: main content only. False: the whole visible page. */
  readonly onlyMainContent: boolean;
}

/** All parts to make, the schema of `extracted`, and the chunk to return. */
export interface ScrapeRequest
  extends ContentSelection,
    Readonly<Partial<Record<Exclude<ContentPart, PagePart | 'extracted'>, boolean>>> {
  /** JSON Schema whose parts say where their values are (docs/scraping.md). */
  readonly extract?: Json | null;
  /** All content when absent. */
  readonly chunk?: ChunkRequest;
}
