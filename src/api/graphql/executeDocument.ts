/**
 * Executes GraphQL documents as Yoga does. Not with graphql-js: its version 16 does not complete a list from an async iterable, so that a
 * long list would hold up other callers.
 */
import { execute } from '@graphql-tools/executor';
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, Kind, visit } from 'graphql';
import { executionSchemaOf } from './executionSchema.ts';

/**
 * Executes a query or mutation, or a subscription for the event that is its `rootValue`. Plain data are converted at once instead of being
 * executed field by field (executionSchema.ts).
 * @param args its schema is the public one
 */
export async function executeDocument(args: ExecutionArgs): Promise<ExecutionResult> {
  const schema = introspects(args.document) ? args.schema : executionSchemaOf(args.schema);
  const result = await execute({ ...args, schema });
  if ('initialResult' in result) throw new Error('The schema has no directive that divides a response.');
  return result;
}

const introspecting = new WeakMap<DocumentNode, boolean>();

/** Returns true if the document reads the schema, which must be the public one then. */
function introspects(document: DocumentNode): boolean {
  const known = introspecting.get(document);
  if (known !== undefined) return known;
  let found = false;
  visit(document, {
    [Kind.FIELD]({ name }) {
      if (name.value === '__schema' || name.value === '__type') found = true;
    },
  });
  introspecting.set(document, found);
  return found;
}
