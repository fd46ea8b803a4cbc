/** Makes a resource to scrape from a downloaded file. */
import { readFile, stat } from 'node:fs/promises';
import type { Resource } from './scrapeResource.ts';

export interface DownloadedFile {
  readonly url: string;
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
}

/** Maximum size of a file whose content is read. For a larger file only the name is returned. */
const MAX_FILE_BYTES = 50_000_000;

/** MIME types by file extension, used when the response's content type is missing or generic. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  xml: 'application/xml',
};

/** Reads a downloaded file; of a file that is too large, returns an empty body. Treats an HTML file as plain text. */
export async function fileResource({ url, name, path, contentType }: DownloadedFile): Promise<Resource> {
  const generic = /^(|application\/octet-stream|binary\/octet-stream|application\/force-download)(;|$)/i;
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  const type = generic.test(contentType)
    ? (TYPES_BY_EXTENSION[extension] ?? 'application/octet-stream')
    : contentType.replace(/^text\/html|^application\/xhtml\+xml/i, 'text/plain');
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES)
    return { contentType: 'application/octet-stream', body: new Uint8Array(), url, isTruncated: true };
  return { contentType: type, body: await readFile(path), url };
}
