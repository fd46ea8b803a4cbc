/** Changes of a running session: its name, its labels, options of its browser, and its idle timer. */
import type { Viewer } from '../../domain/account/account.ts';
import { type ChangeableOptions, shownOptions } from '../../domain/session/browserOptions.ts';
import type { Session } from '../../domain/session/session.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** Input of `updateSession`. */
export interface UpdateSessionCommand {
  readonly sessionId: string;
  /** The new name; null to remove it, absent to keep it. */
  readonly name?: string | null;
  /** The new labels, which replace the present ones; absent to keep them. */
  readonly labels?: readonly string[];
  /** The options of the browser that change; absent for none. */
  readonly options?: ChangeableOptions;
}

/** Input of `extendSession`. */
export interface ExtendSessionCommand {
  readonly sessionId: string;
  /** New idle timeout in minutes; null or absent to keep the present one. */
  readonly timeoutMinutes?: number | null;
}

/** Changes of a running session. They wait for no operation and are not charged. */
export interface SessionEdits {
  /** @throws Failure SESSION_NOT_FOUND, VALIDATION_ERROR, BROWSER_CRASHED, or that of an ended session */
  updateSession(viewer: Viewer, command: UpdateSessionCommand): Promise<Session>;
  /**
   * Starts the idle timer of the session again, without an operation on its page.
   * @throws Failure SESSION_NOT_FOUND, VALIDATION_ERROR, or that of an ended session
   */
  extendSession(viewer: Viewer, command: ExtendSessionCommand): Promise<Session>;
}

/**
 * Creates the changes.
 * @param validateTimeout returns the timeout unchanged; throws Failure VALIDATION_ERROR if it is above the maximum of the account
 */
export function createSessionEdits(
  registry: SessionRegistry,
  validateTimeout: (viewer: Viewer, timeoutMinutes: number) => Promise<number>,
): SessionEdits {
  return {
    async updateSession(viewer, { sessionId, name, labels, options = {} }) {
      const live = await registry.requireLive(viewer, sessionId);
      if (Object.keys(options).length > 0) {
        await live.lease.changeOptions(options);
        const shown = shownOptions(options);
        if (shown !== null) await live.change({ type: 'options_changed', options: shown });
      }
      if (name === undefined && labels === undefined) return live.session;
      await live.change({
        type: 'renamed',
        ...(name !== undefined && { name }),
        ...(labels !== undefined && { labels }),
      });
      return live.session;
    },
    async extendSession(viewer, { sessionId, timeoutMinutes }) {
      const live = await registry.requireLive(viewer, sessionId);
      const minutes = timeoutMinutes == null ? undefined : await validateTimeout(viewer, timeoutMinutes);
      await live.change({
        type: 'extended',
        at: registry.now(),
        ...(minutes !== undefined && { timeoutMinutes: minutes }),
      });
      return live.session;
    },
  };
}
