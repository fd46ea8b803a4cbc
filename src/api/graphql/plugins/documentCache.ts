/** Caches parsed operations, so that an operation that a program repeats is parsed once. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

const MAX_DOCUMENTS = 100;
/**
 * Maximum length of the text of a cached operation. A longer operation is not cached; programs write shorter ones. A parsed
 * document needs up to 240 times the memory of its text.
 */
const MAX_DOCUMENT_CHARACTERS = 4_000;

/** A cache of parsed operations, by their text, with the interface that Yoga requires. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): unknown;
}

/** Creates a cache of parsed operations. Its memory is limited, whatever callers send. */
export const documentCache = (): DocumentCache =>
  new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxEntrySize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: (_document, text) => text.length,
  });

/**
 * Yoga's cache for the errors of invalid operations, switched off: it stores nothing. Errors contain the caller's text, and a
 * second validation is as fast.
 */
export const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined };
