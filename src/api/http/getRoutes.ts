/** Things that are only read, each at one path. */
import { Failure } from '../../domain/failures.ts';
import { type Handler, type HttpContext, type HttpResponse, withHeaders } from './httpContext.ts';

/** Path → what answers a GET (or HEAD) of it. */
export type GetRoutes = Readonly<
  Record<string, (exchange: HttpContext) => HttpResponse | Promise<HttpResponse>>
>;

/** @param tell writes a failure as an answer */
export function getHandler(
  table: GetRoutes,
  tell: (failure: Failure, exchange: HttpContext) => HttpResponse,
): Handler {
  const found = new Map(Object.entries(table));
  return exchange => {
    const read = found.get(exchange.path);
    if (read === undefined) return null;
    if (exchange.method === 'GET') return read(exchange);
    const failure = new Failure(
      'METHOD_NOT_ALLOWED',
      `${exchange.path} takes GET and HEAD, not ${exchange.method}.`,
    );
    return withHeaders(tell(failure, exchange), { allow: 'GET, HEAD' });
  };
}
