/** Which isolated world belongs to which frame of one CDP target, kept up to date by Chromium's events. */
import type { CDPSession } from 'playwright';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { raceDeadline } from './cdpChannel.ts';
import { UTILITY_WORLD_PREFIX } from './playwrightInternals.ts';

export interface IsolatedContext {
  /** Chromium's number of the execution context; good for this document only. */
  readonly contextId: number;
  /** Never used again by Chromium: tells one document from the next. */
  readonly uniqueId: string;
  readonly frameId: string;
}

/** Where a frame's own scripts run. */
export interface MainWorldContext {
  readonly contextId: number;
  readonly uniqueId: string;
  /** Handle of its `document`, once somebody has asked for it. */
  documentHandle: string | null;
}

export class FrameWorlds {
  readonly #isolatedWorlds = new Map<string, IsolatedContext>();
  readonly #mainWorlds = new Map<string, MainWorldContext>();
  readonly #waiters = new Map<string, Set<() => void>>();

  /** Starts to listen; `Runtime.enable` must follow. */
  constructor(session: CDPSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const data = context.auxData as { frameId?: string; type?: string } | undefined;
      if (data?.type === 'default' && data.frameId !== undefined)
        this.#mainWorlds.set(data.frameId, {
          contextId: context.id,
          uniqueId: context.uniqueId,
          documentHandle: null,
        });
      if (
        data?.type !== 'isolated' ||
        data.frameId === undefined ||
        !context.name.startsWith(UTILITY_WORLD_PREFIX)
      )
        return;
      const { frameId } = data;
      this.#isolatedWorlds.set(frameId, { contextId: context.id, uniqueId: context.uniqueId, frameId });
      for (const wake of this.#waiters.get(frameId) ?? []) wake();
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      for (const [frameId, known] of this.#isolatedWorlds)
        if (known.uniqueId === executionContextUniqueId) this.#isolatedWorlds.delete(frameId);
      for (const [frameId, known] of this.#mainWorlds)
        if (known.uniqueId === executionContextUniqueId) this.#mainWorlds.delete(frameId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#isolatedWorlds.clear();
      this.#mainWorlds.clear();
    });
  }

  /** The world of a frame, if the frame is in this target and has a document now. */
  find(frameId: string): IsolatedContext | null {
    return this.#isolatedWorlds.get(frameId) ?? null;
  }

  /** The frames of this target that have a document now. */
  frameIds(): readonly string[] {
    return [...this.#mainWorlds.keys()];
  }

  /** The execution context of the page's own scripts in a frame; null while it has no document. */
  mainWorldContext(frameId: string): MainWorldContext | null {
    return this.#mainWorlds.get(frameId) ?? null;
  }

  /** The world of a frame; waits for it while a navigation is under way. */
  async waitFor(frameId: string, deadline: Deadline): Promise<IsolatedContext> {
    for (;;) {
      const known = this.#isolatedWorlds.get(frameId);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = this.#waiters.get(frameId) ?? new Set();
      this.#waiters.set(frameId, waiters.add(resolve));
      try {
        await raceDeadline(promise, deadline);
      } finally {
        waiters.delete(resolve);
        if (waiters.size === 0) this.#waiters.delete(frameId);
      }
    }
  }
}
