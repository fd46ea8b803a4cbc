import type { Page } from 'playwright';
import type { Deadline } from '../../domain/ports/clock.ts';
import { CdpChannel, directSession, shortenDeadline } from '../cdp/cdpChannel.ts';
import {
  type FrameTree,
  FrameWorlds,
  frameTree,
  type IsolatedContext,
  IsolatedWorld,
} from '../cdp/isolatedWorld.ts';
import { detachSession } from '../cdp/playwrightSessions.ts';
import { clipboardOf } from './sessionClipboard.ts';

/** One CDP target of a page: the page itself, or a frame with its own process. */
export interface CdpTarget {
  readonly channel: CdpChannel;
  readonly worlds: FrameWorlds;
}

const MAX_REMEMBERED_FRAMES = 500;
/** Maximum number of frames of a page to which the service tries to attach a CDP session; further ones are skipped. */
const MAX_ATTACHED_FRAMES = 200;

/** Maximum time between the main world of a document and its isolated world. Milliseconds. */
const WORLD_TIMEOUT_MS = 1_000;

export class PageFrames {
  readonly #page: Page;
  readonly #target: CdpTarget;
  readonly #outOfProcess = new Map<string, CdpTarget>();
  /** Frame ids of iframe elements, by the document's unique id and the element's key: `<unique id>/<key>`. */
  readonly #frameIds = new Map<string, string>();

  constructor(page: Page, target: CdpTarget) {
    this.#page = page;
    this.#target = target;
  }

  /** Returns the isolated world of the top document. Waits until it exists, during a navigation. @throws Failure of the deadline */
  async topWorld(mainFrameId: string, deadline: Deadline): Promise<IsolatedWorld> {
    const context = await this.#target.worlds.waitFor(mainFrameId, deadline);
    const findChildren = () => this.#childWorlds(mainFrameId, this.#target, deadline);
    return new IsolatedWorld(this.#target, context, this.#page.url(), deadline, findChildren);
  }

  /** Null while the frame has no document that can be read. @param owner the world of the document with the iframe element */
  async worldOf(
    owner: IsolatedWorld,
    iframeHandle: string,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const frameId = await this.#frameIdOf(owner, iframeHandle, deadline);
    return frameId === undefined ? null : this.#worldOfFrame(frameId, deadline);
  }

  /**
   * Returns the isolated world of the frame in the iframe element with this key; null while the frame has no document that
   * can be read. Remembers the frame id, so that `findElement` is called only once.
   * @param owner the world of the document that contains the iframe element
   * @param findElement returns the CDP object id of the iframe element; null when it is gone
   */
  async worldByKey(
    owner: IsolatedWorld,
    key: number,
    findElement: () => Promise<string | null>,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const cacheKey = `${owner.context.uniqueId}/${key}`;
    const known = this.#frameIds.get(cacheKey);
    // If an iframe was removed and inserted again, it contains another frame, and the old frame has no world any more.
    if (known !== undefined && this.#hasWorld(known)) return this.#worldOfFrame(known, deadline);
    const element = await findElement();
    if (element === null) return null;
    const frameId = await this.#frameIdOf(owner, element, deadline);
    if (frameId === undefined) return null;
    if (this.#frameIds.size >= MAX_REMEMBERED_FRAMES) this.#frameIds.clear();
    this.#frameIds.set(cacheKey, frameId);
    return this.#worldOfFrame(frameId, deadline);
  }

  async #frameIdOf(owner: IsolatedWorld, objectId: string, deadline: Deadline): Promise<string | undefined> {
    return (await owner.channel.send('DOM.describeNode', { objectId }, deadline)).node.frameId;
  }

  #hasWorld(frameId: string): boolean {
    return this.#target.worlds.find(frameId) !== null || this.#outOfProcessTarget(frameId) !== undefined;
  }

  async #worldOfFrame(frameId: string, deadline: Deadline, url = ''): Promise<IsolatedWorld | null> {
    const target = await this.#targetOf(frameId, deadline);
    const context = target === null ? null : await isolatedContext(target, frameId, deadline);
    if (target === null || context === null) return null;
    const findChildren = () => this.#childWorlds(frameId, target, deadline);
    return new IsolatedWorld(target, context, url, deadline, findChildren);
  }

