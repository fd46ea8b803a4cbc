/** The facts about a top document that its response tells. */

import { forbidsScripts } from './scriptWatch.ts';
import { contentTypeOf, headerOf } from './serverWait.ts';

/** The top document of a tab, as its response describes it. */
export interface TopDocument {
  /** CDP's id of its request. */
  readonly id: string;
  /** Its Content-Type, with parameters. */
  readonly contentType: string;
  /** True if its Content-Security-Policy forbids all scripts: then nothing in it changes by itself, except by animations. */
  readonly forbidsScripts: boolean;
}

/** Returns the document of a response; for a document that was not requested, `headers` is empty. */
export const topDocumentOf = (
  id: string,
  response: { readonly headers: Readonly<Record<string, string>>; readonly mimeType: string },
): TopDocument => ({
  id,
  contentType: contentTypeOf(response),
  forbidsScripts: forbidsScripts(headerOf(response.headers, 'content-security-policy')),
});
