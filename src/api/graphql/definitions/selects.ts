import {
  type FieldNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
} from 'graphql';
import type { Selection } from '../../../operations/operation.ts';

type SelectionInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/**
 * Returns true if the caller selects this path of fields below the field that is being resolved. Handles fragments, aliases,
 * `@skip` and `@include`.
 * @example selects(info, 'data', 'markdown')
 */
export function selects(info: SelectionInfo, ...path: readonly string[]): boolean {
  let nodes: readonly FieldNode[] = info.fieldNodes;
  for (const name of path) {
    nodes = nodes.flatMap(node => fieldsNamed(name, node.selectionSet?.selections ?? [], info, new Set()));
    if (nodes.length === 0) return false;
  }
  return true;
}

/** @param visited names of the fragments that the search is in, so that it ends also in a document that was not validated */
function fieldsNamed(
  name: string,
  selections: readonly SelectionNode[],
  info: SelectionInfo,
  visited: ReadonlySet<string>,
): FieldNode[] {
  const found: FieldNode[] = [];
  for (const selection of selections) {
    if (!isIncluded(selection, info)) continue;
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value === name) found.push(selection);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      found.push(...fieldsNamed(name, selection.selectionSet.selections, info, visited));
    } else {
      const spread = selection.name.value;
      const fragment = info.fragments[spread];
      if (fragment !== undefined && !visited.has(spread))
        found.push(
          ...fieldsNamed(name, fragment.selectionSet.selections, info, new Set([...visited, spread])),
        );
    }
  }
  return found;
}

/** Returns true if neither `@skip` nor `@include` leaves the selection out. */
export const isIncluded = (selection: SelectionNode, info: Pick<SelectionInfo, 'variableValues'>): boolean =>
  selection.directives === undefined ||
  selection.directives.length === 0 ||
  (directiveCondition(GraphQLSkipDirective, selection, info) !== true &&
    directiveCondition(GraphQLIncludeDirective, selection, info) !== false);

const directiveCondition = (
  directive: GraphQLDirective,
  selection: SelectionNode,
  info: Pick<SelectionInfo, 'variableValues'>,
): unknown => getDirectiveValues(directive, selection, info.variableValues)?.if;

export const selectionOf = (info: SelectionInfo): Selection => ({ has: (...path) => selects(info, ...path) });
