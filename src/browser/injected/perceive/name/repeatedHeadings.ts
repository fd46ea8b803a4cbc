/** Tells sections apart whose headings have the same text, such as `Options` below each product: by the heading above each of them. */
import { documentElement, getAttribute, localName, queryAllIn } from '../../dom/domGetters.ts';
import { quote, tellingTexts, truncate } from '../element/plainText.ts';
import { contentText } from '../element/renderedText.ts';

/** An element that is listed in a section. */
interface SectionMember {
  /** The name of the section, such as `Section "Options"`. */
  readonly category: string;
  /** With the last heading before the element in its section; null if there is none. */
  readonly candidate: { readonly heading: Element | null };
}

/** Start of the name of a section that a heading names, and not a form, a dialog or another part of the page. */
const HEADED = 'Section "';
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading]';
/** Maximum length of the name of a section, without the quotation mark at its end. Characters. */
const MAX_LENGTH = 69;
/** Maximum length of the heading above in a name. Characters. */
const MAX_OUTER_LENGTH = 40;
/** Level of a heading that states none (WAI-ARIA 1.2, `heading`). */
const DEFAULT_LEVEL = 2;

/**
 * Returns the elements with another category where the heading of their section has the same text as that of another section:
 * `Section "Hat: Options"`. Headings that have the same heading above them, or none, keep their names.
 */
export function withSectionsApart<Member extends SectionMember>(
  members: readonly Member[],
): readonly Member[] {
  const names = namesOfRepeated(headingsByCategory(members));
  const named =
    names.size === 0
      ? members
      : members.map(member => {
          const { heading } = member.candidate;
          const name = heading === null || !isHeaded(member.category) ? undefined : names.get(heading);
          return name === undefined ? member : { ...member, category: name };
        });
  // Without the quotation mark at the end.
  const shown = tellingTexts(
    new Set(named.map(({ category }) => category.slice(0, -1))),
    MAX_LENGTH,
    MAX_LENGTH,
  );
  if (shown.size === 0) return named;
  return named.map(member => {
    const category = shown.get(member.category.slice(0, -1));
    return category === undefined ? member : { ...member, category: `${category}"` };
  });
}

const isHeaded = (category: string): boolean => category.startsWith(HEADED);

function headingsByCategory(members: readonly SectionMember[]): ReadonlyMap<string, ReadonlySet<Element>> {
  const headingsOf = new Map<string, Set<Element>>();
  for (const { category, candidate } of members) {
    if (candidate.heading === null || !isHeaded(category)) continue;
    const headings = headingsOf.get(category);
    if (headings === undefined) headingsOf.set(category, new Set([candidate.heading]));
    else headings.add(candidate.heading);
  }
  return headingsOf;
}

function namesOfRepeated(headingsOf: ReadonlyMap<string, ReadonlySet<Element>>): Map<Element, string> {
  const names = new Map<Element, string>();
  let outerOf: ReadonlyMap<Element, Element> | null = null;
  for (const [category, headings] of headingsOf) {
    if (headings.size < 2) continue;
    outerOf ??= outerHeadings();
    const outers = new Map<Element, string>();
    for (const heading of headings) outers.set(heading, textOf(outerOf.get(heading)));
    if (new Set(outers.values()).size < 2) continue;
    const title = category.slice(HEADED.length, -1);
    for (const [heading, outer] of outers)
      if (outer !== '' && outer !== title) names.set(heading, `Section ${quote(`${outer}: ${title}`)}`);
  }
  return names;
}

const textOf = (heading: Element | undefined): string =>
  heading === undefined ? '' : truncate(contentText(heading, false), MAX_OUTER_LENGTH);

/** Returns the heading above each heading of the document: the last one before it with a higher rank. Linear in their number. */
function outerHeadings(): ReadonlyMap<Element, Element> {
  const root = documentElement(document);
  const outerOf = new Map<Element, Element>();
  /** The headings above the present one, from the outermost. */
  const above: { readonly heading: Element; readonly level: number }[] = [];
  for (const heading of root === null ? [] : Array.from(queryAllIn(root, HEADINGS))) {
    const level = levelOf(heading);
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const outer = above.at(-1);
    if (outer !== undefined) outerOf.set(heading, outer.heading);
    above.push({ heading, level });
  }
  return outerOf;
}

/** Returns the level of a heading: 1 for the highest rank. */
function levelOf(heading: Element): number {
  const tag = localName(heading);
  const stated = getAttribute(heading, 'aria-level') ?? (/^h[1-6]$/.test(tag) ? tag.slice(1) : '');
  return Math.max(1, Number.parseInt(stated, 10) || DEFAULT_LEVEL);
}
