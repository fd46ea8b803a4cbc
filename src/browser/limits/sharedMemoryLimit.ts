/**
 * Limits the memory that the sessions of one browser hold in the shared processes, beside the GPU process: storage and blobs. Chromium counts a part of it for each session; the rest is estimated from
 * processor time.
 */
import { afterMs, race } from '../../async/race.ts';
import type { OpenInternalPage } from './blobUsageReader.ts';
import { type Attribution, MemoryAttribution, type RendererWork } from './memoryAttribution.ts';
import type { MonitoredBrowser, MonitoredSession } from './monitoredBrowser.ts';

/** Growth of the shared processes that is always allowed, in bytes for each session. A page with images needs 20 MB. */
const ORDINARY_BYTES_PER_SESSION = 50_000_000;
/** An attribution of this share of the limit to a renderer without a known session is considerable. */
const CONSIDERABLE_SHARE = 0.1;
/** Maximum number of suspects whose storage is counted: counting opens a page in the context of each. */
const MAX_SUSPECTS = 5;
/** Maximum wait of one check for the counts. The counting goes on after it, and a later check takes the result. */
const COUNT_TIMEOUT_MS = 500;
const COUNTING = 'counting';
/**
 * The number of times that a count which Chromium has not answered is repeated. After these the attribution by processor time
 * decides, because the memory goes on growing.
 */
const MAX_REPEATED_COUNTS = 1;
/** Chromium frees the memory of an ended session within this time. Until then no further session is ended for memory. */
const MEMORY_RELEASE_TIMEOUT_MS = 2_000;
/**
 * A busy machine frees the memory of an ended session within this time. Until then a session with a small attribution is
 * not ended, because the memory may be that of the ended session.
 */
const SLOW_MEMORY_RELEASE_TIMEOUT_MS = 10_000;
/**
 * A machine on which Chromium takes long to count frees memory as late: by this factor later than the count took. The count takes 0.1 s
 * on a quiet machine.
 */
const RELEASE_TIME_PER_COUNT_TIME = 30;
/** The latest of these times, in milliseconds. */
const MAX_MEMORY_RELEASE_TIMEOUT_MS = 120_000;
/** Maximum wait until the session that exceeded the limit has ended. Until then no further session is ended for memory. */
const SESSION_END_TIMEOUT_MS = 10_000;

/** Checks the memory that the sessions of one browser cause in its shared processes, and finds the session to end. */
export class SharedMemoryLimit {
  readonly #browser: MonitoredBrowser;
  /** Maximum growth of the shared processes in bytes, above the growth that is always allowed. */
  readonly maxBytes: number;
  readonly #attribution = new MemoryAttribution<MonitoredSession>();
  /** The search for the session to end, while Chromium counts. */
  #search: Promise<Attribution<MonitoredSession> | null> | null = null;
  #repeatedCounts = 0;
  /** Duration of the last search, in milliseconds. */
  #searchMs = 0;
  #lastEnded: { readonly culprit: MonitoredSession | number; readonly at: number } | null = null;

  constructor(browser: MonitoredBrowser, maxBytes: number) {
    this.#browser = browser;
    this.maxBytes = maxBytes;
  }

  /** Forgets all measurements. Call it when the browser has no sessions. */
  reset(): void {
    this.#attribution.reset();
    this.#search = null;
    this.#lastEnded = null;
  }

  /**
   * True if the monitor should find out which renderers belong to which session: the growth exceeds half of the limit,
   * and a considerable part is attributed to a renderer whose session is unknown.
   */
  get needsOwners(): boolean {
    return (
      this.#attribution.bytes > this.maxBytes / 2 &&
      this.#attribution
        .attributions()
        .some(({ target, bytes }) => typeof target === 'number' && bytes > this.maxBytes * CONSIDERABLE_SHARE)
    );
  }

