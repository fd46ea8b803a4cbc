/** What every subscription to one session begins with. */
import type { Listening, SessionNotice } from '../../domain/ports.ts';
import type { Session } from '../../domain/session.ts';
import type { RequestContext } from '../requestContext.ts';
import { endable } from './endable.ts';
import { knownForm, sessionNotFound } from './session.ts';

/** What subscribing needs of the request. */
export type Watcher = Pick<RequestContext, 'service' | 'viewer' | 'signal'>;

/**
 * Subscribes before it reads, so that no change falls between the two.
 * @param watch makes what is told of the session as it is and of its notices from now on
 * @param wanted which notices it is made of; all of the session when absent
 * @throws Failure SESSION_NOT_FOUND
 */
export async function watchSession<Told>(
  { service, viewer, signal }: Watcher,
  sessionId: string,
  watch: (present: Session, notices: AsyncIterable<SessionNotice>) => AsyncGenerator<Told, void, undefined>,
  wanted?: Listening['wanted'],
): Promise<AsyncIterableIterator<Told>> {
  const id = knownForm(sessionId).toLowerCase();
  const ended = new AbortController();
  const notices = service.changes(viewer, {
    signal: AbortSignal.any([signal, ended.signal]),
    sessionId: id,
    wanted,
  });
  const end = () => ended.abort();
  try {
    const [present] = await service.sessions(viewer, [id]);
    if (present == null) throw sessionNotFound(sessionId);
    return endable(watch(present, notices), end);
  } catch (error) {
    end();
    throw error;
  }
}
