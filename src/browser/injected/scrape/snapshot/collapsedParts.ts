/**
 * Parts of the main content that the page does not show yet: panels that its own controls open (`details`, tabs, accordions), and
 * segments that a server sent ahead for scripts to put in their place.
 */
import {
  closest,
  elementById,
  firstChild,
  firstElementChild,
  getAttribute,
  getRootNode,
  hasAttribute,
  localName,
  matches,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentElement,
  previousElementSibling,
  queryAllDocument,
  queryAllFragment,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';

/** Elements whose parts that open are menus, dialogs or lists of choices, not content. */
const NEVER_OPENED =
  'nav,header,footer,aside,form,dialog,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=menu],[role=menubar],[role=dialog],[role=alertdialog],[role=listbox],[role=tooltip],[aria-modal=true]';

const CONTROL = 'button,summary,[role=button],[role=tab],[aria-expanded=false]';
/** Controls of menus and dialogs. */
const POPUP = '[aria-haspopup]:not([aria-haspopup=false])';
/** Parts with fields are forms, whatever opens them. */
const FIELDS = 'input:not([type=hidden i]),select,textarea';
/** Matches the names of parts that open, which many pages use instead of a role. */
const OPENING_NAMES =
  /accordi[ao]n|collaps|disclosure|expand|toggle|faq|question|answer|(?<![a-z])(read|show|see|view)?[-_]?more(?![a-z])/i;
/** The control is a label, not a part of the content with a button in it. */
const MAX_LABEL_CHARACTERS = 200;
/** An answer is longer than this, if a name says that its control opens it. Characters. */
const MIN_ANSWER_CHARACTERS = 20;
/** Minimum number of characters outside links: shorter parts are messages of the control. */
const MIN_PROSE_CHARACTERS = 80;
/** A part with a larger share (0 to 1) of its text in links is a menu. */
const MAX_LINK_SHARE = 0.5;
/** Number of nodes that are read of a part. */
const MAX_NODES = 300;
/** Number of boxes around a part that contain nothing else. */
const MAX_WRAPPERS = 2;
const NOT_SHOWN = new Set(['script', 'style', 'template', 'noscript', 'svg']);

/** Returns true for an element that is not shown if it holds prose and stands right after a control or a label that opens it. */
function isDisclosurePanel(element: Element): boolean {
  const label = labelBefore(element);
  if (label === null || !isOpener(label, element)) return false;
  const { plain, linked } = textLengths(element);
  return (
    plain >= minCharacters(label, element) &&
    linked <= MAX_LINK_SHARE * (plain + linked) &&
    !hasFields(element)
  );
}

/** Returns the minimum length of the part that a control opens, by what says that it does. */
function minCharacters(label: Element, panel: Element): number {
  if (!matches(label, '[aria-expanded]') && queryIn(label, '[aria-expanded]') === null)
    return MIN_PROSE_CHARACTERS;
  const text = (textContent(label) ?? '').trim();
  if (HEADINGS.has(localName(label)) || /[?？]$/.test(text)) return 1;
  return [label, panel].some(hasOpeningName) ? MIN_ANSWER_CHARACTERS : MIN_PROSE_CHARACTERS;
}

/** Returns the element before `element` or before the boxes that contain nothing but it; null if there is none. */
function labelBefore(element: Element): Element | null {
  let at: Element | null = element;
  for (let wrappers = 0; at !== null && wrappers <= MAX_WRAPPERS; wrappers++) {
    let before = previousElementSibling(at);
    while (before !== null && NOT_SHOWN.has(localName(before))) before = previousElementSibling(before);
    if (before !== null) return before;
    if (nextElementSibling(at) !== null) return null;
    at = parentElement(at);
  }
  return null;
}

function isOpener(label: Element, panel: Element): boolean {
  const { plain, linked } = textLengths(label);
  if (plain + linked === 0 || plain + linked > MAX_LABEL_CHARACTERS) return false;
  if (matches(label, POPUP) || queryIn(label, POPUP) !== null || hasFields(label)) return false;
  return matches(label, CONTROL) || queryIn(label, CONTROL) !== null || [label, panel].some(hasOpeningName);
}

const hasOpeningName = (element: Element): boolean =>
  OPENING_NAMES.test(getAttribute(element, 'class') ?? '');

const hasFields = (element: Element): boolean => queryIn(element, FIELDS) !== null;

interface TextLengths {
  plain: number;
  linked: number;
  nodes: number;
}

/** Returns the number of characters outside and inside links, in the first nodes of an element. */
function textLengths(root: Element): TextLengths {
  const lengths: TextLengths = { plain: 0, linked: 0, nodes: 0 };
  addLengths(root, localName(root) === 'a', lengths);
  return lengths;
}

function addLengths(parent: Element, isLink: boolean, lengths: TextLengths): void {
  for (let node = firstChild(parent); node !== null && lengths.nodes < MAX_NODES; node = nextSibling(node)) {
    lengths.nodes++;
    if (nodeType(node) === 3) {
      const { length } = (node as Text).data.trim();
      if (isLink) lengths.linked += length;
      else lengths.plain += length;
    } else if (nodeType(node) === 1 && !NOT_SHOWN.has(localName(node as Element)))
      addLengths(node as Element, isLink || localName(node as Element) === 'a', lengths);
  }
}

const HEADINGS = new Set('h1 h2 h3 h4 h5 h6 dt summary'.split(' '));

/**
 * Returns the name in the copy of a button that is the question of an accordion: a part of its heading, or a paragraph above its answer.
 * Null for any other button.
 */
export function nameOfQuestion(button: Element): string | null {
  const parent = parentElement(button);
  if (parent !== null && HEADINGS.has(localName(parent))) {
    // Beside other words of the heading it is a control.
    const isAll = (textContent(parent) ?? '').trim() === (textContent(button) ?? '').trim();
    return isAll || matches(button, '[aria-expanded]') ? 'span' : null;
  }
  if (!matches(button, '[aria-expanded]') || matches(button, POPUP)) return null;
  const { plain, linked } = textLengths(button);
  if (plain + linked === 0 || closest(button, NEVER_OPENED) !== null) return null;
  const id = getAttribute(button, 'aria-controls');
  const panel = (id === null ? null : elementById(button, id)) ?? nextElementSibling(button);
  if (panel === null || hasFields(panel)) return null;
  const answer = textLengths(panel);
  const enough = Math.min(MIN_ANSWER_CHARACTERS, minCharacters(button, panel));
  return answer.plain >= enough && answer.linked <= answer.plain ? 'p' : null;
}

/** Returns a function that returns the tabs that open a panel; an empty list for another element. */
export function tabsOfPanels(): (panel: Element) => readonly Element[] {
  const known = new Map<Node, Map<string, Element[]>>();
  return panel => {
    const id = getAttribute(panel, 'role') === 'tabpanel' ? getAttribute(panel, 'id') : null;
    if (id === null) return [];
    const root = getRootNode(panel);
    let tabs = known.get(root);
    if (tabs === undefined) {
      const selector = '[role=tab][aria-controls]';
      const all =
        nodeType(root) === 9
          ? queryAllDocument(root as Document, selector)
          : nodeType(root) === 11
            ? queryAllFragment(root as DocumentFragment, selector)
            : [];
      tabs = Map.groupBy(all, tab => getAttribute(tab, 'aria-controls') ?? '');
      known.set(root, tabs);
    }
    return tabs.get(id) ?? [];
  };
}

/** Returns the tab whose panel is open: the only one of a panel, or the selected one of several; null if none is selected. */
export const openTab = (tabs: readonly Element[]): Element | null =>
  (tabs.length === 1 ? tabs[0] : tabs.find(tab => getAttribute(tab, 'aria-selected') === 'true')) ?? null;

/** Controls that say which element they open. */
const OPENERS = '[aria-controls]:is([role=tab],[aria-expanded=false])';
/** Maximum number of controls that are read. */
const MAX_OPENERS = 2_000;
/** Returns a function that tells whether an element that is not shown is a panel of the content that the page's controls open. */
export function collapsedPanels(page: Document): (element: Element) => boolean {
  let controlled: ReadonlySet<string> | null = null;
  return element => {
    const id = getAttribute(element, 'id') ?? '';
    controlled ??= controlledIds(page);
    return (
      (getAttribute(element, 'role') === 'tabpanel' ||
        isInClosedDetails(element) ||
        controlled.has(id) ||
        isDisclosurePanel(element)) &&
      closest(element, NEVER_OPENED) === null
    );
  };
}

/** Returns true for a closed `details` of the content. */
export const isClosedDetails = (element: Element): boolean =>
  localName(element) === 'details' &&
  !hasAttribute(element, 'open') &&
  closest(element, NEVER_OPENED) === null;

/** Returns true for what only a closed `details` hides: its first `summary` stays shown. */
function isInClosedDetails(element: Element): boolean {
  const parent = parentElement(element);
  return (
    parent !== null &&
    localName(parent) === 'details' &&
    !hasAttribute(parent, 'open') &&
    !(localName(element) === 'summary' && firstElementChild(parent) === element) &&
    getComputedStyle(element).display !== 'none'
  );
}

function controlledIds(page: Document): Set<string> {
  const found = new Set<string>();
  let left = MAX_OPENERS;
  for (const opener of queryAllDocument(page, OPENERS)) {
    if (left-- === 0) break;
    if (hasAttribute(opener, 'aria-haspopup') || closest(opener, NEVER_OPENED) !== null) continue;
    for (const id of (getAttribute(opener, 'aria-controls') ?? '').split(/\s+/)) if (id !== '') found.add(id);
  }
  return found;
}

/** Matches the id of the place for a streamed segment, as React writes it; the segment's id has `S` instead. */
const PLACE_ID = /^(.*)[BP]:([\da-f]+)$/;

/**
 * Returns the segment that scripts would put at the place of a `template`, while it waits hidden elsewhere; null if there is none. Once
 * the scripts have run, neither the place nor the segment is there.
 */
export function streamedSegment(template: Element): Element | null {
  const found = PLACE_ID.exec(getAttribute(template, 'id') ?? '');
  if (found === null) return null;
  const segment = elementById(template, `${found[1]}S:${found[2]}`);
  return segment !== null && hasAttribute(segment, 'hidden') ? segment : null;
}
