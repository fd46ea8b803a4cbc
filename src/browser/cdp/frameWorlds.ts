/** Tracks the execution contexts of the frames of one CDP target, by Chromium's events. */

import type { CDPSession } from 'playwright';
import type { Deadline } from '../../domain/ports/clock.ts';
import { type CdpChannel, raceDeadline } from './cdpChannel.ts';
import { isNestedTooDeeply, UTILITY_WORLD_PREFIX } from './playwrightInternals.ts';

/** A frame and the frames inside it. */
export interface FrameTree {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * Returns the frames of a CDP target as a tree. Null if they are nested so deeply (about 150 frames) that Chromium cannot write them
 * as JSON: no page that people read does so.
 * @throws Failure of the deadline; Playwright's error when the target is gone
 */
export async function frameTree(channel: CdpChannel, deadline: Deadline): Promise<FrameTree | null> {
  try {
    return (await channel.send('Page.getFrameTree', undefined, deadline)).frameTree;
  } catch (error) {
    if (isNestedTooDeeply(error)) return null;
    throw error;
  }
}

/**
 * Returns the CDP object id of `document` in the page's own world; null if Chromium returns none. One round trip for the first call in
 * a document, else none. A page cannot override the global `document`.
 * @throws Failure of `deadlineFailure`; Playwright's error when the document is gone
 */
export async function documentHandle(
  channel: CdpChannel,
  page: MainWorldContext,
  deadline: Deadline,
): Promise<string | null> {
  if (page.documentHandle !== null) return page.documentHandle;
  const params = { expression: 'document', contextId: page.contextId };
  const { result } = await channel.send('Runtime.evaluate', params, deadline);
  page.documentHandle = result.objectId ?? null;
  return page.documentHandle;
}

/** The execution context of the isolated world of one document in a frame: the service's scripts run in it. */
export interface IsolatedContext {
  /** Chromium's id of the execution context; valid only while the document exists. */
  readonly contextId: number;
  /** An id that Chromium never uses again, so that it identifies the document. */
  readonly uniqueId: string;
  readonly frameId: string;
}

/** The execution context in which a document's own scripts run, not those of the service. */
export interface MainWorldContext {
  /** Chromium's id of the execution context; valid only while the document exists. */
  readonly contextId: number;
  /** An id that Chromium never uses again, so that it identifies the document. */
  readonly uniqueId: string;
  /** CDP object id of `document` in this context; null until code requests it for the first time. */
  documentHandle: string | null;
  /** CDP object id of the document's task recorder; null until code creates it. */
  taskRecorderHandle: string | null;
  /** True if the document's scripts have broken the recorder: it is not used again. */
  refusesTaskRecorder: boolean;
}

/** The current execution contexts of all frames of one CDP target. */
export class FrameWorlds {
  readonly #isolatedWorlds = new Map<string, IsolatedContext>();
  readonly #mainWorlds = new Map<string, MainWorldContext>();
  /** Name of the isolated worlds; null before the first one exists. */
  worldName: string | null = null;
  readonly #waiters = new Map<string, Set<() => void>>();

  /** Listens to the session's events about execution contexts. The caller must send `Runtime.enable` afterwards. */
  constructor(session: CDPSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const data = context.auxData as { frameId?: string; type?: string } | undefined;
      if (data?.type === 'default' && data.frameId !== undefined)
        this.#mainWorlds.set(data.frameId, {
          contextId: context.id,
          uniqueId: context.uniqueId,
          documentHandle: null,
          taskRecorderHandle: null,
          refusesTaskRecorder: false,
        });
      if (
        data?.type !== 'isolated' ||
        data.frameId === undefined ||
        !context.name.startsWith(UTILITY_WORLD_PREFIX)
      )
        return;
      const { frameId } = data;
      this.worldName = context.name;
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

  /** Returns the isolated world of a frame; null if the frame is not in this target or has no document now. */
  find(frameId: string): IsolatedContext | null {
    return this.#isolatedWorlds.get(frameId) ?? null;
  }

  /** Returns the ids of the frames of this target that have a document now. */
  frameIds(): readonly string[] {
    return [...this.#mainWorlds.keys()];
  }

  /** Returns the main world of a frame; null while the frame has no document. */
  mainWorldContext(frameId: string): MainWorldContext | null {
    return this.#mainWorlds.get(frameId) ?? null;
  }

  /** Returns the isolated world of a frame. Waits for it during a navigation. @throws Failure of `deadlineFailure` */
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
