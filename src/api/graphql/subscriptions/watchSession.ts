/** What every subscription to one session begins with. */
import type { SessionUpdate, SubscribeOptions } from '../../../domain/ports/eventBus.ts';
import type { Session } from '../../../domain/session.ts';
import type { RequestContext } from '../requestContext.ts';
import { parseSessionId, sessionNotFound } from '../types/session.ts';
import { cancellable } from './cancellable.ts';

/** What subscribing needs of the request. */
export type SubscriptionContext = Pick<RequestContext, 'service' | 'viewer' | 'signal'>;

/**
 * Subscribes before it reads, so that no change falls between the two.
 * @param watch makes what is told of the session as it is and of its notices from now on
 * @param wanted which notices it is made of; all of the session when absent
 * @throws Failure SESSION_NOT_FOUND
 */
export async function watchSession<Told>(
  { service, viewer, signal }: SubscriptionContext,
  sessionId: string,
  watch: (present: Session, notices: AsyncIterable<SessionUpdate>) => AsyncGenerator<Told, void, undefined>,
  wanted?: SubscribeOptions['filter'],
): Promise<AsyncIterableIterator<Told>> {
  const id = parseSessionId(sessionId).toLowerCase();
  const ended = new AbortController();
  const notices = service.sessionUpdates(viewer, {
    signal: AbortSignal.any([signal, ended.signal]),
    sessionId: id,
    filter: wanted,
  });
  const end = () => ended.abort();
  try {
    const [present] = await service.sessions(viewer, [id]);
    if (present == null) throw sessionNotFound(sessionId);
    return cancellable(watch(present, notices), end);
  } catch (error) {
    end();
    throw error;
  }
}
