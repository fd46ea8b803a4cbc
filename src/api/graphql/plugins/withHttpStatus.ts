/** Sends failures that occur before GraphQL runs with their own HTTP status. */
import { GraphQLError } from 'graphql';
import { isFailure } from '../../../domain/failures.ts';

/** Runs `work`; rethrows its Failure as a GraphQLError for which Yoga sends the status of the failure. */
export function withHttpStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { status } = error.definition;
    throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
  }
}
