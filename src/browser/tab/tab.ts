/** One page of a session: Playwright's page, a CDP session beside it, and what is known of its state. */
import type { Dialog, Page } from 'playwright';
import { race, type StopWhen } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { redactUrl } from '../../domain/redactUrl.ts';
import { CdpChannel } from '../cdp/cdpChannel.ts';
import { FrameWorlds } from '../cdp/frameWorlds.ts';
import { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { RendererPidTracker } from '../limits/rendererPidTracker.ts';
import { NetworkIdleTracker } from './networkIdleTracker.ts';

/** One CDP target of the page: the page itself, or a frame that has a process of its own. */
export interface CdpTarget {
  readonly channel: CdpChannel;
  readonly worlds: FrameWorlds;
}

/** A dialog opened, or the page went: it will not answer what it was asked. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** What a tab tells the lease. */
export interface TabListener {
  /** @returns whether it stays open, for the caller to answer */
  dialogOpened(tab: Tab, dialog: Dialog): boolean;
  crashed(tab: Tab): void;
  closed(tab: Tab): void;
}

const MAX_REMEMBERED_FRAMES = 500;
/** A page with more frames has those beyond left out where they have processes of their own. */
const MAX_ATTACHED_FRAMES = 200;

export class Tab {
  /** `T1`, `T2`: never used again in the session. */
  readonly id: string;
  readonly page: Page;
  readonly target: CdpTarget;
  readonly network: NetworkIdleTracker;
  readonly rendererPids: RendererPidTracker;
  /** Who is told; none while the tab waits, warm, for its session. */
  listener: TabListener | null = null;
  dialog: Dialog | null = null;
  /** While the caller has another address opened: a page that asks whether to leave it has its answer. */
  acceptsBeforeUnload = false;
  crashed = false;
  /** Title at the last look: for lists, and while a dialog keeps the page from answering. */
  title = '';
  readonly #outOfProcess = new Map<string, CdpTarget>();
  readonly #frameIds = new Map<string, string>();
  readonly #interrupts = new Set<() => void>();

  private constructor(id: string, page: Page, target: CdpTarget, activity: NetworkIdleTracker) {
    this.id = id;
    this.page = page;
    this.target = target;
    this.network = activity;
    this.rendererPids = new RendererPidTracker(page, target.channel.session);
    page.on('dialog', dialog => {
      const staysOpen = this.listener?.dialogOpened(this, dialog) ?? true;
      if (this.acceptsBeforeUnload && dialog.type() === 'beforeunload') {
        dialog.accept().catch(() => {});
        return;
      }
      if (!staysOpen) {
        dialog.dismiss().catch(() => {});
        return;
      }
      this.dialog = dialog;
      this.#interruptAll();
    });
    page.on('crash', () => {
      this.crashed = true;
      this.listener?.crashed(this);
      this.#interruptAll();
    });
    page.on('close', () => {
      this.listener?.closed(this);
      this.#interruptAll();
    });
  }

  /** Three round trips, two of them at once: contexts are made ready before anybody waits for them. */
  static async open(id: string, page: Page): Promise<Tab> {
    const session = await page.context().newCDPSession(page);
    const channel = new CdpChannel(session);
    const worlds = new FrameWorlds(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    const activity = new NetworkIdleTracker(session, frameTree.frame.id);
    const tab = new Tab(id, page, { channel, worlds }, activity);
    await Promise.all([
      session.send('Runtime.enable'),
      // Bodies of the pages' requests, which nobody here reads, make their events too long for the pipe.
      session.send('Network.enable', { maxPostDataSize: 1 }),
      session.send('Page.enable'),
      session.send('Log.enable'),
    ]);
    return tab;
  }

  /** Where the tab is, as it may be told; for an address that could not be opened, that address. */
  get redactedUrl(): string {
    return redactUrl(this.network.unreachableUrl ?? this.page.url());
  }

  /** Whether the page cannot answer now: a dialog is open, its process is dead, or it is closed. */
  get isUnresponsive(): boolean {
    return this.dialog !== null || this.crashed || this.page.isClosed();
  }

  /**
   * Settles as `work` does, or rejects with Interrupted as soon as the page cannot answer.
   * `work` goes on unheard: Chromium holds its answer until the dialog is closed.
   */
  interruptible<T>(work: Promise<T>): Promise<T> {
    return race(work, this.onInterrupt);
  }

  /** Stops a wait with Interrupted as soon as the page cannot answer. */
  readonly onInterrupt: StopWhen<never> = ({ reject }) => {
    const interrupt = () => reject(new Interrupted('the page cannot answer now'));
    this.#interrupts.add(interrupt);
    if (this.isUnresponsive) interrupt();
    return () => this.#interrupts.delete(interrupt);
  };

  /** Dismisses the open dialog, if there is one. */
  async dismissDialog(): Promise<void> {
    const { dialog } = this;
    this.dialog = null;
    await dialog?.dismiss().catch(() => {});
  }

  #interruptAll(): void {
    for (const interrupt of [...this.#interrupts]) interrupt();
    this.network.notifyChange();
  }

  get mainFrameId(): string {
    return this.network.mainFrameId;
  }

  /** The isolated world of the top document. */
  async world(deadline: Deadline): Promise<IsolatedWorld> {
    const context = await this.target.worlds.waitFor(this.mainFrameId, deadline);
    const find = () => this.#childWorlds(this.mainFrameId, this.target, deadline);
    return new IsolatedWorld(this.target, context, this.page.url(), deadline, find);
  }

  /** The isolated world of the frame in an iframe element; null while it has no document that can be read. */
  async frameWorld(
    owner: IsolatedWorld,
    iframeObjectId: string,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const frameId = await this.#frameIdOf(owner, iframeObjectId, deadline);
    return frameId === undefined ? null : this.#worldOfFrame(frameId, deadline);
  }

  /**
   * As `frameWorld`, of an iframe element that is looked for only where it was not seen before.
   * @param key the element's own in its document
   */
  async frameWorldByKey(
    owner: IsolatedWorld,
    key: number,
    find: () => Promise<string | null>,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const cacheKey = `${owner.context.uniqueId}/${key}`;
    const known = this.#frameIds.get(cacheKey);
    // An iframe that was taken out and put in again holds another frame; the one it held has no world any more.
    if (known !== undefined && this.#hasWorld(known)) return this.#worldOfFrame(known, deadline);
    const element = await find();
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
    return this.target.worlds.find(frameId) !== null || this.#outOfProcessTarget(frameId) !== undefined;
  }

  async #worldOfFrame(frameId: string, deadline: Deadline): Promise<IsolatedWorld | null> {
    const target = await this.#targetOf(frameId, deadline);
    const context = target?.worlds.find(frameId);
    if (target == null || context == null) return null;
    return new IsolatedWorld(target, context, '', deadline, () =>
      this.#childWorlds(frameId, target, deadline),
    );
  }

  async #targetOf(frameId: string, deadline: Deadline): Promise<CdpTarget | null> {
    if (this.target.worlds.find(frameId) !== null) return this.target;
    const known = this.#outOfProcess.get(frameId) ?? this.#outOfProcessTarget(frameId);
    if (known !== undefined) return known;
    await this.#attachFrames(deadline);
    return this.#outOfProcess.get(frameId) ?? this.#outOfProcessTarget(frameId) ?? null;
  }

  #outOfProcessTarget(frameId: string): CdpTarget | undefined {
    for (const target of this.#outOfProcess.values()) if (target.worlds.find(frameId) !== null) return target;
    return undefined;
  }

  /** Playwright does not tell which frames have a process of their own: those give a session, the others refuse. */
  async #attachFrames(deadline: Deadline): Promise<void> {
    const frames = this.page.frames().filter(frame => frame !== this.page.mainFrame());
    await Promise.all(
      frames.slice(0, MAX_ATTACHED_FRAMES).map(async frame => {
        const session = await this.page
          .context()
          .newCDPSession(frame)
          .catch(() => null);
        if (session === null) return;
        const channel = new CdpChannel(session);
        const worlds = new FrameWorlds(session);
        const [tree] = await Promise.all([
          channel.send('Page.getFrameTree', undefined, deadline),
          channel.send('Runtime.enable', undefined, deadline),
        ]);
        const { id } = tree.frameTree.frame;
        if (this.#outOfProcess.has(id)) return void session.detach().catch(() => {});
        this.#outOfProcess.set(id, { channel, worlds });
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
    if (this.page.frames().length < 2) return [];
    const { frameTree } = await target.channel.send('Page.getFrameTree', undefined, deadline);
    const inProcess = childrenOf(frameTree, frameId);
    await this.#attachFrames(deadline);
    const outOfProcess: string[] = [];
    for (const [id, other] of this.#outOfProcess) {
      if (other === target) continue;
      const tree = await other.channel.send('Page.getFrameTree', undefined, deadline).catch(() => null);
      if (tree?.frameTree.frame.parentId === frameId) outOfProcess.push(id);
    }
    const worlds = await Promise.all(
      [...inProcess, ...outOfProcess].map(id => this.#worldOfFrame(id, deadline)),
    );
    return worlds.filter(world => world !== null);
  }
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

function childrenOf(tree: FrameTree, frameId: string): string[] {
  const children = tree.childFrames ?? [];
  if (tree.frame.id === frameId) return children.map(child => child.frame.id);
  return children.flatMap(child => childrenOf(child, frameId));
}
