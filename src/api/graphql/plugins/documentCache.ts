/** Cache of parsed operations, so that an operation that programs repeat is parsed once. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

const MAX_DOCUMENTS = 100;
/** A parsed document takes up to 240 times the memory of its text. Longer texts than programs write are not cached. */
const MAX_DOCUMENT_CHARACTERS = 4_000;

/** The cache that Yoga reads and writes, by the text of the operation. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): unknown;
}

/** A cache whose memory no caller can make large. */
export const documentCache = (): DocumentCache =>
  new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxEntrySize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: (_document, text) => text.length,
  });

/** Errors are not cached: they contain the caller's text, and are found again as fast. */
export const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined };
