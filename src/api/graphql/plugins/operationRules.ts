/** Validation rules beyond those of graphql-js: what the executors cannot run. */
import { GraphQLError, Kind, type SelectionNode, type ValidationRule } from 'graphql';

/** Rule that refuses the alias `then`: the executor takes an object with such a field for a promise. */
export const refuseThenAlias: ValidationRule = context => ({
  Field(field) {
    if (field.alias?.value !== 'then') return;
    const message = 'A field cannot have the alias "then". Choose another one.';
    context.reportError(new GraphQLError(message, { nodes: field }));
  },
});

/**
 * Rule that refuses `@skip` and `@include` on the root field of a subscription: without its field a subscription has no events
 * (GraphQL specification, section 5.2.4.1).
 */
export const refuseConditionalSubscription: ValidationRule = context => ({
  OperationDefinition({ operation, selectionSet }) {
    if (operation !== 'subscription') return;
    const seen = new Set<string>();
    const check = (selection: SelectionNode): void => {
      if (selection.directives?.some(({ name: { value } }) => value === 'skip' || value === 'include')) {
        const message = 'The root field of a subscription cannot have @skip or @include.';
        context.reportError(new GraphQLError(message, { nodes: selection }));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) selection.selectionSet.selections.forEach(check);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) return;
      seen.add(selection.name.value);
      context.getFragment(selection.name.value)?.selectionSet.selections.forEach(check);
    };
    selectionSet.selections.forEach(check);
  },
});
