/** What one session takes of the node: what went through its door, its processes, and what the browser stores for its pages. */
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { SessionLimitUsage } from '../../domain/sessionLimits.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import type { BlobUsageReader, OpenInternalPage } from './blobUsageReader.ts';
import type { RendererPidTracker } from './rendererPidTracker.ts';

/** A count that takes longer says nothing. Milliseconds. */
const STORAGE_TIMEOUT_MS = 3_000;
/** Storage belongs to an origin: so many are remembered of those that were open. */
const MAX_ORIGINS = 2_000;

/** The tabs of a session, as far as their usage is measured. */
export interface MeasuredTabs {
  /** Pages opened since the session started. */
  readonly openedPageCount: number;
  readonly blobUsage: BlobUsageReader;
  readonly all: readonly { readonly rendererPids: RendererPidTracker }[];
  readonly active: { readonly target: { readonly channel: { readonly session: CDPSession } } };
}

export class SessionResourceUsage {
  readonly #tabs: MeasuredTabs;
  readonly #egressUsage: () => TrafficUsage;
  readonly #origins = new Set<string>();
  readonly #cpuSecondsByPid = new Map<number, number>();

  constructor(context: BrowserContext, first: Page, tabs: MeasuredTabs, egressUsage: () => TrafficUsage) {
    this.#tabs = tabs;
    this.#egressUsage = egressUsage;
    this.#trackOrigins(first);
    context.on('page', page => this.#trackOrigins(page));
  }

  /** What the session has used so far of what the service itself counts. */
  countedUsage(): Pick<SessionLimitUsage, 'pages' | 'requests' | 'trafficBytes'> {
    const { requests, receivedBytes, sentBytes } = this.#egressUsage();
    return { pages: this.#tabs.openedPageCount, requests, trafficBytes: receivedBytes + sentBytes };
  }

  /** Those of the browser's living processes, by their numbers, that are known to hold its pages. */
  rendererPidsAmong(living: ReadonlyMap<number, number>): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.rendererPids.livingPids(living)))];
  }

  /** @returns seconds of processor time that its processes have worked so far, those that ended among them */
  addCpuSeconds(processes: readonly { readonly pid: number; readonly cpuSeconds: number }[]): number {
    for (const { pid, cpuSeconds } of processes) this.#cpuSecondsByPid.set(pid, cpuSeconds);
    return this.#cpuSecondsByPid.values().reduce((sum, seconds) => sum + seconds, 0);
  }

  /** Finds out which processes hold its pages; never throws. */
  async refreshRendererPids(): Promise<void> {
    await Promise.all(this.#tabs.all.map(tab => tab.rendererPids.refresh()));
  }

  /**
   * Bytes of its blobs, databases, caches and files, as Chromium counts them; null where it does not say in time.
   * Costs a page of Chromium's own in its context, about 0.1 s.
   */
  async storedBytes(open: OpenInternalPage): Promise<number | null> {
    const bytes = Promise.all([this.#blobBytes(open), this.#storageBytes()]).then(
      ([blobs, storage]) => blobs + storage,
      () => null,
    );
    return race(
      bytes,
      afterMs(STORAGE_TIMEOUT_MS, () => null),
    );
  }

  #trackOrigins(page: Page): void {
    const addOrigin = (frame: Frame): void => {
      const url = URL.parse(frame.url());
      if (url?.protocol.startsWith('http') && this.#origins.size < MAX_ORIGINS) this.#origins.add(url.origin);
    };
    page.frames().forEach(addOrigin);
    page.on('framenavigated', addOrigin);
  }

  async #blobBytes(open: OpenInternalPage): Promise<number> {
    const { targetInfo } = await this.#tabs.active.target.channel.session.send('Target.getTargetInfo');
    return this.#tabs.blobUsage.readBytes(open, targetInfo.browserContextId ?? '', STORAGE_TIMEOUT_MS);
  }

  async #storageBytes(): Promise<number> {
    const { session } = this.#tabs.active.target.channel;
    const requests = [...this.#origins].map(origin => session.send('Storage.getUsageAndQuota', { origin }));
    return (await Promise.all(requests)).reduce((sum, { usage }) => sum + usage, 0);
  }
}
