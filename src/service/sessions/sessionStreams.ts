/** Streams of sessions: updates of their state, and live images. */
import type { Viewer } from '../../domain/account/account.ts';
import type { EventBus, SessionUpdate, SubscribeOptions, Subscription } from '../../domain/ports/eventBus.ts';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/session/screencastFrame.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** Subscriptions to the state and to the live images of an account's sessions. */
export interface SessionStreams {
  /**
   * Yields each change of the account's sessions, or of one session (`options.sessionId`), from now on. Read the
   * current state after `started` of the result. A slow reader loses the oldest updates, never the newest; `missed` of the next
   * update contains the number of lost updates.
   */
  sessionUpdates(viewer: Viewer, options?: SubscribeOptions): Subscription<SessionUpdate>;
  /**
   * Yields live images of the active tab until the session ends or `signal` aborts. A slow reader receives only the
   * newest image.
   * @throws Failure SESSION_NOT_FOUND; RATE_LIMITED if the session has too many readers; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if the session
   * has ended
   */
  frames(
    viewer: Viewer,
    sessionId: string,
    options: ScreencastOptions,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<ScreencastFrame>>;
}

/** Creates the subscriptions. State changes come from `bus`, images from the browsers of the sessions in `registry`. */
export function createSessionStreams(registry: SessionRegistry, bus: EventBus): SessionStreams {
  return {
    sessionUpdates: (viewer, options) => bus.subscribe(viewer.account.id, options),
    async frames(viewer, sessionId, options, signal) {
      const live = await registry.requireLive(viewer, sessionId);
      return live.lease.frames(options, signal);
    },
  };
}
