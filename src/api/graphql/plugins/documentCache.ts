/** Caches parsed operations, so that an operation that a program repeats is parsed once. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

const MAX_DOCUMENTS = 100;
/**
 * Maximum length of a text that is cached; programs write shorter ones. A parsed document needs up to 240 times the
 * memory of its text.
 */
const MAX_DOCUMENT_CHARACTERS = 4_000;

/** The cache interface of Yoga; the keys are the texts of operations. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): unknown;
}

/** Creates a cache of limited memory, whatever callers send. */
export const documentCache = (): DocumentCache =>
  new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxEntrySize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: (_document, text) => text.length,
  });

/** A cache that stores nothing. Errors contain the caller's text, and finding them again is as fast. */
export const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined };
