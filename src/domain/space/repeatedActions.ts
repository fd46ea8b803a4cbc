/** Finds actions that a list repeats: a menu that stands in the header of a page and again in its footer. */
import { idRange, isNext, isSame, type Listed } from './joinedActions.ts';

/** Actions that follow each other. */
export interface ListedRun {
  readonly listed: readonly Listed[];
  /** The actions above that these repeat, in the same order; null if no list above has them. */
  readonly repeated: readonly Listed[] | null;
}

/** Minimum number of actions that a line refers to. */
const MIN_REPEATED = 4;
/** Maximum number of actions with the same text with which a list is compared, so that equal actions cost no more than others. */
const MAX_COMPARED = 8;

/** The actions of a list whose texts its lines have, in the order of the lines. */
export class ShownActions {
  readonly #shown: Listed[] = [];
  readonly #indexesByText = new Map<string, number[]>();

  /** Divides actions that follow each other into those that repeat actions above and the others, which it adds. */
  divide(listed: readonly Listed[]): ListedRun[] {
    const runs: ListedRun[] = [];
    let rest: Listed[] = [];
    for (let index = 0; index < listed.length; ) {
      const repeated = this.#repeatedAt(listed, index);
      const one = listed[index];
      if (repeated !== null) {
        if (rest.length > 0) runs.push({ listed: rest, repeated: null });
        rest = [];
        runs.push({ listed: listed.slice(index, index + repeated.length), repeated });
        index += repeated.length;
      } else if (one !== undefined) {
        this.add([one]);
        rest.push(one);
        index++;
      }
    }
    if (rest.length > 0) runs.push({ listed: rest, repeated: null });
    return runs;
  }

  /** Adds the actions of a line. */
  add(listed: readonly Listed[]): void {
    for (const one of listed) {
      const indexes = this.#indexesByText.get(one.text);
      if (indexes === undefined) this.#indexesByText.set(one.text, [this.#shown.length]);
      else if (indexes.length < MAX_COMPARED) indexes.push(this.#shown.length);
      this.#shown.push(one);
    }
  }

  /** Returns the longest list above that the actions from this one on repeat, both with consecutive ids; null if it is too short or of one text. */
  #repeatedAt(listed: readonly Listed[], start: number): readonly Listed[] | null {
    let longest: readonly Listed[] = [];
    for (const first of this.#indexesByText.get(listed[start]?.text ?? '') ?? []) {
      let length = 0;
      while (
        isSame(listed[start + length], this.#shown[first + length]) &&
        (length === 0 ||
          (isNext(listed[start + length], listed[start + length - 1]) &&
            isNext(this.#shown[first + length], this.#shown[first + length - 1])))
      )
        length++;
      if (length > longest.length) longest = this.#shown.slice(first, first + length);
    }
    const isOneText = longest.every(({ text }) => text === longest[0]?.text);
    return longest.length < MIN_REPEATED || isOneText ? null : longest;
  }
}

/** Returns the line of actions that repeat others: `L30–L36 same as L2–L8`. */
export const repeatedLine = (listed: readonly Listed[], repeated: readonly Listed[]): string =>
  `${idRange(listed)} same as ${idRange(repeated)}`;
