/** Subscribers with the same operation, variables and key share one execution per event. */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
} from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../requestContext.ts';

type Execution = ExecutionResult | Promise<ExecutionResult>;

/** Runs a subscription's document once for each event, for all subscribers with the same API key, document and variables. */
export function subscriptionResultCachePlugin(): Plugin {
  const cache = new SubscriptionResultCache();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!isAsyncIterable(source)) return source;
        const key = requestKey(args);
        const results = mapAsyncIterator(source, event =>
          cache.getOrRun(event, args.document, key, async () => {
            const context = args.contextValue as RequestContext;
            // Many subscriptions can wait for the same event: each runs in a turn of its own.
            await context.turns.next();
            // graphql-js completes lists from arrays only, so they are not divided into turns of the caller.
            const turns: RequestContext['turns'] = { ...context.turns, sliced: items => items };
            return execute({ ...args, rootValue: event, contextValue: { ...context, turns } });
          }),
        );
        return endWithError(results);
      });
    },
  };
}

/**
 * Returns an iterator with the same results. If the source of events fails, its last result has the error, which is then masked like
 * any other; the libraries would send the error's own text, or break the stream off.
 */
function endWithError(
  results: AsyncIterableIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  let hasFailed = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (hasFailed) return { done: true, value: undefined };
      try {
        return await results.next();
      } catch (error) {
        hasFailed = true;
        return { done: false, value: { errors: [toGraphqlError(error)] } };
      }
    },
    return: async () => (await results.return?.()) ?? { done: true, value: undefined },
    throw: async error => (await results.throw?.(error)) ?? { done: true, value: undefined },
  };
}

const toGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('The subscription failed.', {
        originalError: error instanceof Error ? error : new Error(String(error)),
      });

/** Returns a text that is equal for two requests only if the account, API key, operation name and variables are equal. */
function requestKey({ contextValue, operationName, variableValues }: ExecutionArgs): string {
  // The cast is sound: `createRequestContext` makes the context of every operation.
  const { viewer } = contextValue as RequestContext;
  return JSON.stringify([viewer.account.id, viewer.keyId, operationName ?? null, variableValues ?? {}]);
}

/** Results of subscriptions by event, document and request key, until the next turn of the event loop. */
class SubscriptionResultCache {
  readonly #results = new WeakMap<object, WeakMap<DocumentNode, Map<string, Execution>>>();

  /**
   * Returns the stored result for the event, document and key; calls `run` if there is none.
   * @param event compared by identity
   */
  getOrRun(event: unknown, document: DocumentNode, key: string, run: () => Execution): Execution {
    if (typeof event !== 'object' || event === null) return run();
    const byDocument = this.#results.get(event) ?? new WeakMap<DocumentNode, Map<string, Execution>>();
    this.#results.set(event, byDocument);
    const byKey = byDocument.get(document) ?? new Map<string, Execution>();
    byDocument.set(document, byKey);
    const stored = byKey.get(key);
    if (stored !== undefined) return stored;
    const execution = run();
    byKey.set(key, execution);
    // Keep the result only for this turn of the event loop: values such as durations and tabs change later.
    const evict = () => setImmediate(() => byKey.delete(key));
    if (execution instanceof Promise) execution.then(evict, evict);
    else evict();
    return execution;
  }
}
