/** Finds out which headings inside of links and buttons name only those: the titles of cards. */
import { type Candidate, isExplicit } from '../candidate.ts';
import type { InheritedContext } from './classifyElement.ts';

const HEADING_TAGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** A heading inside of a link or a button. */
export interface HeldHeading {
  readonly holder: Candidate;
  readonly heading: Element;
}

export const isHeading = (tag: string, role: string | null): boolean =>
  role === null ? tag.length === 2 && HEADING_TAGS.has(tag) : role === 'heading';

/** Makes a heading the last one of its section. @param held receives it if it is inside of a link or a button */
export function noteHeading(
  heading: Element,
  { section, ancestor }: InheritedContext,
  held: HeldHeading[],
): void {
  section.heading = heading;
  if (ancestor !== null && isExplicit(ancestor)) held.push({ holder: ancestor, heading });
}

/**
 * Sets the headings of the candidates around headings that are inside of a link or a button.
 *
 * - Cards follow each other, each a link with a heading: their headings name no section, neither for the next card nor for what comes after the last.
 * - A single such heading with other candidates after it is that of a section: the link is its title.
 */
export function assignCardHeadings(candidates: readonly Candidate[], held: readonly HeldHeading[]): void {
  if (held.length === 0) return;
  const users = Map.groupBy(candidates, candidate => candidate.heading);
  const holders = new Set(held.map(({ holder }) => holder));
  const usersOf = (heading: Element): readonly Candidate[] =>
    (users.get(heading) ?? []).filter(one => !holders.has(one));
  for (let index = 0; index < held.length; ) {
    const first = held[index];
    if (first === undefined) return;
    let end = index + 1;
    for (let card = first; end < held.length; end++) {
      const next = held[end];
      if (next === undefined || next.holder.heading !== card.heading || usersOf(card.heading).length > 0)
        break;
      card = next;
    }
    const run = held.slice(index, end);
    const around = first.holder.heading;
    if (run.length > 1)
      for (const { holder, heading } of run)
        for (const one of [holder, ...usersOf(heading)]) one.heading = around;
    else if (usersOf(first.heading).length > 0) first.holder.heading = first.heading;
    index = end;
  }
}
