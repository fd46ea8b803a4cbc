/** Which processes of the browser hold a page: Chromium tells it only by the ids that those processes make up. */
import type { CDPSession, Page } from 'playwright';

/** Ids that a renderer makes are its process number, a dot and a count (Blink's IdentifiersFactory). */
const OF_PROCESS = /^(\d{1,10})\.\d+$/;

/** A page that is busy has this long to be asked; what comes later is noted all the same. Milliseconds. */
const PATIENCE_MS = 1_000;

export class PageProcesses {
  readonly #page: Page;
  readonly #known = new Set<number>();
  #asking: Promise<void> | null = null;

  /** Starts to listen on a session with `Network.enable`: what a document loads tells its process at no cost. */
  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    session.on('Network.requestWillBeSent', ({ requestId }) => this.#note(requestId));
  }

  /** Those known of, as far as they are among the living, which alone are remembered. */
  among(living: ReadonlyMap<number, number>): readonly number[] {
    for (const pid of this.#known) if (!living.has(pid)) this.#known.delete(pid);
    return [...this.#known];
  }

  /** Asks the page and its frames for their processes; never throws. Costs each a walk through its document. */
  ask(): Promise<void> {
    if (this.#asking !== null) return this.#asking;
    const frames = this.#page.frames().filter(frame => frame !== this.#page.mainFrame());
    const work = Promise.allSettled([this.#page, ...frames].map(one => this.#askOne(one)));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    this.#asking = promise;
    void work.then(() => {
      clearTimeout(timer);
      this.#asking = null;
      resolve();
    });
    return promise;
  }

  /** A frame that shares its parent's process gives no session. */
  async #askOne(one: Parameters<ReturnType<Page['context']>['newCDPSession']>[0]): Promise<void> {
    const session = await this.#page.context().newCDPSession(one);
    try {
      await session.send('DOM.enable');
      this.#note((await session.send('DOM.performSearch', { query: '-' })).searchId);
    } finally {
      await session.detach().catch(() => {});
    }
  }

  #note(id: string): void {
    const pid = OF_PROCESS.exec(id)?.[1];
    if (pid !== undefined) this.#known.add(Number(pid));
  }
}
