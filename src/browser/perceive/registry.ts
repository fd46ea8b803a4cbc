/** Which id belongs to which element: given at first sight, never given to another, anew for each document. */
import type { Control, RawElement } from './raw.ts';

/** Where a listed element is and what it meant when it was last listed. */
export interface Listed {
  readonly id: string;
  /** Document (of its frame) that the key is good for. */
  readonly document: string;
  readonly key: number;
  /** Indexes of the iframes on the way from the top document. */
  readonly framePath: readonly number[];
  readonly control: Control;
  readonly fingerprint: string;
  readonly name: string;
  readonly role: string | null;
  readonly description: string;
}

/** How an id stands to the present document. */
export type Known =
  | { readonly state: 'listed'; readonly listed: Listed }
  | { readonly state: 'past'; readonly was: Listed }
  | { readonly state: 'never' };

export class Registry {
  #document: string | null = null;
  readonly #ids = new Map<string, string>();
  readonly #listed = new Map<string, Listed>();
  readonly #counters = { L: 0, B: 0, I: 0 };
  readonly #past = new Map<string, Listed>();

  /** Whether anything was observed yet. */
  get observed(): boolean {
    return this.#document !== null;
  }

  /** The top document of the last observation. */
  get document(): string | null {
    return this.#document;
  }

  /** Begins an observation of a top document: ids start anew if it is not the one seen last. */
  begin(document: string): void {
    if (document === this.#document) return;
    for (const [id, listed] of this.#listed) this.#past.set(id, listed);
    this.#document = document;
    this.#ids.clear();
    this.#listed.clear();
    this.#counters.L = this.#counters.B = this.#counters.I = 0;
  }

  /** The id of an element of a frame's document; a new one at first sight. */
  id(document: string, framePath: readonly number[], element: RawElement): string {
    const place = `${document}/${element.key}`;
    const known = this.#ids.get(place);
    const id = known ?? `${element.letter}${++this.#counters[element.letter]}`;
    if (known === undefined) this.#ids.set(place, id);
    const { key, control, fingerprint, name, role, description } = element;
    this.#listed.set(id, { id, document, key, framePath, control, fingerprint, name, role, description });
    return id;
  }

  /** The id of an element, if it was ever listed. */
  idOf(document: string, key: number): string | null {
    return this.#ids.get(`${document}/${key}`) ?? null;
  }

  look(id: string): Known {
    const listed = this.#listed.get(id);
    if (listed !== undefined) return { state: 'listed', listed };
    const was = this.#past.get(id);
    return was === undefined ? { state: 'never' } : { state: 'past', was };
  }
}
