/**
 * Executes GraphQL documents as Yoga does. Not with graphql-js: its version 16 does not complete a list from an async iterable, so that a
 * long list would hold up other callers.
 */
import { execute } from '@graphql-tools/executor';
import type { ExecutionArgs, ExecutionResult } from 'graphql';

/** Executes a query or mutation, or a subscription for the event that is its `rootValue`. */
export async function executeDocument(args: ExecutionArgs): Promise<ExecutionResult> {
  const result = await execute(args);
  if ('initialResult' in result) throw new Error('The schema has no directive that divides a response.');
  return result;
}
