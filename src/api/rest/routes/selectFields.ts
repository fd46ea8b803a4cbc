/** Reduces a GraphQL document to the fields that a REST request asks for. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { ALL_FIELDS, type FieldTree, type WantedFields } from '../bodies/bodySelection.ts';

/** The reduced form of each document, by the wanted fields. What the execution learns about a document serves its next execution too. */
const reducedDocuments = new WeakMap<FieldTree, WeakMap<DocumentNode, DocumentNode>>();

/**
 * Returns the document with only the wanted fields below its root field; the same one for the same `wanted`. Fragments are written out.
 * @param wanted the GraphQL names of the fields; at least one of them exists in the document
 */
export function selectFields<Document extends DocumentNode>(
  document: Document,
  wanted: WantedFields,
): Document {
  if (wanted === ALL_FIELDS) return document;
  const known = reducedDocuments.get(wanted) ?? new WeakMap<DocumentNode, DocumentNode>();
  reducedDocuments.set(wanted, known);
  const selected = known.get(document) ?? reduceDocument(document, wanted);
  known.set(document, selected);
  // Only the selections differ.
  return selected as Document;
}

function reduceDocument(document: DocumentNode, wanted: FieldTree): DocumentNode {
  const fragments = new Map(
    document.definitions
      .filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(definition => [definition.name.value, definition]),
  );
  const definitions = document.definitions
    .filter(definition => definition.kind === Kind.OPERATION_DEFINITION)
    .map(operation => ({
      ...operation,
      selectionSet: {
        ...operation.selectionSet,
        selections: operation.selectionSet.selections.map(root =>
          root.kind === Kind.FIELD && root.selectionSet !== undefined
            ? { ...root, selectionSet: reduced(root.selectionSet, wanted, fragments) }
            : root,
        ),
      },
    }));
  return { ...document, definitions };
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const reduced = (set: SelectionSetNode, wanted: WantedFields, fragments: Fragments): SelectionSetNode => ({
  ...set,
  selections: set.selections.flatMap(selection => wantedSelections(selection, wanted, fragments)),
});

function wantedSelections(
  selection: SelectionNode,
  wanted: WantedFields,
  fragments: Fragments,
): readonly SelectionNode[] {
  if (selection.kind !== Kind.FIELD) {
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return fragment === undefined ? [] : reduced(fragment.selectionSet, wanted, fragments).selections;
  }
  const inner = wanted === ALL_FIELDS ? ALL_FIELDS : wanted.get(selection.name.value);
  if (inner === undefined) return [];
  if (selection.selectionSet === undefined) return [selection];
  return [{ ...selection, selectionSet: reduced(selection.selectionSet, inner, fragments) }];
}
