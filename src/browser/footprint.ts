/** What one session takes of the node: what went through its door, its processes, and what the browser stores for its pages. */
import type { BrowserContext, Frame, Page } from 'playwright';
import type { SessionSpending } from '../domain/sessionBounds.ts';
import type { OpenInternal } from './blobList.ts';
import type { EgressUsage } from './egress/egressDoor.ts';
import type { TabSet } from './tabSet.ts';

/** A count that takes longer says nothing. Milliseconds. */
const PATIENCE_MS = 3_000;
/** Storage belongs to an origin: so many are remembered of those that were open. */
const MOST_ORIGINS = 2_000;

export class Footprint {
  readonly #tabs: TabSet;
  readonly #usage: () => EgressUsage;
  readonly #origins = new Set<string>();
  readonly #worked = new Map<number, number>();

  constructor(context: BrowserContext, first: Page, tabs: TabSet, usage: () => EgressUsage) {
    this.#tabs = tabs;
    this.#usage = usage;
    this.#follow(first);
    context.on('page', page => this.#follow(page));
  }

  /** What the session has used so far of what the service itself counts. */
  spending(): Pick<SessionSpending, 'pages' | 'requests' | 'trafficBytes'> {
    const { requests, receivedBytes, sentBytes } = this.#usage();
    return { pages: this.#tabs.opened, requests, trafficBytes: receivedBytes + sentBytes };
  }

  /** Those of the browser's living processes, by their numbers, that are known to hold its pages. */
  processesAmong(living: ReadonlyMap<number, number>): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.processes.among(living)))];
  }

  /** @returns seconds of processor time that its processes have worked so far, those that ended among them */
  worked(processes: readonly { readonly pid: number; readonly seconds: number }[]): number {
    for (const { pid, seconds } of processes) this.#worked.set(pid, seconds);
    return this.#worked.values().reduce((sum, seconds) => sum + seconds, 0);
  }

  /** Finds out which processes hold its pages; never throws. */
  async askProcesses(): Promise<void> {
    await Promise.all(this.#tabs.all.map(tab => tab.processes.ask()));
  }

  /**
   * Bytes of its blobs, databases, caches and files, as Chromium counts them; null where it does not say in time.
   * Costs a page of Chromium's own in its context, about 0.1 s.
   */
  async stored(open: OpenInternal): Promise<number | null> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    const counted = Promise.all([this.#blobs(open), this.#storage()]).then(
      ([blobs, storage]) => blobs + storage,
      () => null,
    );
    try {
      return await Promise.race([counted, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #follow(page: Page): void {
    const note = (frame: Frame): void => {
      const url = URL.parse(frame.url());
      if (url?.protocol.startsWith('http') && this.#origins.size < MOST_ORIGINS)
        this.#origins.add(url.origin);
    };
    page.frames().forEach(note);
    page.on('framenavigated', note);
  }

  async #blobs(open: OpenInternal): Promise<number> {
    const { targetInfo } = await this.#tabs.active.target.channel.session.send('Target.getTargetInfo');
    return this.#tabs.blobs.bytes(open, targetInfo.browserContextId ?? '', PATIENCE_MS);
  }

  async #storage(): Promise<number> {
    const { session } = this.#tabs.active.target.channel;
    const asked = [...this.#origins].map(origin => session.send('Storage.getUsageAndQuota', { origin }));
    return (await Promise.all(asked)).reduce((sum, { usage }) => sum + usage, 0);
  }
}
