/** Finds the section of the page that an element belongs to. The name of the section becomes the category of the action. */

import { ofClassName } from '../../dom/classNames.ts';
import {
  closest,
  documentElement,
  getAttribute,
  localName,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { remembered } from '../../dom/lifetimes.ts';
import { normalizeText, quote, tellingTexts, truncate } from '../element/plainText.ts';
import { contentText, textBesideControls } from '../element/renderedText.ts';
import { accessibleName, sectionLabel } from './accessibleName.ts';
import { identifierWords } from './identifierWords.ts';

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

/** Puts the heading above before headings that have the same text: `Section "Hat: Options"`, unless all have the same one above them. */
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
  for (const { category, candidate } of members)
    if (candidate.heading !== null && isHeaded(category))
      remembered(headingsOf, category, () => new Set<Element>()).add(candidate.heading);
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

/** A section of the page. Its name becomes the category of the actions in it. */
export interface Section {
  /** `Form`, `Dialog`, `Navigation`…; `Page` for the whole page. */
  readonly kind: string;
  /** The element where the section starts; null for the whole page. */
  readonly element: Element | null;
  /** The section around this one; null for the whole page. */
  readonly parent: Section | null;
  /** The last heading before this section in the section around it; null if there is none. */
  readonly headingBefore: Element | null;
  /** The last heading in the section that the search of the document has reached so far; null before the first. */
  heading: Element | null;
}

const KIND_BY_TAG: Readonly<Record<string, string>> = {
  dialog: 'Dialog',
  form: 'Form',
  table: 'Table',
  nav: 'Navigation',
  main: 'Main',
  aside: 'Sidebar',
  search: 'Search',
  fieldset: 'Group',
  header: 'Header',
  footer: 'Footer',
};

const KIND_BY_ROLE: Readonly<Record<string, string>> = {
  dialog: 'Dialog',
  alertdialog: 'Dialog',
  form: 'Form',
  table: 'Table',
  grid: 'Grid',
  treegrid: 'Grid',
  tree: 'Tree',
  navigation: 'Navigation',
  main: 'Main',
  complementary: 'Sidebar',
  search: 'Search',
  banner: 'Header',
  contentinfo: 'Footer',
  region: 'Region',
  toolbar: 'Toolbar',
  tablist: 'Tabs',
  menu: 'Menu',
  menubar: 'Menu',
  listbox: 'Listbox',
  radiogroup: 'Group',
  group: 'Group',
  // One with buttons asks a question.
  tooltip: 'Dialog',
};

/** Matches classes of widgets of common libraries, each with the kind of section that the widget is. */
const KIND_BY_CLASS: ReadonlyArray<readonly [RegExp, string]> = [
  [/(^|\s)(ui-dialog|modal-dialog|modal-content)(\s|$)/, 'Dialog'],
  [/(^|\s)(ui-datepicker|flatpickr-calendar|datepicker-dropdown)(\s|$)/, 'Date picker'],
  [/(^|\s)ql-toolbar(\s|$)/, 'Toolbar'],
];

const kindOfClass = ofClassName(
  className => KIND_BY_CLASS.find(([pattern]) => pattern.test(className))?.[1] ?? '',
);

const ENTRIES = 'article, [role=article], li, td, blockquote, figure';

/** Maximum length of a title before `withSectionsApart` cuts it. Characters. */
const MAX_TITLE_LENGTH = 160;

export const rootSection = (): Section => ({
  kind: 'Page',
  element: null,
  parent: null,
  headingBefore: null,
  heading: null,
});

export function sectionAt(
  element: Element,
  tag: string,
  role: string | null,
  className: string | null,
  parent: Section,
): Section | null {
  let kind = role === null ? KIND_BY_TAG[tag] : KIND_BY_ROLE[role];
  if (kind === undefined && className !== null && className.length > 4) kind = kindOfClass(className);
  if (kind === undefined || kind === '') return null;
  // The header of a post or of a card is none of the page.
  if (role === null && (kind === 'Header' || kind === 'Footer') && closest(element, ENTRIES) !== null)
    return null;
  // A table that is used for layout is not a section; a table with a caption or a header is.
  if (kind === 'Table' && tag === 'table' && role === null && queryIn(element, 'th, caption') === null)
    return null;
  if ((kind === 'Group' || kind === 'Region') && accessibleName(element, tag, false) === '') return null;
  return { kind, element, parent, headingBefore: parent.heading, heading: null };
}

export class SectionNames {
  readonly #known = new Map<Section, Map<Element | null, string>>();

  /** Returns the name of a section, such as `Form "Sign up"`. @param heading the last heading before the element in the section */
  nameOf(section: Section, heading: Element | null): string {
    const byHeading = remembered(this.#known, section, () => new Map<Element | null, string>());
    return remembered(byHeading, heading, () => sectionName(section, heading));
  }
}

/** Returns the kind with the section's own title, else its heading, else words of its name or id; else the name of the section around it. */
function sectionName(section: Section, heading: Element | null): string {
  const title = ownTitle(section);
  if (title !== '') return `${section.kind} ${quote(title)}`;
  const text = heading === null ? '' : headingText(heading);
  switch (section.kind) {
    case 'Page':
    case 'Main':
      return text === '' ? section.kind : `Section ${quote(text)}`;
    case 'Navigation':
    case 'Header':
    case 'Footer':
    case 'Search':
    case 'Toolbar':
    case 'Tabs':
    case 'Menu':
      return section.kind;
    default: {
      if (text !== '') return `${section.kind} ${quote(text)}`;
      const words =
        section.kind === 'Dialog' ? firstSentence(section.element) : nameOrIdWords(section.element);
      if (words !== '') return `${section.kind} ${quote(words)}`;
      const { parent, headingBefore } = section;
      if (parent !== null && parent.kind !== 'Page' && parent.kind !== 'Main')
        return sectionName(parent, headingBefore);
      const outer = headingBefore === null ? '' : headingText(headingBefore);
      return outer === '' ? section.kind : `${section.kind} ${quote(outer)}`;
    }
  }
}

const headingText = (heading: Element): string => truncate(contentText(heading, false), MAX_TITLE_LENGTH);

/** Matches a label that is an id: it names a section only if nothing else does. */
const IDENTIFIER = /^[\w:.-]*(?:[-_:.a-z]\d+:?|_[\w:.-]*)$/i;

function ownTitle(section: Section): string {
  const { element, kind } = section;
  if (element === null) return '';
  const tag = localName(element);
  // The name of a tooltip is all of its text.
  const name = getAttribute(element, 'role') === 'tooltip' ? '' : sectionLabel(element, tag);
  if (name !== '' && !IDENTIFIER.test(name)) return truncate(name, MAX_TITLE_LENGTH);
  const selector =
    kind === 'Dialog'
      ? 'h1, h2, h3, h4, h5, h6, [role=heading], .ui-dialog-title, .modal-title'
      : kind === 'Date picker'
        ? '.ui-datepicker-title, .flatpickr-current-month, .datepicker-switch'
        : kind === 'Form'
          ? ':scope > legend, h1, h2, h3'
          : null;
  const title = selector === null ? null : queryIn(element, selector);
  // The heading of a group of fields names the group, and not the form around it.
  const isOfGroup = kind === 'Form' && title !== null && closest(title, 'fieldset') !== null;
  if (title !== null && !isOfGroup) return headingText(title);
  // The question of a dialog says more than an id.
  return kind === 'Dialog' ? '' : truncate(name, MAX_TITLE_LENGTH);
}

/** Returns the first sentence of a dialog without a title: its question. */
function firstSentence(dialog: Element | null): string {
  const text = dialog === null ? '' : textBesideControls(dialog, false);
  return truncate(/^.*?[.?!](?=\s|$)/.exec(text)?.[0] ?? text, MAX_TITLE_LENGTH);
}

function nameOrIdWords(element: Element | null): string {
  if (element === null) return '';
  const words =
    identifierWords(getAttribute(element, 'name') ?? '') ||
    identifierWords(getAttribute(element, 'id') ?? '');
  return truncate(normalizeText(words), MAX_TITLE_LENGTH);
}
