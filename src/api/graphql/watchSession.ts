import type { SessionUpdate, SubscribeOptions } from '../../domain/ports/eventBus.ts';
import type { Session } from '../../domain/session/session.ts';
import { parseSessionId, sessionNotFound } from '../../operations/operation.ts';
import type { RequestContext } from './requestContext.ts';

/** Wraps a generator so that `return()` ends it at once, not after the pending value: `cancel` ends its source, and can be called several times. */
export function cancellable<Value>(
  generator: AsyncGenerator<Value, void, undefined>,
  cancel: () => void,
): AsyncIterableIterator<Value> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      cancel();
      return generator.return();
    },
    throw: error => {
      cancel();
      return generator.throw(error);
    },
  };
}

export type SubscriptionContext = Pick<RequestContext, 'service' | 'viewer' | 'signal'>;

/**
 * Starts a subscription to one session. Subscribes to updates before it reads the session, so that no change between the two is
 * missed.
 * @param watch yields the values of the subscription, from the current session and its updates from now on
 * @param filter selects the updates that `watch` needs; default: all of the session
 * @throws Failure SESSION_NOT_FOUND
 */
export async function watchSession<Value>(
  { service, viewer, signal }: SubscriptionContext,
  sessionId: string,
  watch: (present: Session, updates: AsyncIterable<SessionUpdate>) => AsyncGenerator<Value, void, undefined>,
  filter?: SubscribeOptions['filter'],
): Promise<AsyncIterableIterator<Value>> {
  const id = parseSessionId(sessionId).toLowerCase();
  const cancelled = new AbortController();
  const updates = service.sessionUpdates(viewer, {
    signal: AbortSignal.any([signal, cancelled.signal]),
    sessionId: id,
    filter,
  });
  const cancel = () => cancelled.abort();
  try {
    await updates.started;
    const [present] = await service.sessions(viewer, [id]);
    if (present == null) throw sessionNotFound(sessionId);
    return cancellable(watch(present, updates), cancel);
  } catch (error) {
    cancel();
    throw error;
  }
}

/** Starts a subscription of the account: `watch` yields its values, from the updates from now on that `filter` selects (default: all). */
export async function watchAccount<Value>(
  { service, viewer, signal }: SubscriptionContext,
  watch: (updates: AsyncIterable<SessionUpdate>) => AsyncGenerator<Value, void, undefined>,
  filter?: SubscribeOptions['filter'],
): Promise<AsyncIterableIterator<Value>> {
  const cancelled = new AbortController();
  const updates = service.sessionUpdates(viewer, {
    signal: AbortSignal.any([signal, cancelled.signal]),
    filter,
  });
  await updates.started;
  return cancellable(watch(updates), () => cancelled.abort());
}
