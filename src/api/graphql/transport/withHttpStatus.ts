/** Refusals before GraphQL runs: over HTTP the status says so too. */
import { GraphQLError } from 'graphql';
import { isFailure } from '../../../domain/failures.ts';

/** Does the work; a Failure of it is thrown as an error of GraphQL that has the failure's own HTTP status. */
export function withHttpStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { status } = error.definition;
    throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
  }
}
