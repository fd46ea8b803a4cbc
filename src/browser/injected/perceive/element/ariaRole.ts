/** Determines ARIA roles: the explicit role, else the role that the tag implies. Source: WAI-ARIA 1.2 and HTML-AAM. */
import { composedParent, getAttribute, hasAttribute, localName } from '../../dom/domGetters.ts';
import { roleOfCustomElement } from './customElement.ts';

export const INTERACTIVE_ROLES: ReadonlySet<string> = new Set(
  (
    'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox textbox ' +
    'searchbox slider spinbutton treeitem'
  ).split(' '),
);

export const NAME_FROM_CONTENT_ROLES: ReadonlySet<string> = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option ' +
    'radio row rowheader switch tab tooltip treeitem legend caption'
  ).split(' '),
);

/** Roles of containers. They are not interactive by themselves, even when they are focusable. */
export const CONTAINER_ROLES: ReadonlySet<string> = new Set(
  (
    'tabpanel region dialog alertdialog main document article group list listbox toolbar tablist menu menubar ' +
    'grid treegrid tree table rowgroup application radiogroup alert status log navigation banner contentinfo complementary ' +
    'form search feed figure none presentation note tooltip'
  ).split(' '),
);

const KNOWN_ROLES = new Set([
  ...INTERACTIVE_ROLES,
  ...NAME_FROM_CONTENT_ROLES,
  ...CONTAINER_ROLES,
  ...'img progressbar scrollbar separator meter listitem term definition paragraph math timer marquee'.split(
    ' ',
  ),
]);

export function explicitRole(element: Element): string | null {
  const roles = getAttribute(element, 'role');
  if (roles === null) return null;
  for (const token of roles.toLowerCase().split(/\s+/)) if (KNOWN_ROLES.has(token)) return token;
  return null;
}

const ROLE_BY_INPUT_TYPE: Readonly<Record<string, string>> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
};

const ROLE_BY_TAG: Readonly<Record<string, string>> = {
  button: 'button',
  summary: 'button',
  textarea: 'textbox',
  option: 'option',
  article: 'article',
  aside: 'complementary',
  dialog: 'dialog',
  fieldset: 'group',
  details: 'group',
  form: 'form',
  img: 'img',
  li: 'listitem',
  main: 'main',
  nav: 'navigation',
  ol: 'list',
  ul: 'list',
  search: 'search',
  table: 'table',
  tbody: 'rowgroup',
  thead: 'rowgroup',
  td: 'cell',
  th: 'columnheader',
  tr: 'row',
};

export function roleOf(element: Element, tag: string): string | null {
  return explicitRole(element) ?? implicitRole(element, tag) ?? roleOfCustomElement(element, tag);
}

function implicitRole(element: Element, tag: string): string | null {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? 'link' : null;
    case 'input':
      return inputRole(element);
    case 'select':
      return hasAttribute(element, 'multiple') || Number(getAttribute(element, 'size')) > 1
        ? 'listbox'
        : 'combobox';
    case 'th':
      return getAttribute(element, 'scope') === 'row' ? 'rowheader' : 'columnheader';
    case 'header':
    case 'footer':
      return isPageWide(element) ? (tag === 'header' ? 'banner' : 'contentinfo') : null;
    case 'section':
      return hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby')
        ? 'region'
        : null;
    default:
      return ROLE_BY_TAG[tag] ?? (/^h[1-6]$/.test(tag) ? 'heading' : null);
  }
}

function inputRole(element: Element): string | null {
  if (!(element instanceof HTMLInputElement)) return null;
  const type = element.type;
  if (hasAttribute(element, 'list') && /^(text|search|tel|url|email)$/.test(type)) return 'combobox';
  return ROLE_BY_INPUT_TYPE[type] ?? 'textbox';
}

/** Returns true if a header or footer belongs to the whole page, not to an article, a section or the like. */
function isPageWide(element: Element): boolean {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (/^(article|aside|main|nav|section|dialog)$/.test(localName(at))) return false;
  return true;
}
