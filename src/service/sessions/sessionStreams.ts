/** Streams of sessions: updates of their state, and live images. */
import type { Viewer } from '../../domain/account.ts';
import type { EventBus, SessionUpdate, SubscribeOptions } from '../../domain/ports/eventBus.ts';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/screencastFrame.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** Subscriptions to sessions. */
export interface SessionStreams {
  /**
   * Yields updates from now on, of all sessions of the account or of one. Read the current state after this call. A
   * slow reader loses the oldest updates, never the newest, and receives the number of lost ones.
   */
  sessionUpdates(viewer: Viewer, options?: SubscribeOptions): AsyncIterableIterator<SessionUpdate>;
  /**
   * Yields live images of a session until it ends. A slow reader receives only the newest.
   * @throws Failure SESSION_NOT_FOUND; RATE_LIMITED; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if the session
   * has ended
   */
  frames(
    viewer: Viewer,
    sessionId: string,
    options: ScreencastOptions,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<ScreencastFrame>>;
}

/** Creates the streams. */
export function createSessionStreams(registry: SessionRegistry, bus: EventBus): SessionStreams {
  return {
    sessionUpdates: (viewer, options) => bus.subscribe(viewer.account.id, options),
    async frames(viewer, sessionId, options, signal) {
      const live = await registry.requireLive(viewer, sessionId);
      return live.lease.frames(options, signal);
    },
  };
}