  async #targetOf(frameId: string, deadline: Deadline): Promise<CdpTarget | null> {
    if (hasDocument(this.#target, frameId)) return this.#target;
    const known = this.#outOfProcess.get(frameId) ?? this.#outOfProcessTarget(frameId);
    if (known !== undefined) return known;
    await this.#attachFrames(deadline);
    // A frame of the page's process can have got its document meanwhile.
    if (hasDocument(this.#target, frameId)) return this.#target;
    return this.#outOfProcess.get(frameId) ?? this.#outOfProcessTarget(frameId) ?? null;
  }

  #outOfProcessTarget(frameId: string): CdpTarget | undefined {
    return this.#outOfProcess.values().find(({ worlds }) => worlds.find(frameId) !== null);
  }

  /** Attaches to each frame that has its own process: Playwright does not say which, and refuses a session for the others. */
  async #attachFrames(deadline: Deadline): Promise<void> {
    const frames = this.#page.frames().filter(frame => frame !== this.#page.mainFrame());
    await Promise.all(
      frames.slice(0, MAX_ATTACHED_FRAMES).map(async frame => {
        const session = await this.#page
          .context()
          .newCDPSession(frame)
          .then(directSession, () => null);
        if (session === null) return;
        const channel = new CdpChannel(session);
        const worlds = new FrameWorlds(session);
        const [tree] = await Promise.all([
          frameTree(channel, deadline),
          channel.send('Runtime.enable', undefined, deadline),
        ]);
        if (tree === null) return;
        const { id } = tree.frame;
        if (this.#outOfProcess.has(id)) return void detachSession(session).catch(() => {});
        this.#outOfProcess.set(id, { channel, worlds });
        clipboardOf(this.#page.context()).watch(session, worlds);
        const forget = () => this.#outOfProcess.delete(id);
        session.on('close', forget);
        session.on('Inspector.detached', forget);
      }),
    );
  }

  async #childWorlds(
    frameId: string,
    target: CdpTarget,
    deadline: Deadline,
  ): Promise<readonly IsolatedWorld[]> {
    if (this.#page.frames().length < 2) return [];
    const tree = await frameTree(target.channel, deadline);
    const children = tree === null ? [] : childFrames(tree, frameId);
    await this.#attachFrames(deadline);
    for (const other of this.#outOfProcess.values()) {
      if (other === target) continue;
      const otherTree = await frameTree(other.channel, deadline).catch(() => null);
      if (otherTree?.frame.parentId === frameId) children.push(otherTree.frame);
    }
    const worlds = await Promise.all(children.map(({ id, url }) => this.#worldOfFrame(id, deadline, url)));
    return worlds.filter(world => world !== null);
  }
}

/** Returns true if the frame is in this target and has a document, whose isolated world may still be on its way. */
const hasDocument = ({ worlds }: CdpTarget, frameId: string): boolean =>
  worlds.find(frameId) !== null || worlds.mainWorldContext(frameId) !== null;

/** Returns the isolated world of a frame; waits for that of a document that has just begun. Null if the frame has none. */
async function isolatedContext(
  { worlds }: CdpTarget,
  frameId: string,
  deadline: Deadline,
): Promise<IsolatedContext | null> {
  const known = worlds.find(frameId);
  if (known !== null || worlds.mainWorldContext(frameId) === null) return known;
  using limit = shortenDeadline(deadline, WORLD_TIMEOUT_MS);
  return worlds.waitFor(frameId, limit).catch(() => null);
}

function childFrames(tree: FrameTree, frameId: string): FrameTree['frame'][] {
  const children = tree.childFrames ?? [];
  if (tree.frame.id === frameId) return children.map(({ frame }) => frame);
  return children.flatMap(child => childFrames(child, frameId));
}
