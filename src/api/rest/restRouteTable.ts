/** Makes the table of REST routes in docs/contract.md. `npm run docs` writes it. */
import { z } from 'zod';
import { firstSentence } from '../../operations/field.ts';
import type { RestRoute } from './route.ts';

/** Returns the Markdown table of the REST routes: path, GraphQL field, description. */
export const restRouteTable = (routes: readonly RestRoute[]): string =>
  [
    '| REST | GraphQL | What it does |',
    '|---|---|---|',
    ...routes.map(
      route =>
        `| ${restCell(route)} | ${route.graphql === '' ? '' : `\`${route.graphql}\``} | ${firstSentence(route.description)}. |`,
    ),
  ].join('\n');

function restCell(route: RestRoute): string {
  const { method, path, aliases } = route;
  return [path, ...aliases].map(one => `\`${method} ${one}${queryOf(route)}\``).join(', ');
}

/** Returns the query parameters of a route, such as `?from=&to=`; empty if it has none. */
function queryOf({ bodyType, request, path }: RestRoute): string {
  if (bodyType === 'json' || !(request instanceof z.ZodObject)) return '';
  const names = Object.keys(request.shape).filter(name => !path.includes(`{${name}}`));
  return names.length === 0 ? '' : `?${names.map(name => `${name}=`).join('&')}`;
}
