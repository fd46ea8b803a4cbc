/** Executes GraphQL documents inside the service: for MCP tools, and for the events of subscriptions. */
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { RequestContext } from './requestContext.ts';

/**
 * Executes a query or mutation, or a subscription for the event that is its `rootValue`. graphql-js completes lists from arrays only, so
 * they are not divided into turns of the caller.
 */
export async function executeDocument(args: ExecutionArgs): Promise<ExecutionResult> {
  const context = args.contextValue as RequestContext;
  const turns: RequestContext['turns'] = { ...context.turns, sliced: items => items };
  return execute({ ...args, contextValue: { ...context, turns } });
}
