/** Which isolated world belongs to which frame of one CDP target, kept up to date by Chromium's events. */
import type { CDPSession } from 'playwright';
import type { Deadline } from '../domain/ports.ts';
import { within } from './channel.ts';

/** Playwright's own isolated world: locators with a `contentScript` engine run in it, so it is the one to share. */
const WORLD_PREFIX = '__playwright_utility_world';

export interface FrameContext {
  /** Chromium's number of the execution context; good for this document only. */
  readonly contextId: number;
  /** Never used again by Chromium: tells one document from the next. */
  readonly uniqueId: string;
  readonly frameId: string;
}

/** Where a frame's own scripts run. */
export interface PageContext {
  readonly contextId: number;
  readonly uniqueId: string;
  /** Handle of its `document`, once somebody has asked for it. */
  document: string | null;
}

export class FrameWorlds {
  readonly #byFrame = new Map<string, FrameContext>();
  readonly #pages = new Map<string, PageContext>();
  readonly #waiters = new Map<string, Set<() => void>>();

  /** Starts to listen; `Runtime.enable` must follow. */
  constructor(session: CDPSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const data = context.auxData as { frameId?: string; type?: string } | undefined;
      if (data?.type === 'default' && data.frameId !== undefined)
        this.#pages.set(data.frameId, { contextId: context.id, uniqueId: context.uniqueId, document: null });
      if (data?.type !== 'isolated' || data.frameId === undefined || !context.name.startsWith(WORLD_PREFIX))
        return;
      const { frameId } = data;
      this.#byFrame.set(frameId, { contextId: context.id, uniqueId: context.uniqueId, frameId });
      for (const wake of this.#waiters.get(frameId) ?? []) wake();
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      for (const [frameId, known] of this.#byFrame)
        if (known.uniqueId === executionContextUniqueId) this.#byFrame.delete(frameId);
      for (const [frameId, known] of this.#pages)
        if (known.uniqueId === executionContextUniqueId) this.#pages.delete(frameId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#byFrame.clear();
      this.#pages.clear();
    });
  }

  /** The world of a frame, if the frame is in this target and has a document now. */
  peek(frameId: string): FrameContext | null {
    return this.#byFrame.get(frameId) ?? null;
  }

  /** The frames of this target that have a document now. */
  frames(): readonly string[] {
    return [...this.#pages.keys()];
  }

  /** The execution context of the page's own scripts in a frame; null while it has no document. */
  pageContext(frameId: string): PageContext | null {
    return this.#pages.get(frameId) ?? null;
  }

  /** The world of a frame; waits for it while a navigation is under way. */
  async of(frameId: string, deadline: Deadline): Promise<FrameContext> {
    for (;;) {
      const known = this.#byFrame.get(frameId);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = this.#waiters.get(frameId) ?? new Set();
      this.#waiters.set(frameId, waiters.add(resolve));
      try {
        await within(promise, deadline);
      } finally {
        waiters.delete(resolve);
        if (waiters.size === 0) this.#waiters.delete(frameId);
      }
    }
  }
}
