/** One page of a session: Playwright's page, a CDP session of the same page, and the state of both. */
import type { Dialog, Page } from 'playwright';
import { race, type StopWhen } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { redactUrl } from '../../domain/redactUrl.ts';
import { CdpChannel } from '../cdp/cdpChannel.ts';
import { FrameWorlds } from '../cdp/frameWorlds.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { RendererPidTracker } from '../limits/rendererPidTracker.ts';
import { NetworkIdleTracker } from './networkIdleTracker.ts';
import { type CdpTarget, PageFrames } from './pageFrames.ts';

/** The page cannot respond any more: a dialog opened, or the page crashed or was closed. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Receives the events of a tab. */
export interface TabListener {
  /** @returns true to keep the dialog open for the caller, false to dismiss it */
  dialogOpened(tab: Tab, dialog: Dialog): boolean;
  crashed(tab: Tab): void;
  closed(tab: Tab): void;
}

export class Tab {
  /** `T1`, `T2`, …; never used again in the session. */
  readonly id: string;
  readonly page: Page;
  /** The target of the page itself. */
  readonly target: CdpTarget;
  readonly frames: PageFrames;
  readonly network: NetworkIdleTracker;
  readonly rendererPids: RendererPidTracker;
  /** Null while the tab is warm and waits for a session. */
  listener: TabListener | null = null;
  /** The open dialog; null if none is open. */
  dialog: Dialog | null = null;
  /** True while the caller opens another URL: then a `beforeunload` dialog is accepted. */
  acceptsBeforeUnload = false;
  crashed = false;
  /** Title at the last observation, for lists of tabs and for observations while a dialog is open. */
  title = '';
  readonly #interrupts = new Set<() => void>();

  private constructor(id: string, page: Page, target: CdpTarget, network: NetworkIdleTracker) {
    this.id = id;
    this.page = page;
    this.target = target;
    this.frames = new PageFrames(page, target);
    this.network = network;
    this.rendererPids = new RendererPidTracker(page, target.channel.session);
    page.on('dialog', dialog => this.#onDialog(dialog));
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

  /** Creates a tab for a page, in three round trips. Therefore tabs are created before a session needs them. */
  static async open(id: string, page: Page): Promise<Tab> {
    const session = await page.context().newCDPSession(page);
    const channel = new CdpChannel(session);
    const worlds = new FrameWorlds(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    const network = new NetworkIdleTracker(session, frameTree.frame.id);
    const tab = new Tab(id, page, { channel, worlds }, network);
    await Promise.all([
      session.send('Runtime.enable'),
      // The service does not read request bodies, and they would make the events too long for the pipe.
      session.send('Network.enable', { maxPostDataSize: 1 }),
      session.send('Page.enable'),
      session.send('Log.enable'),
    ]);
    return tab;
  }

  /** The URL of the page without credentials; while an error page is open, the URL that could not be opened. */
  get redactedUrl(): string {
    return redactUrl(this.network.unreachableUrl ?? this.page.url());
  }

  get mainFrameId(): string {
    return this.network.mainFrameId;
  }

  /** True when the page cannot respond: a dialog is open, or the page crashed or is closed. */
  get isUnresponsive(): boolean {
    return this.dialog !== null || this.crashed || this.page.isClosed();
  }

  /** Returns the isolated world of the top document. */
  world(deadline: Deadline): Promise<IsolatedWorld> {
    return this.frames.topWorld(this.mainFrameId, deadline);
  }

  /**
   * Settles as `work` does, or rejects with Interrupted as soon as the page cannot respond. `work` itself continues:
   * Chromium holds its response back until the dialog is closed.
   */
  interruptible<T>(work: Promise<T>): Promise<T> {
    return race(work, this.onInterrupt);
  }

  /** Stops a wait with Interrupted as soon as the page cannot respond. */
  readonly onInterrupt: StopWhen<never> = ({ reject }) => {
    const interrupt = () => reject(new Interrupted('The page cannot answer now.'));
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

  #onDialog(dialog: Dialog): void {
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
  }

  #interruptAll(): void {
    for (const interrupt of [...this.#interrupts]) interrupt();
    this.network.notifyChange();
  }
}
