/** Finds the ids of the processes that run a page. Chromium reveals them only in other ids, which those processes generate. */
import type { CDPSession, Frame, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import { rendererPidOf } from '../cdp/playwrightInternals.ts';
import { detachSession } from '../cdp/playwrightSessions.ts';
import { mainThreadMs } from './processTable.ts';

/** Maximum time that `refresh` waits for a busy page. A later response is still recorded. */
const REFRESH_TIMEOUT_MS = 1_000;

/** Collects the ids of the processes that run one page and its frames. */
export class RendererPidTracker {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #pids = new Set<number>();
  #refreshing: Promise<void> | null = null;

  /** @param session CDP session of the page, with `Network.enable`: the requests of a document reveal its process too */
  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
    session.on('Network.requestWillBeSent', ({ requestId }) => this.#addPidOf(requestId));
    // A page can keep its process too busy to answer a later question: ask while the document is new, and its search is short.
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) void this.#readPid(session);
    });
    void this.#readPid(session);
  }

  /** The page's known process ids. Some of these processes may have ended. */
  get known(): readonly number[] {
    return [...this.#pids];
  }

  /**
   * Returns the processor time of the main threads of the page's known processes, in milliseconds; 0 when unknown. Threads that draw
   * the page and those of its workers do not count.
   */
  mainThreadsMs(): number {
    return this.known.reduce((sum, pid) => sum + mainThreadMs(pid), 0);
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
    const work = Promise.allSettled([
      this.#readPid(this.#session),
      ...frames.map(frame => this.#readPidOf(frame)),
    ]);
    const done = work.then(() => {
      this.#refreshing = null;
    });
    this.#refreshing = race(done, afterMs(REFRESH_TIMEOUT_MS));
    return this.#refreshing;
  }

  /**
   * Finds the process that runs a frame, and adds its id. Rejects for a frame in its parent's process: Chromium offers no
   * CDP session for it.
   */
  async #readPidOf(frame: Frame): Promise<void> {
    const session = await this.#page.context().newCDPSession(frame);
    await this.#readPid(session).finally(() => detachSession(session).catch(() => {}));
  }

  /** Finds the process of a session's document, and adds its id; never throws. Sends all calls at once. */
  async #readPid(session: CDPSession): Promise<void> {
    const calls = [
      session.send('DOM.enable'),
      session.send('DOM.performSearch', { query: '-' }).then(({ searchId }) => this.#addPidOf(searchId)),
      session.send('DOM.disable'),
    ];
    await Promise.allSettled(calls);
  }

  #addPidOf(id: string): void {
    const pid = rendererPidOf(id);
    if (pid !== null) this.#pids.add(pid);
  }
}
