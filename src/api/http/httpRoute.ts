/** A table of HTTP routes, and the matching of a path against it. */
import type { HttpContext } from './httpContext.ts';
import type { HttpResponse } from './httpResponse.ts';

/** The values of a path's placeholders, percent-decoded. */
export type PathParams = Readonly<Record<string, string>>;

/** A route: the handler of one method of one path. */
export interface HttpRoute {
  /** The method. A GET route also answers HEAD. */
  readonly method: 'GET' | 'POST';
  /** `{name}` matches one segment. */
  readonly path: string;
  /** True to answer requests while the service shuts down. */
  readonly duringShutdown?: boolean;
  handle(http: HttpContext, params: PathParams): HttpResponse | Promise<HttpResponse>;
}

/** Creates a route for a public page or file. */
export const getRoute = (path: string, handle: HttpRoute['handle']): HttpRoute => ({
  method: 'GET',
  path,
  handle,
});

/** The routes that match a path. */
export interface PathMatch {
  /** The path as the table contains it, with its placeholders. */
  readonly path: string;
  readonly params: PathParams;
  readonly routes: readonly HttpRoute[];
}

/**
 * Returns a function that finds the routes of a request's path; it returns null when there are none.
 * Own code: find-my-way or Hono's router would replace only these twenty lines. They do not handle 405 with Allow, HEAD,
 * or values with invalid percent-encoding.
 */
export function createPathMatcher(routes: readonly HttpRoute[]): (path: string) => PathMatch | null {
  const byPath = Map.groupBy(routes, route => route.path);
  const patterns = [...byPath]
    .filter(([path]) => path.includes('{'))
    .map(([path, own]) => {
      const source = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
      return { path, routes: own, pattern: new RegExp(`^${source}$`) };
    });
  return path => {
    const exact = byPath.get(path);
    if (exact !== undefined) return { path, params: {}, routes: exact };
    for (const { pattern, ...match } of patterns) {
      const found = pattern.exec(path);
      if (found !== null) return { ...match, params: decodeParams(found.groups ?? {}) };
    }
    return null;
  };
}

/** Returns the value of an `Allow` header. */
export const allowedMethods = (routes: readonly HttpRoute[]): string =>
  routes
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .toSorted()
    .join(', ');

function decodeParams(groups: Readonly<Record<string, string>>): PathParams {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => {
      try {
        return [name, decodeURIComponent(text)];
      } catch {
        // Invalid percent-encoding: the handler receives the text as the caller sent it.
        return [name, text];
      }
    }),
  );
}
