/** Subscribers with the same operation, variables and key share one execution per event. */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
} from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../requestContext.ts';

type Execution = ExecutionResult | Promise<ExecutionResult>;

/** Executes each event once per key, document and variables, for all subscribers that receive it at the same time. */
export function subscriptionResultCachePlugin(): Plugin {
  const cache = new SubscriptionResultCache();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!isAsyncIterable(source)) return source;
        const key = requestKey(args);
        return mapAsyncIterator(source, event =>
          cache.getOrRun(event, args.document, key, () => execute({ ...args, rootValue: event })),
        );
      });
    },
  };
}

/** Returns a key of everything that determines a result, beside the event and the document. */
function requestKey({ contextValue, operationName, variableValues }: ExecutionArgs): string {
  // Sound: `createRequestContext` makes the context of every operation.
  const { viewer } = contextValue as RequestContext;
  return JSON.stringify([viewer.account.id, viewer.keyId, operationName ?? null, variableValues ?? {}]);
}

class SubscriptionResultCache {
  readonly #results = new WeakMap<object, WeakMap<DocumentNode, Map<string, Execution>>>();

  /** @param event subscribers share a result only for the same object */
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
    // Keep it only for this turn of the event loop: values such as durations and tabs change later.
    const evict = () => setImmediate(() => byKey.delete(key));
    if (execution instanceof Promise) execution.then(evict, evict);
    else evict();
    return execution;
  }
}
