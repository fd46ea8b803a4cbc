/** One page of a session: Playwright's page, a CDP session beside it, and what is known of its state. */
import type { Dialog, Page } from 'playwright';
import type { Deadline } from '../domain/ports.ts';
import { Activity } from './activity.ts';
import { Channel } from './channel.ts';
import { FrameWorlds } from './frameWorlds.ts';
import { IsolatedWorld } from './isolatedWorld.ts';
import { PageProcesses } from './pageProcesses.ts';
import { told } from './withoutCredentials.ts';
import type { World } from './world.ts';

/** One CDP target of the page: the page itself, or a frame that has a process of its own. */
export interface Target {
  readonly channel: Channel;
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

const MOST_FRAMES_REMEMBERED = 500;
/** A page with more frames has those beyond left out where they have processes of their own. */
const MOST_FRAMES_ASKED = 200;

export class Tab {
  /** `T1`, `T2`: never used again in the session. */
  readonly id: string;
  readonly page: Page;
  readonly target: Target;
  readonly activity: Activity;
  readonly processes: PageProcesses;
  /** Who is told; none while the tab waits, warm, for its session. */
  listener: TabListener | null = null;
  dialog: Dialog | null = null;
  /** While the caller has another address opened: a page that asks whether to leave it has its answer. */
  leaving = false;
  crashed = false;
  /** Title at the last look: for lists, and while a dialog keeps the page from answering. */
  title = '';
  readonly #outOfProcess = new Map<string, Target>();
  readonly #frameIds = new Map<string, string>();
  readonly #interrupts = new Set<() => void>();

  private constructor(id: string, page: Page, target: Target, activity: Activity) {
    this.id = id;
    this.page = page;
    this.target = target;
    this.activity = activity;
    this.processes = new PageProcesses(page, target.channel.session);
    page.on('dialog', dialog => {
      const stays = this.listener?.dialogOpened(this, dialog) ?? true;
      if (this.leaving && dialog.type() === 'beforeunload') {
        dialog.accept().catch(() => {});
        return;
      }
      if (!stays) {
        dialog.dismiss().catch(() => {});
        return;
      }
      this.dialog = dialog;
      this.#interrupt();
    });
    page.on('crash', () => {
      this.crashed = true;
      this.listener?.crashed(this);
      this.#interrupt();
    });
    page.on('close', () => {
      this.listener?.closed(this);
      this.#interrupt();
    });
  }

