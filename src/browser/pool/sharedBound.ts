/**
 * Bounds what the sessions of one browser hold in the processes that they share: storage and blobs in the main one,
 * textures in the GPU's. Who has to go is counted where Chromium can count, and judged by work where it cannot.
 */
import type { OpenInternal } from '../blobList.ts';
import type { Lease } from '../lease.ts';
import type { House } from './house.ts';
import { type Laid, SharedGrowth, type Work } from './sharedGrowth.ts';

/** What the shared processes may grow by for each session that does nothing out of the ordinary: 20 MB for a page with pictures. */
const ORDINARY_BYTES = 50_000_000;
/** Who has less than this part of what the most laden has is no suspect. */
const SUSPECT_FROM = 0.1;
/** Counting costs a page in each suspect's context. */
const MOST_SUSPECTS = 5;
/** One that is laden with this part of all needs no counting. */
const BEYOND_DOUBT = 0.9;
/** A session that was ended gives its memory back within this time. Milliseconds. */
const GIVES_BACK_WITHIN_MS = 2_000;
/** Longer than this nobody waits for a session to leave. Milliseconds. */
const LEAVES_WITHIN_MS = 10_000;

export class SharedBound {
  readonly #house: House;
  /** Bytes above what is ordinary. */
  readonly most: number;
  readonly #growth = new SharedGrowth<Lease>();
  #ended: { readonly who: Lease | number; readonly at: number } | null = null;

  constructor(house: House, most: number) {
    this.#house = house;
    this.most = most;
  }

  /** Nobody is in the browser. */
  rest(): void {
    this.#growth.forget();
    this.#ended = null;
  }

  /** Half of the bound is reached, and part of it is laid to processes of which nobody knows whose they are. */
  get isRestless(): boolean {
    return (
      this.#growth.bytes > this.most / 2 &&
      this.#growth.laid().some(({ to, bytes }) => typeof to === 'number' && bytes > this.most * SUSPECT_FROM)
    );
  }

  /**
   * @param bytes of the shared processes now
   * @param work of each process of pages, by its number
   * @returns the session that has to go, or the process of one that is not known; null for none
   */
  async look(bytes: number, work: ReadonlyMap<number, Work<Lease>>): Promise<Lease | number | null> {
    this.#growth.look(bytes, this.#house.leases, work);
    const ordinary = ORDINARY_BYTES * this.#house.leases.size;
    if (this.#growth.bytes <= this.most + ordinary || this.#isGivingBack()) return null;
    const who = await this.#heaviest();
    if (who !== null) this.#ended = { who, at: performance.now() };
    return who;
  }

  #isGivingBack(): boolean {
    if (this.#ended === null) return false;
    const { who, at } = this.#ended;
    const isThere = typeof who === 'object' && this.#house.leases.has(who);
    return performance.now() - at < (isThere ? LEAVES_WITHIN_MS : GIVES_BACK_WITHIN_MS);
  }

  async #heaviest(): Promise<Lease | number | null> {
    const laid = this.#growth.laid();
    const [first] = laid;
    if (first === undefined || first.bytes >= BEYOND_DOUBT * this.#growth.bytes) return first?.to ?? null;
    const suspects = laid.filter(({ bytes }) => bytes >= SUSPECT_FROM * first.bytes).slice(0, MOST_SUSPECTS);
    const counted = await Promise.all(suspects.map(one => this.#counted(one)));
    const [most] = counted.sort((one, other) => other.bytes - one.bytes);
    // What nobody can count (textures, history) is most of it otherwise.
    return most !== undefined && most.bytes >= this.most / 2 ? most.to : first.to;
  }

  async #counted({ to }: Laid<Lease>): Promise<Laid<Lease>> {
    const open: OpenInternal = (url, contextId) => this.#house.openInternal(url, contextId);
    return { to, bytes: typeof to === 'object' ? ((await to.footprint.stored(open)) ?? 0) : 0 };
  }
}
