/** Makes the table of REST routes in docs/contract.md. `npm run docs` writes it. */
import { Kind, type SelectionNode, type SelectionSetNode } from 'graphql';
import { z } from 'zod';
import type { RestRoute } from './routes/route.ts';

/** Returns the Markdown table of the REST routes: path, GraphQL field, description. */
export const restRouteTable = (routes: readonly RestRoute[]): string =>
  [
    '| REST | GraphQL | What it does |',
    '|---|---|---|',
    ...routes.map(route => `| ${restCell(route)} | ${graphqlCell(route)} | ${route.description} |`),
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

/** Returns the GraphQL field that the route's document selects, such as `session(id).downloads`; empty for a file route. */
function graphqlCell({ document }: RestRoute): string {
  const operation = document?.definitions.find(one => one.kind === Kind.OPERATION_DEFINITION);
  return operation === undefined ? '' : `\`${fieldPath(operation.selectionSet)}\``;
}

function fieldPath({ selections }: SelectionSetNode): string {
  const [field, ...others] = selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) return '';
  const args = field.arguments?.map(argument => argument.name.value) ?? [];
  const name = args.length > 0 ? `${field.name.value}(${args.join(', ')})` : field.name.value;
  const below = field.selectionSet?.selections.every(isObject) ? fieldPath(field.selectionSet) : '';
  return below === '' ? name : `${name}.${below}`;
}

const isObject = (selection: SelectionNode): boolean =>
  selection.kind === Kind.FIELD && selection.selectionSet !== undefined;
