/** Which id belongs to which element: given at first sight, never given to another, anew for each document. */
import type { Control, ObservedElement } from '../injected/perceive/wireFormat.ts';

/** Where a listed element is and what it meant when it was last listed. */
export interface ListedElement {
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
export type ElementLookup =
  | { readonly state: 'listed'; readonly listed: ListedElement }
  | { readonly state: 'past'; readonly was: ListedElement }
  | { readonly state: 'never' };

/** A page that draws itself anew without end has new elements at each look; of those no longer listed so many are remembered. */
const MAX_UNLISTED = 5_000;

const ID_LETTERS = ['L', 'B', 'I'] as const;

export class ElementRegistry {
  #document: string | null = null;
  readonly #ids = new Map<string, string>();
  readonly #listed = new Map<string, ListedElement>();
  readonly #counters = { L: 0, B: 0, I: 0 };
  /** The highest that was given in any document. */
  readonly #highest = { L: 0, B: 0, I: 0 };
  readonly #previousDocument = new Map<string, ListedElement>();
  /** How many the observation that runs, or ran last, has listed. */
  #listedCount = 0;

  /** Whether anything was observed yet. */
  get hasObserved(): boolean {
    return this.#document !== null;
  }

  /** The top document of the last observation. */
  get document(): string | null {
    return this.#document;
  }

  /** Begins an observation of a top document: ids start anew if it is not the one seen last. */
  startObservation(document: string): void {
    for (const [id, { document: holder, key }] of this.#listed) {
      if (this.#listed.size <= this.#listedCount + MAX_UNLISTED) break;
      this.#listed.delete(id);
      this.#ids.delete(`${holder}/${key}`);
    }
    this.#listedCount = 0;
    if (document === this.#document) return;
    for (const [id, listed] of this.#listed) {
      this.#previousDocument.delete(id);
      this.#previousDocument.set(id, listed);
    }
    for (const id of this.#previousDocument.keys()) {
      if (this.#previousDocument.size <= this.#listed.size + MAX_UNLISTED) break;
      this.#previousDocument.delete(id);
    }
    this.#document = document;
    this.#ids.clear();
    this.#listed.clear();
    this.#counters.L = this.#counters.B = this.#counters.I = 0;
  }

  /** The id of an element of a frame's document; a new one at first sight. */
  idFor(document: string, framePath: readonly number[], element: ObservedElement): string {
    const place = `${document}/${element.key}`;
    const known = this.#ids.get(place);
    const id = known ?? `${element.letter}${++this.#counters[element.letter]}`;
    if (known === undefined) this.#ids.set(place, id);
    this.#listedCount++;
    const { letter } = element;
    this.#highest[letter] = Math.max(this.#highest[letter], this.#counters[letter]);
    // Put at the end: those at the beginning have not been listed for the longest.
    this.#listed.delete(id);
    const { key, control, fingerprint, name, role, description } = element;
    this.#listed.set(id, { id, document, key, framePath, control, fingerprint, name, role, description });
    return id;
  }

  /** The id of an element, if it was ever listed. */
  findId(document: string, key: number): string | null {
    return this.#ids.get(`${document}/${key}`) ?? null;
  }

  lookup(id: string): ElementLookup {
    const listed = this.#listed.get(id);
    if (listed !== undefined) return { state: 'listed', listed };
    const was =
      this.#previousDocument.get(id) ?? (this.#wasAssigned(id) ? { ...FORGOTTEN_ELEMENT, id } : undefined);
    return was === undefined ? { state: 'never' } : { state: 'past', was };
  }

  #wasAssigned(id: string): boolean {
    const letter = ID_LETTERS.find(one => id.startsWith(one));
    const number = /^[LBI](\d+)$/.exec(id)?.[1];
    return (
      letter !== undefined &&
      number !== undefined &&
      Number(number) > 0 &&
      Number(number) <= this.#highest[letter]
    );
  }
}

/** What stands for an element of which no more is known than that it was listed. */
const FORGOTTEN_ELEMENT: ListedElement = {
  id: '',
  document: '',
  key: 0,
  framePath: [],
  control: 'click',
  fingerprint: '',
  name: '',
  role: null,
  description: 'of an earlier list',
};
