/** Serves files that pages load. Reads each on its first request, and compresses it once. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpContext } from '../http/httpContext.ts';
import type { HttpResponse } from '../http/httpResponse.ts';

const gzipAsync = promisify(gzip);

/**
 * Returns a handler that serves a file, compressed with gzip if the caller accepts it. Reads and compresses the file at the
 * first request, and keeps it in memory.
 * @param load reads the file; called once
 * @param type the Content-Type
 * @param moreHeaders further headers; they replace the default `Cache-Control` of one hour
 */
export function staticAsset(
  load: () => Promise<string | Uint8Array> | string,
  type: string,
  moreHeaders: Readonly<Record<string, string>> = {},
): (http: HttpContext) => Promise<HttpResponse> {
  let loaded: Promise<{ plain: Uint8Array; compressed: Uint8Array }> | null = null;
  const read = async () => {
    const content = await load();
    const plain = typeof content === 'string' ? Buffer.from(content) : content;
    return { plain, compressed: await gzipAsync(plain) };
  };
  return async ({ headers }) => {
    loaded ??= read();
    const { plain, compressed } = await loaded;
    const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    return {
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=3600',
        vary: 'accept-encoding',
        ...moreHeaders,
        ...(acceptsGzip && { 'content-encoding': 'gzip' }),
      },
      body: acceptsGzip ? compressed : plain,
    };
  };
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
