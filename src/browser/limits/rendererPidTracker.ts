/** Which processes of the browser hold a page: Chromium tells it only by the ids that those processes make up. */
import type { CDPSession, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';

/** Ids that a renderer makes are its process number, a dot and a count (Blink's IdentifiersFactory). */
const PID_PREFIXED_ID = /^(\d{1,10})\.\d+$/;

/** A page that is busy has this long to be asked; what comes later is noted all the same. Milliseconds. */
const REFRESH_TIMEOUT_MS = 1_000;

export class RendererPidTracker {
  readonly #page: Page;
  readonly #pids = new Set<number>();
  #refreshing: Promise<void> | null = null;

  /** Starts to listen on a session with `Network.enable`: what a document loads tells its process at no cost. */
  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    session.on('Network.requestWillBeSent', ({ requestId }) => this.#addPidOf(requestId));
  }

  /** Those known of, as far as they are among the living, which alone are remembered. */
  livingPids(living: ReadonlyMap<number, number>): readonly number[] {
    for (const pid of this.#pids) if (!living.has(pid)) this.#pids.delete(pid);
    return [...this.#pids];
  }

  /** Asks the page and its frames for their processes; never throws. Costs each a walk through its document. */
  refresh(): Promise<void> {
    if (this.#refreshing !== null) return this.#refreshing;
    const frames = this.#page.frames().filter(frame => frame !== this.#page.mainFrame());
    const work = Promise.allSettled([this.#page, ...frames].map(one => this.#readPid(one)));
    const done = work.then(() => {
      this.#refreshing = null;
    });
    this.#refreshing = race(done, afterMs(REFRESH_TIMEOUT_MS));
    return this.#refreshing;
  }

  /** A frame that shares its parent's process gives no session. */
  async #readPid(one: Parameters<ReturnType<Page['context']>['newCDPSession']>[0]): Promise<void> {
    const session = await this.#page.context().newCDPSession(one);
    try {
      await session.send('DOM.enable');
      this.#addPidOf((await session.send('DOM.performSearch', { query: '-' })).searchId);
    } finally {
      await session.detach().catch(() => {});
    }
  }

  #addPidOf(id: string): void {
    const pid = PID_PREFIXED_ID.exec(id)?.[1];
    if (pid !== undefined) this.#pids.add(Number(pid));
  }
}