  /** Three round trips, two of them at once: contexts are made ready before anybody waits for them. */
  static async open(id: string, page: Page): Promise<Tab> {
    const session = await page.context().newCDPSession(page);
    const channel = new Channel(session);
    const worlds = new FrameWorlds(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    const activity = new Activity(session, frameTree.frame.id);
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
  get address(): string {
    return told(this.activity.unreachable ?? this.page.url());
  }

  /** Whether the page cannot answer now: a dialog is open, its process is dead, or it is closed. */
  get still(): boolean {
    return this.dialog !== null || this.crashed || this.page.isClosed();
  }

  /**
   * Settles as `work` does, or rejects with Interrupted as soon as the page cannot answer.
   * `work` goes on unheard: Chromium holds its answer until the dialog is closed.
   */
  interruptible<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const interrupt = () => reject(new Interrupted('the page cannot answer now'));
    this.#interrupts.add(interrupt);
    work.then(resolve, reject).finally(() => this.#interrupts.delete(interrupt));
    if (this.still) interrupt();
    return promise;
  }

  #interrupt(): void {
    for (const interrupt of [...this.#interrupts]) interrupt();
    this.activity.wake();
  }

  get mainFrameId(): string {
    return this.activity.mainFrameId;
  }

  /** The isolated world of the top document. */
  async world(deadline: Deadline): Promise<IsolatedWorld> {
    const context = await this.target.worlds.of(this.mainFrameId, deadline);
    const find = () => this.#childWorlds(this.mainFrameId, this.target, deadline);
    return new IsolatedWorld(this.target, context, this.page.url(), deadline, find);
  }

  /** The isolated world of the frame in an iframe element; null while it has no document that can be read. */
  async frameWorld(
    owner: IsolatedWorld,
    iframeObjectId: string,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const frameId = await this.#frameIn(owner, iframeObjectId, deadline);
    return frameId === undefined ? null : this.#worldOf(frameId, deadline);
  }

  /**
   * As `frameWorld`, of an iframe element that is looked for only where it was not seen before.
   * @param key the element's own in its document
   */
  async frameSeen(
    owner: IsolatedWorld,
    key: number,
    find: () => Promise<string | null>,
    deadline: Deadline,
  ): Promise<IsolatedWorld | null> {
    const place = `${owner.context.uniqueId}/${key}`;
    const known = this.#frameIds.get(place);
    // An iframe that was taken out and put in again holds another frame; the one it held has no world any more.
    if (known !== undefined && this.#isLiving(known)) return this.#worldOf(known, deadline);
    const element = await find();
    if (element === null) return null;
    const frameId = await this.#frameIn(owner, element, deadline);
    if (frameId === undefined) return null;
    if (this.#frameIds.size >= MOST_FRAMES_REMEMBERED) this.#frameIds.clear();
    this.#frameIds.set(place, frameId);
    return this.#worldOf(frameId, deadline);
  }

  async #frameIn(owner: IsolatedWorld, objectId: string, deadline: Deadline): Promise<string | undefined> {
    return (await owner.channel.send('DOM.describeNode', { objectId }, deadline)).node.frameId;
  }

  #isLiving(frameId: string): boolean {
    return this.target.worlds.peek(frameId) !== null || this.#holding(frameId) !== undefined;
  }

  async #worldOf(frameId: string, deadline: Deadline): Promise<IsolatedWorld | null> {
    const target = await this.#targetOf(frameId, deadline);
    const context = target?.worlds.peek(frameId);
    if (target == null || context == null) return null;
    return new IsolatedWorld(target, context, '', deadline, () =>
      this.#childWorlds(frameId, target, deadline),
    );
  }

  async #targetOf(frameId: string, deadline: Deadline): Promise<Target | null> {
    if (this.target.worlds.peek(frameId) !== null) return this.target;
    const known = this.#outOfProcess.get(frameId) ?? this.#holding(frameId);
    if (known !== undefined) return known;
    await this.#attachFrames(deadline);
    return this.#outOfProcess.get(frameId) ?? this.#holding(frameId) ?? null;
  }

  #holding(frameId: string): Target | undefined {
    for (const target of this.#outOfProcess.values()) if (target.worlds.peek(frameId) !== null) return target;
    return undefined;
  }

  /** Playwright does not tell which frames have a process of their own: those give a session, the others refuse. */
  async #attachFrames(deadline: Deadline): Promise<void> {
    const frames = this.page.frames().filter(frame => frame !== this.page.mainFrame());
    await Promise.all(
      frames.slice(0, MOST_FRAMES_ASKED).map(async frame => {
        const session = await this.page
          .context()
          .newCDPSession(frame)
          .catch(() => null);
        if (session === null) return;
        const channel = new Channel(session);
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

  async #childWorlds(frameId: string, target: Target, deadline: Deadline): Promise<readonly World[]> {
    if (this.page.frames().length < 2) return [];
    const { frameTree } = await target.channel.send('Page.getFrameTree', undefined, deadline);
    const inProcess = childrenOf(frameTree, frameId);
    await this.#attachFrames(deadline);
    const apart: string[] = [];
    for (const [id, other] of this.#outOfProcess) {
      if (other === target) continue;
      const tree = await other.channel.send('Page.getFrameTree', undefined, deadline).catch(() => null);
      if (tree?.frameTree.frame.parentId === frameId) apart.push(id);
    }
    const worlds = await Promise.all([...inProcess, ...apart].map(id => this.#worldOf(id, deadline)));
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
