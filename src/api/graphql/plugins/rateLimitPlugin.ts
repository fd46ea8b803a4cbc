/** Counts each root field of an operation as a request. The transport has already counted the first one. */
import { type DocumentNode, type ExecutionArgs, GraphQLError, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Failure, isFailure } from '../../../domain/failure/failures.ts';
import { failureHeaders } from '../../http/httpResponse.ts';
import type { RequestContext } from '../requestContext.ts';
import { countRootFields } from './countRootFields.ts';

/**
 * Counts each root field after the first one as a request of the account: the transport has counted the first. Refuses the whole
 * operation if the account has too few requests left.
 */
export function rateLimitPlugin(): Plugin {
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const error = await rateLimitError(args);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

async function rateLimitError(args: ExecutionArgs): Promise<GraphQLError | null> {
  const more = countOperationFields(args.document, args.operationName) - 1;
  if (more < 1) return null;
  const { rateLimit, viewer } = args.contextValue as RequestContext;
  try {
    await rateLimit.consume(viewer, more);
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return withHttpHeaders(error);
  }
}

/** Converts a failure to a GraphQLError with the HTTP status and headers that Yoga sends, because no resolver has run yet. */
const withHttpHeaders = (failure: Failure): GraphQLError => {
  const { status } = failure.definition;
  const { retryAfterSeconds } = failure.context;
  const headers = failureHeaders({ status, retryAfterSeconds });
  return new GraphQLError(failure.message, {
    originalError: failure,
    extensions: { http: { status, headers } },
  });
};

function countOperationFields(document: DocumentNode, operationName: string | null | undefined): number {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return 0;
  const fragments = new Map(
    document.definitions
      .filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
      .map(one => [one.name.value, one]),
  );
  return countRootFields(operation.selectionSet, name => fragments.get(name));
}
