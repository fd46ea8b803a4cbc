/** Finds the ids of the processes that run a page. Chromium reveals them only in other ids, which those processes generate. */
import type { CDPSession, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import { rendererPidOf } from '../cdp/playwrightInternals.ts';

/** Maximum time that `refresh` waits for a busy page. A later response is still recorded. */
const REFRESH_TIMEOUT_MS = 1_000;

/** Collects the ids of the processes that run one page and its frames. */
export class RendererPidTracker {
  readonly #page: Page;
  readonly #pids = new Set<number>();
  #refreshing: Promise<void> | null = null;

  /** @param session CDP session of the page, after `Network.enable`: then the requests of a document reveal its process */
  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    session.on('Network.requestWillBeSent', ({ requestId }) => this.#addPidOf(requestId));
  }

  /** The page's known process ids. Some of these processes may have ended. */
  get known(): readonly number[] {
    return [...this.#pids];
  }

  /** Returns the page's known process ids that are among `livingPids`, the running renderers, and forgets the others. */
  livingPids(livingPids: ReadonlySet<number>): readonly number[] {
    for (const pid of this.#pids) if (!livingPids.has(pid)) this.#pids.delete(pid);
    return [...this.#pids];
  }

  /** Finds the processes of the page and its frames; never throws. Makes Chromium walk through each document once. */
  refresh(): Promise<void> {
    if (this.#refreshing !== null) return this.#refreshing;
    const frames = this.#page.frames().filter(frame => frame !== this.#page.mainFrame());
    const work = Promise.allSettled([this.#page, ...frames].map(target => this.#readPid(target)));
    const done = work.then(() => {
      this.#refreshing = null;
    });
    this.#refreshing = race(done, afterMs(REFRESH_TIMEOUT_MS));
    return this.#refreshing;
  }

  /**
   * Finds the process that runs a page or frame, and adds its id. Rejects for a frame in its parent's process: Chromium
   * offers no CDP session for it.
   */
  async #readPid(target: Parameters<ReturnType<Page['context']>['newCDPSession']>[0]): Promise<void> {
    const session = await this.#page.context().newCDPSession(target);
    try {
      await session.send('DOM.enable');
      this.#addPidOf((await session.send('DOM.performSearch', { query: '-' })).searchId);
    } finally {
      await session.detach().catch(() => {});
    }
  }

  #addPidOf(id: string): void {
    const pid = rendererPidOf(id);
    if (pid !== null) this.#pids.add(pid);
  }
}
