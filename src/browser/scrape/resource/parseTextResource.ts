/** What JSON and other texts give. */
import type { Json } from '../../../domain/json.ts';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { isWithinJsonDepth } from '../jsonDepth.ts';
import { escapeHtml } from './escapeHtml.ts';
import { mimeType } from './mimeType.ts';
import type { ResourceContent } from './resourceContent.ts';

/** Characters of a text; more is cut. */
const MAX_TEXT_CHARACTERS = 10_000_000;
/** UTF-8 takes no more for a character of a string. */
export const MAX_TEXT_BYTES = 3 * MAX_TEXT_CHARACTERS;
/** A longer JSON is text alone: to hand its value on, all sessions would wait. Characters. */
const MAX_JSON_CHARACTERS = 2_000_000;

export interface TextSource {
  /** The answer's Content-Type, with its parameters. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** @param json whether it is called JSON */
export function parseTextResource(
  source: TextSource,
  json: boolean,
  request: ScrapeRequest,
): ResourceContent {
  const { text, cut } = decode(source);
  const type = mimeType(source.contentType);
  const isMarkdown = type === 'text/markdown' || type === 'text/x-markdown';
  const language = json
    ? 'json'
    : (/[/+](?:x-)?(xml|yaml|javascript|toml|csv|sql|css)$/.exec(type)?.[1] ?? '');
  const long = cut || text.length > MAX_JSON_CHARACTERS;
  const value = json && request.structured && !long ? parse(text) : undefined;
  return {
    truncated: cut ? 'everything' : json && long && 'structured',
    html: request.mainContent ? toHtml(text, json) : '',
    markdown: !request.markdown || isMarkdown ? text : toFencedBlock(text, language),
    text,
    ...(json && { structured: value === undefined || !isWithinJsonDepth(value) ? [] : [value] }),
  };
}

const toHtml = (text: string, json: boolean): string =>
  json
    ? `<pre><code class="language-json">${escapeHtml(text)}</code></pre>`
    : `<pre>${escapeHtml(text)}</pre>`;

function decode({ contentType, body }: TextSource): { text: string; cut: boolean } {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const text = decoderFor(charset).decode(body.subarray(0, MAX_TEXT_BYTES));
  const cut = body.length > MAX_TEXT_BYTES || text.length > MAX_TEXT_CHARACTERS;
  return { text: text.slice(0, MAX_TEXT_CHARACTERS), cut };
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
function toFencedBlock(text: string, language: string): string {
  if (text === '') return '';
  let longest = 2;
  for (const [marks] of text.matchAll(/`+/g)) longest = Math.max(longest, marks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
