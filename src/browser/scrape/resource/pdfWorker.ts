/** Worker thread: receives the bytes of a PDF, posts a `PdfText`. */

import { parentPort, workerData } from 'node:worker_threads';
import { extractLinks, extractText, getDocumentProxy, getMeta } from 'unpdf';
import { cutText } from '../../../domain/space/pageText.ts';
import type { PdfText } from './readPdf.ts';

/** Maximum length of the text of all pages together; the rest is cut. */
const MAX_TEXT_CHARACTERS = 5_000_000;
const MAX_LINKS = 5_000;

async function parsePdf(bytes: Uint8Array): Promise<PdfText> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document, { parseDates: true });
  const { links } = await extractLinks(document);
  let left = MAX_TEXT_CHARACTERS;
  const pages = text.map(page => {
    const kept = cutText(page.toWellFormed(), Math.max(0, left));
    left -= kept.length;
    return blocksOf(kept);
  });
  const safe = new Set(links.filter(link => /^(https?|mailto):/i.test(link)));
  return {
    pages,
    links: [...safe].slice(0, MAX_LINKS),
    title: metadataLine(info.Title),
    author: metadataLine(info.Author),
    created: info.CreationDate instanceof Date ? info.CreationDate.toISOString() : null,
    language: metadataLine(info.Language),
    isTruncated:
      safe.size > MAX_LINKS || text.reduce((sum, page) => sum + page.length, 0) > MAX_TEXT_CHARACTERS,
  };
}

/** Joins the lines of a PDF page into blocks of text. A block ends at an empty line and at a line shorter than 70 % of the longest one. */
function blocksOf(page: string): string[] {
  const lines = page.split('\n').map(text => text.replace(/\s+/g, ' ').trim());
  const widest = Math.max(0, ...lines.map(text => text.length));
  const blocks: string[] = [];
  let open = '';
  for (const text of lines) {
    open = open.endsWith('-') && /^\p{Ll}/u.test(text) ? open.slice(0, -1) + text : `${open} ${text}`.trim();
    if (text !== '' && text.length > 0.7 * widest) continue;
    if (open !== '') blocks.push(open);
    open = '';
  }
  return open === '' ? blocks : [...blocks, open];
}

const metadataLine = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? cutText(value.toWellFormed().trim(), 300) : null;

parentPort?.postMessage(await parsePdf(workerData as Uint8Array));
