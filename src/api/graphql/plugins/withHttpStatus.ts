/** Sends failures that occur before GraphQL runs with their own HTTP status. */
import { GraphQLError } from 'graphql';
import { isFailure } from '../../../domain/failure/failures.ts';

/** Returns the result of `work`. If it throws a Failure, throws a GraphQLError that makes Yoga send the failure's HTTP status. */
export function withHttpStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { status } = error.definition;
    throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
  }
}
