/** One event for many subscribers: those who ask the same of it share one execution. */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../requestContext.ts';
import { mapIterable } from '../subscriptions/cancellable.ts';

type Execution = ExecutionResult | Promise<ExecutionResult>;

/** Runs subscriptions; within one burst each event is executed once for each key, document and variables. */
export function subscriptionResultCachePlugin(): Plugin {
  const cache = new SubscriptionResultCache();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!isAsyncIterable(source)) return source;
        const asked = requestKey(args);
        return mapIterable(source, event =>
          cache.getOrRun(event, args.document, asked, () => execute({ ...args, rootValue: event })),
        );
      });
    },
  };
}

/** All that an answer depends on beside the event and the document. */
function requestKey({ contextValue, operationName, variableValues }: ExecutionArgs): string {
  // Sound: the context of every operation is made by `requestContext`.
  const { viewer } = contextValue as RequestContext;
  return JSON.stringify([viewer.account.id, viewer.keyId, operationName ?? null, variableValues ?? {}]);
}

class SubscriptionResultCache {
  readonly #results = new WeakMap<object, WeakMap<DocumentNode, Map<string, Execution>>>();

  /** @param event shared only where it is the very same object */
  getOrRun(event: unknown, document: DocumentNode, asked: string, run: () => Execution): Execution {
    if (typeof event !== 'object' || event === null) return run();
    const ofEvent = this.#results.get(event) ?? new WeakMap<DocumentNode, Map<string, Execution>>();
    this.#results.set(event, ofEvent);
    const ofDocument = ofEvent.get(document) ?? new Map<string, Execution>();
    ofEvent.set(document, ofDocument);
    const known = ofDocument.get(asked);
    if (known !== undefined) return known;
    const begun = run();
    ofDocument.set(asked, begun);
    // Who comes in a later turn of the loop asks anew: durations and tabs go on.
    const forget = () => setImmediate(() => ofDocument.delete(asked));
    if (begun instanceof Promise) begun.then(forget, forget);
    else forget();
    return begun;
  }
}
