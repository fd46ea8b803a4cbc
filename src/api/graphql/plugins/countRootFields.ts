/** Counts the root fields of an operation. */
import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * Counts the fields of a selection, including those in fragments, without the fields inside them. A fragment that is used again
 * counts once, because its fields are returned once.
 * @param seen names of the fragments that are counted already
 */
export function countRootFields(
  set: SelectionSetNode,
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  seen: Set<string> = new Set(),
): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      count += countRootFields(selection.selectionSet, fragmentOf, seen);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = fragmentOf(selection.name.value);
      if (fragment) count += countRootFields(fragment.selectionSet, fragmentOf, seen);
    }
  }
  return count;
}
