/** Measures the resources that one session uses: network, processes, and the storage that the browser keeps for its pages. */
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { SessionLimitUsage } from '../../domain/session/sessionLimits.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import type { BlobUsageReader, OpenInternalPage } from './blobUsageReader.ts';
import type { RendererPidTracker } from './rendererPidTracker.ts';

/** Maximum wait of a caller for Chromium to count the storage of a session. It takes 0.1 s, and 3 to 6 s on a busy machine. */
const STORAGE_TIMEOUT_MS = 10_000;
/** Maximum duration of the count itself, of which a later caller gets the result. */
const COUNT_TIMEOUT_MS = 60_000;
/** Maximum number of visited origins that are remembered: storage is counted by origin. */
const MAX_ORIGINS = 2_000;

/** The parts of a session's tabs that `SessionResourceUsage` reads. */
export interface MeasuredTabs {
  readonly openedPageCount: number;
  readonly blobUsage: BlobUsageReader;
  readonly all: readonly { readonly rendererPids: RendererPidTracker }[];
  readonly active: { readonly target: { readonly channel: { readonly session: CDPSession } } };
}

/** Measures the resources that one session uses, from the creation of its lease. */
export class SessionResourceUsage {
  readonly #tabs: MeasuredTabs;
  readonly #egressUsage: () => TrafficUsage;
  readonly #origins = new Set<string>();
  readonly #cpuSecondsByPid = new Map<number, number>();
  #count: Promise<number | null> | null = null;

  /** @param firstPage the page that the context already has */
  constructor(context: BrowserContext, firstPage: Page, tabs: MeasuredTabs, egressUsage: () => TrafficUsage) {
    this.#tabs = tabs;
    this.#egressUsage = egressUsage;
    this.#trackOrigins(firstPage);
    context.on('page', page => this.#trackOrigins(page));
  }

  /** Returns opened pages, requests and traffic: counted by the service, not measured in the browser. */
  countedUsage(): Pick<SessionLimitUsage, 'pages' | 'requests' | 'trafficBytes'> {
    const { requests, receivedBytes, sentBytes } = this.#egressUsage();
    return { pages: this.#tabs.openedPageCount, requests, trafficBytes: receivedBytes + sentBytes };
  }

  /** Returns the processes that are known to run this session's pages. Some may have ended. */
  knownRendererPids(): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.rendererPids.known))];
  }

  /** Returns those of the browser's running processes that are known to run this session's pages. */
  rendererPidsAmong(livingPids: ReadonlySet<number>): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.rendererPids.livingPids(livingPids)))];
  }

  /**
   * Records the processor time of the session's processes.
   * @returns total seconds of processor time, including processes that have ended
   */
  addCpuSeconds(processes: readonly { readonly pid: number; readonly cpuSeconds: number }[]): number {
    for (const { pid, cpuSeconds } of processes) this.#cpuSecondsByPid.set(pid, cpuSeconds);
    return this.#cpuSecondsByPid.values().reduce((sum, seconds) => sum + seconds, 0);
  }

  /** Finds the processes that run the session's pages; never throws. */
  async refreshRendererPids(): Promise<void> {
    await Promise.all(this.#tabs.all.map(tab => tab.rendererPids.refresh()));
  }

  /**
   * Returns the bytes of the session's blobs, databases, caches and files, as Chromium counts them; null when Chromium
   * does not respond in time: then the count goes on, and the next call waits for the same one. Opens an internal page of Chromium in
   * the session's context, which takes about 0.1 s.
   */
  async storedBytes(open: OpenInternalPage): Promise<number | null> {
    this.#count ??= Promise.all([this.#blobBytes(open), this.#storageBytes()])
      .then(
        ([blobs, storage]) => blobs + storage,
        () => null,
      )
      .finally(() => {
        this.#count = null;
      });
    return race(
      this.#count,
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
    return this.#tabs.blobUsage.readBytes(open, targetInfo.browserContextId ?? '', COUNT_TIMEOUT_MS);
  }

  async #storageBytes(): Promise<number> {
    const { session } = this.#tabs.active.target.channel;
    const requests = [...this.#origins].map(origin => session.send('Storage.getUsageAndQuota', { origin }));
    return (await Promise.all(requests)).reduce((sum, { usage }) => sum + usage, 0);
  }
}