  /**
   * Attributes the growth of the shared processes, and finds the session that caused most of it if the limit is exceeded.
   * @param bytes current memory of the shared processes
   * @param work processor time of each renderer, by its process id
   * @returns the session to end, or the process id of a renderer whose session is unknown; null when the limit is not
   * exceeded or the memory of the last ended session may not be free yet
   */
  async check(
    bytes: number,
    work: ReadonlyMap<number, RendererWork<MonitoredSession>>,
  ): Promise<MonitoredSession | number | null> {
    this.#attribution.update(bytes, this.#browser.leases, work);
    if (this.#attribution.bytes <= this.maxBytesOf(this.#browser.leases.size) || this.#isReleasing())
      return null;
    this.#search ??= this.#timedSearch();
    const culprit = await race(
      this.#search,
      afterMs<typeof COUNTING>(COUNT_TIMEOUT_MS, () => COUNTING),
    );
    if (culprit === COUNTING) return null;
    this.#search = null;
    if (culprit === null || this.#hasLeft(culprit) || this.#mayBeUnreleased(culprit)) return null;
    this.#lastEnded = { culprit: culprit.target, at: performance.now() };
    return culprit.target;
  }

  /** Returns how many bytes so many sessions may hold in a shared process. */
  maxBytesOf(sessions: number): number {
    return this.maxBytes + ORDINARY_BYTES_PER_SESSION * sessions;
  }

  /** Returns true for a session that ended while Chromium counted. */
  #hasLeft({ target }: Attribution<MonitoredSession>): boolean {
    return typeof target === 'object' && !this.#browser.leases.has(target);
  }

  /** Returns true if the memory is more likely that of the session that was ended last than that of this culprit. */
  #mayBeUnreleased({ bytes }: Attribution<MonitoredSession>): boolean {
    if (this.#lastEnded === null) return false;
    const elapsedMs = performance.now() - this.#lastEnded.at;
    const slowMs = Math.min(this.#searchMs * RELEASE_TIME_PER_COUNT_TIME, MAX_MEMORY_RELEASE_TIMEOUT_MS);
    return elapsedMs < Math.max(SLOW_MEMORY_RELEASE_TIMEOUT_MS, slowMs) && bytes < this.maxBytes / 2;
  }

  /** Returns true while Chromium may still free the memory of the session that was ended last. */
  #isReleasing(): boolean {
    if (this.#lastEnded === null) return false;
    const { culprit, at } = this.#lastEnded;
    const isStillOpen = typeof culprit === 'object' && this.#browser.leases.has(culprit);
    return performance.now() - at < (isStillOpen ? SESSION_END_TIMEOUT_MS : MEMORY_RELEASE_TIMEOUT_MS);
  }

  async #timedSearch(): Promise<Attribution<MonitoredSession> | null> {
    const startedAt = performance.now();
    try {
      return await this.#findCulprit();
    } finally {
      this.#searchMs = performance.now() - startedAt;
    }
  }

  async #findCulprit(): Promise<Attribution<MonitoredSession> | null> {
    const attributions = this.#attribution.attributions();
    const [largest] = attributions;
    // The only session has caused all, unless another one was ended whose memory may not be free yet.
    if (largest === undefined || (attributions.length === 1 && this.#lastEnded === null))
      return largest ?? null;
    // Storage is filled with little work, so a small attribution says nothing.
    const suspects = attributions.slice(0, MAX_SUSPECTS);
    const counts = await Promise.all(suspects.map(suspect => this.#count(suspect)));
    const counted = counts.filter(count => count !== null).sort((one, other) => other.bytes - one.bytes);
    const [most] = counted;
    if (most !== undefined && most.bytes >= this.maxBytes / 2) {
      this.#repeatedCounts = 0;
      this.#attribution.reduceOthers(most.target, most.bytes);
      return most;
    }
    if (counted.length < suspects.length && this.#repeatedCounts < MAX_REPEATED_COUNTS) {
      this.#repeatedCounts++;
      return null;
    }
    this.#repeatedCounts = 0;
    // Chromium counts less than half of the maximum: most of the memory is of a kind that it does not count (history).
    return largest;
  }

  /** Returns the bytes that Chromium counts for a suspect, 0 for a renderer without a known session; null when it does not respond in time. */
  async #count({ target }: Attribution<MonitoredSession>): Promise<Attribution<MonitoredSession> | null> {
    if (typeof target === 'number') return { target, bytes: 0 };
    const open: OpenInternalPage = (url, contextId) => this.#browser.openInternalPage(url, contextId);
    const bytes = await target.resourceUsage.storedBytes(open);
    return bytes === null ? null : { target, bytes };
  }
}
