/** A downloaded file, to be scraped as what it is. */
import { readFile, stat } from 'node:fs/promises';
import type { Resource } from './scrapeResource.ts';

/** A file that an address turned out to be. */
export interface DownloadedFile {
  readonly url: string;
  readonly name: string;
  readonly path: string;
  /** As the server named it; empty where it did not. */
  readonly contentType: string;
}

/** What is larger is told by its name alone, and not read into memory. */
const MAX_FILE_BYTES = 50_000_000;

/** By the ends of names, where the server says nothing that helps. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  xml: 'application/xml',
};

export async function fileResource({ url, name, path, contentType }: DownloadedFile): Promise<Resource> {
  const vague = /^(|application\/octet-stream|binary\/octet-stream|application\/force-download)(;|$)/i;
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  const type = vague.test(contentType)
    ? (TYPES_BY_EXTENSION[extension] ?? 'application/octet-stream')
    : contentType.replace(/^text\/html|^application\/xhtml\+xml/i, 'text/plain');
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES)
    return { contentType: 'application/octet-stream', body: new Uint8Array(), url, truncated: true };
  return { contentType: type, body: await readFile(path), url };
}
