/**
 * Bounds what the sessions of one browser hold in the processes that they share: storage and blobs in the main one,
 * textures in the GPU's. Who has to go is counted where Chromium can count, and judged by work where it cannot.
 */

import type { Lease } from '../lease/lease.ts';
import type { BrowserInstance } from '../pool/browserInstance.ts';
import type { OpenInternalPage } from './blobUsageReader.ts';
import { type Attribution, MemoryAttribution, type RendererWork } from './memoryAttribution.ts';

/** What the shared processes may grow by for each session that does nothing out of the ordinary: 20 MB for a page with pictures. */
const ORDINARY_BYTES_PER_SESSION = 50_000_000;
/** Who has less than this part of what the most laden has is no suspect. */
const MIN_SUSPECT_SHARE = 0.1;
/** Counting costs a page in each suspect's context. */
const MAX_SUSPECTS = 5;
/** One that is laden with this part of all needs no counting. */
const CERTAIN_SHARE = 0.9;
/** A session that was ended gives its memory back within this time. Milliseconds. */
const MEMORY_RELEASE_TIMEOUT_MS = 2_000;
/** Longer than this nobody waits for a session to leave. Milliseconds. */
const SESSION_END_TIMEOUT_MS = 10_000;

export class SharedMemoryLimit {
  readonly #browser: BrowserInstance;
  /** Bytes above what is ordinary. */
  readonly maxBytes: number;
  readonly #attribution = new MemoryAttribution<Lease>();
  #ended: { readonly who: Lease | number; readonly at: number } | null = null;

  constructor(house: BrowserInstance, most: number) {
    this.#browser = house;
    this.maxBytes = most;
  }

  /** Nobody is in the browser. */
  reset(): void {
    this.#attribution.reset();
    this.#ended = null;
  }

  /** Half of the bound is reached, and part of it is laid to processes of which nobody knows whose they are. */
  get needsOwners(): boolean {
    return (
      this.#attribution.bytes > this.maxBytes / 2 &&
      this.#attribution
        .attributions()
        .some(({ target, bytes }) => typeof target === 'number' && bytes > this.maxBytes * MIN_SUSPECT_SHARE)
    );
  }

  /**
   * @param bytes of the shared processes now
   * @param work of each process of pages, by its number
   * @returns the session that has to go, or the process of one that is not known; null for none
   */
  async check(bytes: number, work: ReadonlyMap<number, RendererWork<Lease>>): Promise<Lease | number | null> {
    this.#attribution.update(bytes, this.#browser.leases, work);
    const ordinary = ORDINARY_BYTES_PER_SESSION * this.#browser.leases.size;
    if (this.#attribution.bytes <= this.maxBytes + ordinary || this.#isReleasing()) return null;
    const culprit = await this.#findCulprit();
    if (culprit !== null) this.#ended = { who: culprit, at: performance.now() };
    return culprit;
  }

  #isReleasing(): boolean {
    if (this.#ended === null) return false;
    const { who, at } = this.#ended;
    const isThere = typeof who === 'object' && this.#browser.leases.has(who);
    return performance.now() - at < (isThere ? SESSION_END_TIMEOUT_MS : MEMORY_RELEASE_TIMEOUT_MS);
  }

  async #findCulprit(): Promise<Lease | number | null> {
    const attributions = this.#attribution.attributions();
    const [first] = attributions;
    if (first === undefined || first.bytes >= CERTAIN_SHARE * this.#attribution.bytes)
      return first?.target ?? null;
    const suspects = attributions
      .filter(({ bytes }) => bytes >= MIN_SUSPECT_SHARE * first.bytes)
      .slice(0, MAX_SUSPECTS);
    const measured = await Promise.all(suspects.map(one => this.#measure(one)));
    const [most] = measured.sort((one, other) => other.bytes - one.bytes);
    // What nobody can count (textures, history) is most of it otherwise.
    return most !== undefined && most.bytes >= this.maxBytes / 2 ? most.target : first.target;
  }

  async #measure({ target }: Attribution<Lease>): Promise<Attribution<Lease>> {
    const open: OpenInternalPage = (url, contextId) => this.#browser.openInternalPage(url, contextId);
    return {
      target,
      bytes: typeof target === 'object' ? ((await target.resourceUsage.storedBytes(open)) ?? 0) : 0,
    };
  }
}
