import type { Action } from './action.ts';
import { type ShownTexts, shownTexts } from './actionPhrase.ts';
import { endOfAlike, idRange, isNext, isSame, type Listed } from './joinedActions.ts';

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
  /** For each of the actions, the end of those from it on that have the same text and consecutive ids: shared by all of them. */
  readonly #alike: { end: number }[] = [];
  /** Ids of the actions whose symbol an action above has explained. */
  readonly #explained: ReadonlySet<string>;

  readonly texts: ShownTexts;

  /** @param actions the whole list, in the order of its lines */
  constructor(actions: readonly Action[] = []) {
    this.texts = shownTexts(actions);
    this.#explained = withExplainedSymbols(actions);
  }

  /** Returns true if an action above has the same symbol with the same meaning: `"§" "permalink"` stands once, then `"§"`. */
  isExplained({ id }: Action): boolean {
    return this.#explained.has(id);
  }

  /** Divides actions that follow each other into those that repeat actions above and the others, which it adds. */
  divide(listed: readonly Listed[]): ListedRun[] {
    const runs: ListedRun[] = [];
    let rest: Listed[] = [];
    let alikeEnd = 0;
    for (let index = 0; index < listed.length; ) {
      if (index >= alikeEnd) alikeEnd = endOfAlike(listed, index);
      const repeated = this.#repeatedAt(listed, index, alikeEnd - index);
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

  add(listed: readonly Listed[]): void {
    for (const one of listed) {
      const indexes = this.#indexesByText.get(one.wholeText);
      if (indexes === undefined) this.#indexesByText.set(one.wholeText, [this.#shown.length]);
      else if (indexes.length < MAX_COMPARED) indexes.push(this.#shown.length);
      const before = this.#shown.at(-1);
      const above = isSame(one, before) && isNext(one, before) ? this.#alike.at(-1) : undefined;
      const alike = above ?? { end: 0 };
      this.#alike.push(alike);
      alike.end = this.#shown.push(one);
    }
  }

  /** The longest list above that the actions from this one on repeat (`alike`: how many have its text), with consecutive ids; null if too short. */
  #repeatedAt(listed: readonly Listed[], start: number, alike: number): readonly Listed[] | null {
    let longest: readonly Listed[] = [];
    for (const first of this.#indexesByText.get(listed[start]?.wholeText ?? '') ?? []) {
      // A list that goes on with another text has as many actions of the first text. Without this, equal actions would cost the square of their number.
      if ((this.#alike[first]?.end ?? 0) - first !== alike) continue;
      if (!isSame(listed[start], this.#shown[first])) continue;
      let length = alike;
      while (
        isSame(listed[start + length], this.#shown[first + length]) &&
        isNext(listed[start + length], listed[start + length - 1]) &&
        isNext(this.#shown[first + length], this.#shown[first + length - 1])
      )
        length++;
      if (length > Math.max(alike, longest.length)) longest = this.#shown.slice(first, first + length);
    }
    return longest.length < MIN_REPEATED ? null : longest;
  }
}

/** A description with a symbol as its name, and the meaning of the symbol: `link "§" "permalink"`. */
const SYMBOL = /^[^",]* ("[^"]*") ("[^"]*")/;

/** Returns the ids of actions whose symbol has the meaning that an action above has said. A description is cheap to search where no two quotations meet. */
function withExplainedSymbols(actions: readonly Action[]): ReadonlySet<string> {
  const meanings = new Map<string, string>();
  const explained = new Set<string>();
  for (const { id, description } of actions) {
    if (!description.includes('" "')) continue;
    const [, symbol, meaning] = SYMBOL.exec(description) ?? [];
    if (symbol === undefined || meaning === undefined) continue;
    if (meanings.get(symbol) === meaning) explained.add(id);
    meanings.set(symbol, meaning);
  }
  return explained;
}

/** Returns the line of actions that repeat others: `L30–L36 same as L2–L8`. */
export const repeatedLine = (listed: readonly Listed[], repeated: readonly Listed[]): string =>
  `${idRange(listed)} same as ${idRange(repeated)}`;
