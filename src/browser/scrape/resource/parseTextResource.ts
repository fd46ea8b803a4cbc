/** Makes content parts from JSON and other text. */

import type { ContentSelection } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';
import { cutText, toWellFormedJson } from '../../../domain/space/pageText.ts';
import { isWithinJsonDepth } from '../../injected/signals/jsonDepth.ts';
import { escapeHtml, mimeType, type ResourceContent, TEXT_RESOURCE_PARTS } from './resourceContent.ts';

const MAX_TEXT_CHARACTERS = 10_000_000;
/** Maximum size of a text; the rest is not decoded. UTF-8 takes at most 3 bytes for one UTF-16 unit. */
export const MAX_TEXT_BYTES = 3 * MAX_TEXT_CHARACTERS;
/**
 * Maximum length of JSON whose value is returned. Longer JSON is returned as text only: copying its value from the
 * worker would delay every session.
 */
const MAX_JSON_CHARACTERS = 2_000_000;

export interface TextSource {
  /** Content-Type of the response, with its parameters. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Decodes a text and makes its content parts: HTML, Markdown, plain text, and for JSON the value. Blocks the thread. */
export function parseTextResource(
  source: TextSource,
  isJson: boolean,
  request: ContentSelection,
): ResourceContent {
  const { text, isTruncated } = decode(source);
  const type = mimeType(source.contentType);
  const isMarkdown = type === 'text/markdown' || type === 'text/x-markdown';
  const language = isJson
    ? 'json'
    : (/[/+](?:x-)?(xml|yaml|javascript|toml|csv|sql|css)$/.exec(type)?.[1] ?? '');
  const isLong = isTruncated || text.length > MAX_JSON_CHARACTERS;
  const value = isJson && request.structured && !isLong ? parseJson(text) : undefined;
  return {
    values: {
      mainContent: request.mainContent ? toHtml(text, isJson) : '',
      markdown: !request.markdown || isMarkdown ? text : toFencedBlock(text, language),
      text,
      structured: value === undefined || !isWithinJsonDepth(value) ? [] : [value],
    },
    truncated: [
      ...(isTruncated ? TEXT_RESOURCE_PARTS : []),
      ...(isJson && isLong ? (['structured'] as const) : []),
    ],
  };
}

const toHtml = (text: string, isJson: boolean): string =>
  isJson
    ? `<pre><code class="language-json">${escapeHtml(text)}</code></pre>`
    : `<pre>${escapeHtml(text)}</pre>`;

function decode(source: TextSource): { text: string; isTruncated: boolean } {
  const body = source.body.subarray(0, MAX_TEXT_BYTES);
  const text = decoderFor(charsetOf(source.contentType, body)).decode(body);
  const isTruncated = source.body.length > MAX_TEXT_BYTES || text.length > MAX_TEXT_CHARACTERS;
  return { text: cutText(text, MAX_TEXT_CHARACTERS), isTruncated };
}

/** Returns the charset by the first mark, the Content-Type or the XML declaration; else UTF-8, or windows-1252 for what is not UTF-8. */
function charsetOf(contentType: string, body: Uint8Array): string {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && body[2] === 0xbf) return 'utf-8';
  const start = new TextDecoder('windows-1252').decode(body.subarray(0, 200));
  const named =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /^<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([\w-]+)/.exec(start)?.[1];
  if (named !== undefined) return named;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: body.length === MAX_TEXT_BYTES });
    return 'utf-8';
  } catch {
    // Bytes that no UTF-8 has: browsers read them as this one.
    return 'windows-1252';
  }
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // Unknown charset: use UTF-8, the default of the web.
    return new TextDecoder();
  }
}

function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return /\\ud[89a-f]/i.test(text) ? (JSON.parse(toWellFormedJson(value)) as Json) : value;
  } catch {
    // The content type says JSON, but the text is invalid: return only the text.
    return undefined;
  }
}

/** Returns the text as a Markdown code block whose fence is longer than any run of backticks in the text. */
function toFencedBlock(text: string, language: string): string {
  if (text === '') return '';
  let longest = 2;
  for (const [backticks] of text.matchAll(/`+/g)) longest = Math.max(longest, backticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
