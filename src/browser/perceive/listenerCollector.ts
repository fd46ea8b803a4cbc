import type { Deadline } from '../../domain/ports/clock.ts';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import {
  documentHandle,
  type FrameTree,
  frameTree,
  type IsolatedWorld,
  type MainWorldContext,
} from '../cdp/isolatedWorld.ts';
import { isTargetGone } from '../cdp/playwrightInternals.ts';

/** Types of the event listeners that are collected; a listener of any other type does not make an element interactive. */
const INTERACTIVE_EVENTS = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu mouseenter mouseover mouseleave mousemove pointerenter pointerover pointermove auxclick drag dragenter keydown keyup keypress input change dragstart dragover drop wheel'.split(
    ' ',
  ),
);
/** A page with more has many similar rows, which are also found by cursor and role. */
const MAX_LISTENER_OWNERS = 4_000;

/** The types of the event listeners of each node, by CDP's backend node id. */
export type ListenersByNode = ReadonlyMap<number, readonly string[]>;

const NO_LISTENERS: ListenersByNode = new Map();

export class ListenerCollector {
  readonly #deadline: Deadline;
  readonly #byTarget = new Map<CdpChannel, Promise<ReadonlyMap<string, ListenersByNode>>>();

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Returns the event listeners in the document of this world. Reads those of all frames in the same CDP target at the first call. */
  async listenersOf(world: IsolatedWorld): Promise<ListenersByNode> {
    const known = this.#byTarget.get(world.channel) ?? this.#collect(world);
    this.#byTarget.set(world.channel, known);
    return (await known).get(world.context.frameId) ?? NO_LISTENERS;
  }

  /** Chromium's answer for a document includes the frames in it: each node belongs to the deepest frame that reports it, and is of no use in another. */
  async #collect({ channel, worlds }: IsolatedWorld): Promise<ReadonlyMap<string, ListenersByNode>> {
    const frames = worlds.frameIds();
    const [depths, ...listenersByFrame] = await Promise.all([
      frames.length > 1 ? this.#frameDepths(channel) : new Map<string, number>(),
      ...frames.map(
        async frame => [frame, await this.#listenersIn(channel, worlds.mainWorldContext(frame))] as const,
      ),
    ]);
    if (depths === null) return new Map();
    const deepestFirst = listenersByFrame.toSorted(([a], [b]) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
    const taken = new Set<number>();
    const byFrame = new Map<string, ListenersByNode>();
    for (const [frame, all] of deepestFirst) {
      const own = new Map([...all].filter(([node]) => !taken.has(node)).slice(0, MAX_LISTENER_OWNERS));
      for (const node of all.keys()) taken.add(node);
      byFrame.set(frame, own);
    }
    return byFrame;
  }

  /** Returns how many frames are around each frame; null if the frames cannot be told. */
  async #frameDepths(channel: CdpChannel): Promise<ReadonlyMap<string, number> | null> {
    const top = await frameTree(channel, this.#deadline);
    if (top === null) return null;
    const depths = new Map<string, number>();
    const visit = (tree: FrameTree, depth: number) => {
      depths.set(tree.frame.id, depth);
      for (const child of tree.childFrames ?? []) visit(child, depth + 1);
    };
    visit(top, 0);
    return depths;
  }

  /**
   * Returns the listeners in one document and the frames in it; none when the frame is gone.
   * Uses the `document` of the page's main world, which a page cannot override. With the `document` of the isolated
   * world Chromium 156 puts objects of the page into that world; using them throws "Illegal invocation" or crashes the
   * process.
   */
  async #listenersIn(channel: CdpChannel, page: MainWorldContext | null): Promise<ListenersByNode> {
    if (page === null) return NO_LISTENERS;
    try {
      const objectId = await documentHandle(channel, page, this.#deadline);
      if (objectId === null) return NO_LISTENERS;
      const { listeners } = await channel.send(
        'DOMDebugger.getEventListeners',
        { objectId, depth: -1, pierce: true },
        this.#deadline,
      );
      const types = new Map<number, string[]>();
      for (const { type, backendNodeId } of listeners) {
        if (backendNodeId === undefined || !INTERACTIVE_EVENTS.has(type)) continue;
        const known = types.get(backendNodeId);
        if (known === undefined) types.set(backendNodeId, [type]);
        else if (!known.includes(type)) known.push(type);
      }
      return types;
    } catch (error) {
      // The frame is gone, so it has no listeners. Reading its elements reports the error.
      if (this.#deadline.signal.aborted || isTargetGone(error)) throw error;
      return NO_LISTENERS;
    }
  }
}
