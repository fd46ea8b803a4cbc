/** Parsed operations that are kept, so that what programs ask again and again is parsed once. */
import type { DocumentNode } from 'graphql';
import { createLRUCache } from 'graphql-yoga';

/** Documents kept; those that were not asked for the longest go first. */
const MAX_DOCUMENTS = 100;
/** A parsed document takes up to 240 times its text: longer ones than any program writes are parsed anew. Characters. */
const MAX_DOCUMENT_CHARACTERS = 4_000;

/** What Yoga looks documents up in. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): unknown;
}

/** A cache that callers cannot make large, whatever they send. */
export function documentCache(): DocumentCache {
  const lru = createLRUCache<DocumentNode>({ max: MAX_DOCUMENTS });
  return {
    get: text => lru.get(text),
    set: (text, document) => text.length <= MAX_DOCUMENT_CHARACTERS && lru.set(text, document),
  };
}

/** Refusals are not kept: they hold what was sent, and are made as fast as they are found. */
export const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined };
