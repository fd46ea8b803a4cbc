import type { HttpContext } from './httpContext.ts';
import type { HttpResponse } from './httpResponse.ts';

/** The values of the placeholders of a route's path, by name, percent-decoded: `{ session_id: '…' }`. */
export type PathParams = Readonly<Record<string, string>>;

export interface HttpRoute {
  /** The method of the requests. A GET route also answers HEAD requests. */
  readonly method: 'GET' | 'POST';
  /** The path, such as `/session/{session_id}`: a placeholder `{name}` matches one segment. */
  readonly path: string;
  /** True if the route answers requests while the service shuts down. Other routes then fail with SHUTTING_DOWN. */
  readonly duringShutdown?: boolean;
  handle(http: HttpContext, params: PathParams): HttpResponse | Promise<HttpResponse>;
}

export const getRoute = (path: string, handle: HttpRoute['handle']): HttpRoute => ({
  method: 'GET',
  path,
  handle,
});

export interface PathMatch {
  readonly path: string;
  readonly params: PathParams;
  readonly routes: readonly HttpRoute[];
}

/**
 * Returns a function that finds the routes for the path of a request. The function returns null if no route matches.
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

/** Returns the value of the `Allow` header for the routes of one path: `GET, HEAD, POST`. */
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
