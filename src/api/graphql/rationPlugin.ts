/** Every root field of an operation counts as a request; the first was counted when the operation came. */
import { type DocumentNode, type ExecutionArgs, GraphQLError, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Failure, isFailure } from '../../domain/failures.ts';
import { failureHeaders } from '../exchange.ts';
import type { RequestContext } from '../requestContext.ts';
import { fieldsIn } from './rootFields.ts';

/** Refuses an operation as a whole when its root fields are more than the account has left. */
export function rationPlugin(): Plugin {
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const error = await refusalOf(args);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

async function refusalOf(args: ExecutionArgs): Promise<GraphQLError | null> {
  const more = rootFields(args.document, args.operationName) - 1;
  if (more < 1) return null;
  const { ration, viewer } = args.contextValue as RequestContext;
  try {
    await ration.take(viewer, more);
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return overHttp(error);
  }
}

/** Refused before anything ran: over HTTP the status says so too. */
const overHttp = (failure: Failure): GraphQLError => {
  const { status } = failure.row;
  const { retryAfterSeconds } = failure.facts;
  const headers = failureHeaders({ status, retryAfterSeconds });
  return new GraphQLError(failure.message, {
    originalError: failure,
    extensions: { http: { status, headers } },
  });
};

function rootFields(document: DocumentNode, operationName: string | null | undefined): number {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return 0;
  const fragments = new Map(
    document.definitions
      .filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
      .map(one => [one.name.value, one]),
  );
  return fieldsIn(operation.selectionSet, name => fragments.get(name));
}
