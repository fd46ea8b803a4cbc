/** Files that pages load: read once, when first asked for, and compressed once. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpContext } from '../http/httpContext.ts';
import type { HttpResponse } from '../http/httpResponse.ts';

const compress = promisify(gzip);

/**
 * @param load reads the file; called once, when it is first asked for
 * @param type the Content-Type
 * @param more headers beside it; they win over those for caching
 */
export function staticAsset(
  load: () => Promise<string | Uint8Array> | string,
  type: string,
  more: Readonly<Record<string, string>> = {},
): (exchange: HttpContext) => Promise<HttpResponse> {
  let kept: Promise<{ whole: Uint8Array; small: Uint8Array }> | null = null;
  const read = async () => {
    const loaded = await load();
    const whole = typeof loaded === 'string' ? Buffer.from(loaded) : loaded;
    return { whole, small: await compress(whole) };
  };
  return async ({ headers }) => {
    kept ??= read();
    const { whole, small } = await kept;
    const zipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    return {
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=3600',
        vary: 'accept-encoding',
        ...more,
        ...(zipped && { 'content-encoding': 'gzip' }),
      },
      body: zipped ? small : whole,
    };
  };
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
