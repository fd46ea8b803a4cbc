/**
 * Limits the memory that the sessions of one browser hold in the shared processes: storage and blobs in the main
 * process, textures in the GPU process. Chromium counts a part of it for each session; the rest is estimated from
 * processor time.
 */
import type { OpenInternalPage } from './blobUsageReader.ts';
import { type Attribution, MemoryAttribution, type RendererWork } from './memoryAttribution.ts';
import type { MonitoredBrowser, MonitoredSession } from './monitoredBrowser.ts';

/** Growth of the shared processes that is always allowed, for each session. A page with images needs 20 MB. */
const ORDINARY_BYTES_PER_SESSION = 50_000_000;
/** Minimum share of the largest attribution for a session to be a suspect. */
const MIN_SUSPECT_SHARE = 0.1;
/** Maximum number of suspects whose storage is counted: counting opens a page in the context of each. */
const MAX_SUSPECTS = 5;
/** An attribution of at least this share of the total needs no counting. */
const CERTAIN_SHARE = 0.9;
/** Chromium frees the memory of an ended session within this time. */
const MEMORY_RELEASE_TIMEOUT_MS = 2_000;
/** A busy machine frees it later. Until then a session with a small attribution is not ended for memory that may be the ended session's. */
const SLOW_MEMORY_RELEASE_TIMEOUT_MS = 10_000;
/** Maximum wait for the end of the session that exceeded the limit. */
const SESSION_END_TIMEOUT_MS = 10_000;

/** The shared memory limit of one browser. */
export class SharedMemoryLimit {
  readonly #browser: MonitoredBrowser;
  /** Maximum growth in bytes, above the growth that is always allowed. */
  readonly maxBytes: number;
  readonly #attribution = new MemoryAttribution<MonitoredSession>();
  #lastEnded: { readonly culprit: MonitoredSession | number; readonly at: number } | null = null;

  constructor(browser: MonitoredBrowser, maxBytes: number) {
    this.#browser = browser;
    this.maxBytes = maxBytes;
  }

  /** Call when the browser has no sessions. */
  reset(): void {
    this.#attribution.reset();
    this.#lastEnded = null;
  }

  /** True when half of the limit is reached and a considerable part of it is attributed to renderers without a known session. */
  get needsOwners(): boolean {
    return (
      this.#attribution.bytes > this.maxBytes / 2 &&
      this.#attribution
        .attributions()
        .some(({ target, bytes }) => typeof target === 'number' && bytes > this.maxBytes * MIN_SUSPECT_SHARE)
    );
  }

  /**
   * Checks the limit.
   * @param bytes current memory of the shared processes
   * @param work processor time of each renderer, by its process id
   * @returns the session to end, or the process id of a renderer whose session is unknown; null when the limit is not
   * exceeded
   */
  async check(
    bytes: number,
    work: ReadonlyMap<number, RendererWork<MonitoredSession>>,
  ): Promise<MonitoredSession | number | null> {
    this.#attribution.update(bytes, this.#browser.leases, work);
    const ordinary = ORDINARY_BYTES_PER_SESSION * this.#browser.leases.size;
    if (this.#attribution.bytes <= this.maxBytes + ordinary || this.#isReleasing()) return null;
    const culprit = await this.#findCulprit();
    if (culprit === null || this.#mayBeUnreleased(culprit)) return null;
    this.#lastEnded = { culprit: culprit.target, at: performance.now() };
    return culprit.target;
  }

  /** True when the memory is more likely that of the session that was ended last than that of this culprit. */
  #mayBeUnreleased({ bytes }: Attribution<MonitoredSession>): boolean {
    if (this.#lastEnded === null) return false;
    const elapsedMs = performance.now() - this.#lastEnded.at;
    return elapsedMs < SLOW_MEMORY_RELEASE_TIMEOUT_MS && bytes < this.maxBytes / 2;
  }

  /** True while the memory of the session that was ended last is still being freed. */
  #isReleasing(): boolean {
    if (this.#lastEnded === null) return false;
    const { culprit, at } = this.#lastEnded;
    const isStillOpen = typeof culprit === 'object' && this.#browser.leases.has(culprit);
    return performance.now() - at < (isStillOpen ? SESSION_END_TIMEOUT_MS : MEMORY_RELEASE_TIMEOUT_MS);
  }

  async #findCulprit(): Promise<Attribution<MonitoredSession> | null> {
    const attributions = this.#attribution.attributions();
    const [largest] = attributions;
    if (largest === undefined || largest.bytes >= CERTAIN_SHARE * this.#attribution.bytes)
      return largest ?? null;
    const suspects = attributions
      .filter(({ bytes }) => bytes >= MIN_SUSPECT_SHARE * largest.bytes)
      .slice(0, MAX_SUSPECTS);
    const counted = await Promise.all(suspects.map(suspect => this.#count(suspect)));
    const [most] = counted.sort((one, other) => other.bytes - one.bytes);
    // Below half of the maximum, most of the memory is of a kind that Chromium does not count (textures, history).
    return most !== undefined && most.bytes >= this.maxBytes / 2 ? most : largest;
  }

  async #count({ target }: Attribution<MonitoredSession>): Promise<Attribution<MonitoredSession>> {
    if (typeof target === 'number') return { target, bytes: 0 };
    const open: OpenInternalPage = (url, contextId) => this.#browser.openInternalPage(url, contextId);
    const bytes = await target.resourceUsage.storedBytes(open);
    return { target, bytes: bytes ?? 0 };
  }
}
