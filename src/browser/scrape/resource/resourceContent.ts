import type { ScrapedImage, ScrapedLink } from '../../../domain/contentParts.ts';
import type { Json } from '../../../domain/json.ts';

/** What one kind of resource gives; the request then picks. */
export interface ResourceContent {
  readonly html: string;
  readonly markdown: string;
  readonly text: string;
  readonly images?: readonly ScrapedImage[];
  readonly links?: readonly ScrapedLink[];
  readonly structured?: readonly Json[];
  readonly byline?: string | null;
  readonly published?: string | null;
  readonly lang?: string | null;
  /** What there was more of than is read. */
  readonly truncated?: 'everything' | 'structured' | false;
}
