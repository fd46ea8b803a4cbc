/** What JSON and other texts give. */
import type { Json, ScrapeRequest } from '../../../domain/page.ts';
import { isShallow } from '../shallow.ts';
import { escapeHtml } from './escapeHtml.ts';
import { essence } from './essence.ts';
import type { Parts } from './parts.ts';

/** Characters of a text; more is cut. */
const MOST_TEXT = 10_000_000;
/** UTF-8 takes no more for a character of a string. */
export const MOST_TEXT_BYTES = 3 * MOST_TEXT;
/** A longer JSON is text alone: to hand its value on, all sessions would wait. Characters. */
const MOST_JSON = 2_000_000;

export interface Text {
  /** The answer's Content-Type, with its parameters. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** @param json whether it is called JSON */
export function textParts(source: Text, json: boolean, request: ScrapeRequest): Parts {
  const { text, cut } = decode(source);
  const type = essence(source.contentType);
  const isMarkdown = type === 'text/markdown' || type === 'text/x-markdown';
  const language = json
    ? 'json'
    : (/[/+](?:x-)?(xml|yaml|javascript|toml|csv|sql|css)$/.exec(type)?.[1] ?? '');
  const long = cut || text.length > MOST_JSON;
  const value = json && request.structured && !long ? parse(text) : undefined;
  return {
    cut: cut ? 'everything' : json && long && 'structured',
    markup: request.mainContent ? markupOf(text, json) : '',
    markdown: !request.markdown || isMarkdown ? text : fenced(text, language),
    text,
    ...(json && { structured: value === undefined || !isShallow(value) ? [] : [value] }),
  };
}

const markupOf = (text: string, json: boolean): string =>
  json
    ? `<pre><code class="language-json">${escapeHtml(text)}</code></pre>`
    : `<pre>${escapeHtml(text)}</pre>`;

function decode({ contentType, body }: Text): { text: string; cut: boolean } {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const text = decoderFor(charset).decode(body.subarray(0, MOST_TEXT_BYTES));
  const cut = body.length > MOST_TEXT_BYTES || text.length > MOST_TEXT;
  return { text: text.slice(0, MOST_TEXT), cut };
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // A charset that nobody knows; the web's own default.
    return new TextDecoder();
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Called JSON but is not: its text is all there is.
    return undefined;
  }
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  if (text === '') return '';
  let longest = 2;
  for (const [marks] of text.matchAll(/`+/g)) longest = Math.max(longest, marks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
