/**
 * Assigns ids to elements. An element gets its id when it is first listed, and keeps it. A document never uses an id
 * again; a new top document starts again at 1.
 */
import type { Control, ObservedElement, PointerGesture } from '../injected/perceive/wireFormat.ts';

/** An element in the list of actions: where it is in the page, and its properties when it was last listed. */
export interface ListedElement {
  readonly id: string;
  /** Id of the document that contains the element: Chromium's unique id of its isolated world. */
  readonly document: string;
  readonly key: number;
  /** Indexes of the iframes around the element, from the outermost to the innermost; empty for an element of the top document. */
  readonly framePath: readonly number[];
  readonly control: Control;
  /** The only gesture that the element reacts to; null for a click. */
  readonly gesture: PointerGesture | null;
  readonly fingerprint: string;
  readonly name: string;
  readonly role: string | null;
  readonly description: string;
}

/**
 * The result of looking up an id. `listed`: an element of the current page; `past`: an element of an earlier page, or one
 * that the registry has forgotten; `never`: no element has had the id.
 */
export type ElementLookup =
  | { readonly state: 'listed'; readonly listed: ListedElement }
  | { readonly state: 'past'; readonly was: ListedElement }
  | { readonly state: 'never' };

/** A page that re-renders all the time has new elements in each observation. */
const MAX_UNLISTED = 5_000;

const ID_LETTERS = ['L', 'B', 'I'] as const;

export class ElementRegistry {
  #document: string | null = null;
  readonly #ids = new Map<string, string>();
  readonly #listed = new Map<string, ListedElement>();
  readonly #counters = { L: 0, B: 0, I: 0 };
  /** The highest number of an id for each letter, over all pages of the tab. */
  readonly #highest = { L: 0, B: 0, I: 0 };
  readonly #past = new Map<string, ListedElement>();
  #listedCount = 0;

  get hasObserved(): boolean {
    return this.#document !== null;
  }

  /** Null before the first observation. */
  get document(): string | null {
    return this.#document;
  }

  get current(): readonly ListedElement[] {
    return this.#listedCount === 0 ? [] : [...this.#listed.values()].slice(-this.#listedCount);
  }

  /** Returns a registry that knows the same elements: the ids that it assigns are its own. */
  copy(): ElementRegistry {
    const copy = new ElementRegistry();
    copy.#document = this.#document;
    copy.#listedCount = this.#listedCount;
    for (const [key, id] of this.#ids) copy.#ids.set(key, id);
    for (const [id, listed] of this.#listed) copy.#listed.set(id, listed);
    Object.assign(copy.#counters, this.#counters);
    return copy;
  }

  /** Starts an observation of the top document with this id. Ids start again at 1 if the last observation was of another document. */
  startObservation(document: string): void {
    for (const [id, { document: ownDocument, key }] of this.#listed) {
      if (this.#listed.size <= this.#listedCount + MAX_UNLISTED) break;
      this.#listed.delete(id);
      this.#ids.delete(`${ownDocument}/${key}`);
    }
    this.#listedCount = 0;
    if (document === this.#document) return;
    for (const [id, listed] of this.#listed) {
      this.#past.delete(id);
      this.#past.set(id, listed);
    }
    for (const id of this.#past.keys()) {
      if (this.#past.size <= this.#listed.size + MAX_UNLISTED) break;
      this.#past.delete(id);
    }
    this.#document = document;
    this.#ids.clear();
    this.#listed.clear();
    this.#counters.L = this.#counters.B = this.#counters.I = 0;
  }

  /** Returns the id of an element, such as `B3`; assigns one to an element that is listed for the first time. */
  idFor(document: string, framePath: readonly number[], element: ObservedElement): string {
    const { letter } = element;
    const documentKey = `${document}/${element.key}`;
    const known = this.#ids.get(documentKey);
    const id = known ?? `${letter}${++this.#counters[letter]}`;
    if (known === undefined) this.#ids.set(documentKey, id);
    this.#listedCount++;
    this.#highest[letter] = Math.max(this.#highest[letter], this.#counters[letter]);
    // Move the entry to the end: the entries at the beginning were listed longest ago.
    this.#listed.delete(id);
    const { key, control, gesture, fingerprint, name, role, description } = element;
    this.#listed.set(id, {
      id,
      document,
      key,
      framePath,
      control,
      gesture,
      fingerprint,
      name,
      role,
      description,
    });
    return id;
  }

  findId(document: string, key: number): string | null {
    return this.#ids.get(`${document}/${key}`) ?? null;
  }

  hasControlOf(controls: ReadonlySet<string>): boolean {
    for (const { control } of this.#listed.values()) if (controls.has(control)) return true;
    return false;
  }

  lookup(id: string): ElementLookup {
    const listed = this.#listed.get(id);
    if (listed !== undefined) return { state: 'listed', listed };
    const past = this.#past.get(id);
    if (past !== undefined) return { state: 'past', was: past };
    return this.#wasAssigned(id) ? { state: 'past', was: { ...FORGOTTEN_ELEMENT, id } } : { state: 'never' };
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

/** Placeholder for a forgotten element, of which the registry only knows that its id existed. */
const FORGOTTEN_ELEMENT: ListedElement = {
  id: '',
  document: '',
  key: 0,
  framePath: [],
  control: 'click',
  gesture: null,
  fingerprint: '',
  name: '',
  role: null,
  description: 'of an earlier list',
};
