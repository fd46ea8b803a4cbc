/** The images that a page loads. A step waits for a few of them: their loading may have an effect that nothing else announces. */
import { IMAGE_MS, MAX_IMAGES_OF_STEP, MAX_REMEMBERED_IMAGES } from '../settle/policy.ts';

/** One image, loaded or not. */
interface ImageRequest {
  readonly number: number;
  readonly startedAt: number;
  /** Host and path. */
  readonly address: string;
  readonly host: string;
}

export class OpenImages {
  readonly #open = new Map<string, ImageRequest>();
  /** Addresses whose loading has had no effect, such as those that count clicks. */
  readonly #withoutEffect = new Set<string>();
  #lastNumber = 0;
  /** The latest images, loaded or not. */
  #latest: ImageRequest[] = [];

  /** Number of the latest image. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Records the start of a request. A redirect is no new request. */
  started(id: string, url: string): void {
    if (this.#open.has(id)) return;
    const { host = '', pathname = '' } = URL.parse(url) ?? {};
    const image = {
      number: ++this.#lastNumber,
      startedAt: performance.now(),
      address: `${host}${pathname}`.slice(0, 500),
      host,
    };
    if (this.#open.size >= MAX_REMEMBERED_IMAGES) this.#open.delete(this.#open.keys().next().value ?? '');
    this.#open.set(id, image);
    this.#latest = [...this.#latest, image].slice(-MAX_IMAGES_OF_STEP);
  }

  /** Records the end of a request. @returns true if it was open */
  ended(id: string): boolean {
    return this.#open.delete(id);
  }

  /**
   * Counts the open images to wait for.
   * @param after only images after this one
   * @param onlyHost only images of this host; null for all
   */
  count(after: number, onlyHost: string | null): number {
    if (this.#lastNumber - after > MAX_IMAGES_OF_STEP) return 0;
    const now = performance.now();
    let count = 0;
    for (const { number, startedAt, address, host } of this.#open.values())
      if (
        number > after &&
        now - startedAt <= IMAGE_MS &&
        (onlyHost === null || host === onlyHost) &&
        !this.#withoutEffect.has(address)
      )
        count++;
    return count;
  }

  /** Records that the images after this one have had no effect: they are not waited for again. */
  hadNoEffect(after: number): void {
    if (this.#withoutEffect.size >= MAX_REMEMBERED_IMAGES) this.#withoutEffect.clear();
    for (const { number, address } of this.#latest) if (number > after) this.#withoutEffect.add(address);
  }
}
