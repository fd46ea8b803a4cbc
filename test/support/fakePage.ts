/** A page of FakeBrowserHost: its title, text, links, buttons and text fields, found by patterns in its HTML. */

import type { ContentPart, ContentValue } from '../../src/domain/content/contentParts.ts';
import type { Action, ActionKind } from '../../src/domain/space/action.ts';

export interface FakePage {
  readonly url: string;
  readonly title: string;
  readonly httpStatus: number | null;
  readonly actions: readonly Action[];
  /** Addresses that actions lead to, by action id. */
  readonly targets: ReadonlyMap<string, string>;
  readonly content: { readonly [Part in ContentPart]?: ContentValue<Part> };
  /** The same page with this value in a text field. */
  withValue(actionId: string, value: string): FakePage;
}

export const BLANK_PAGE: FakePage = createPage({
  url: 'about:blank',
  title: '',
  httpStatus: null,
  actions: [],
  targets: new Map(),
  content: {},
});

export function parseFakePage(url: string, httpStatus: number, html: string): FakePage {
  const targets = new Map<string, string>();
  const actions: Action[] = [];
  const body = html.replace(/<(script|style|title)\b[\s\S]*?<\/\1>/gi, '');
  const add = (kind: ActionKind, letter: string, role: string, name: string): string => {
    const id = `${letter}${actions.filter(action => action.kind === kind).length + 1}`;
    actions.push(createAction(id, kind, role, name));
    return id;
  };
  for (const [, attributes = '', content = ''] of body.matchAll(/<a\b([^>]*)>([\s\S]*?)<\/a>/gi)) {
    const href = attribute(attributes, 'href');
    const target = href === null ? null : URL.parse(href, url);
    if (target !== null) targets.set(add('link', 'L', 'link', textOf(content)), target.href);
  }
  for (const [, content = ''] of body.matchAll(/<button\b[^>]*>([\s\S]*?)<\/button>/gi))
    add('button', 'B', 'button', textOf(content));
  for (const [, attributes = ''] of body.matchAll(/<(?:input|textarea)\b([^>]*)>/gi))
    add('input', 'I', 'textbox', attribute(attributes, 'aria-label') ?? attribute(attributes, 'name') ?? '');
  const text = textOf(body);
  const links = actions.flatMap(({ id, name }) => {
    const target = targets.get(id);
    return target === undefined ? [] : [{ url: target, text: name ?? '' }];
  });
  return createPage({
    url,
    title: textOf(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? ''),
    httpStatus,
    actions,
    targets,
    content: {
      mainContent: `<p>${text}</p>`,
      markdown: text,
      text,
      links,
      images: [],
      structured: [],
      metadata: { byline: null, published: null, lang: null, siteName: null, canonical: null, excerpt: null },
    },
  });
}

function createPage(fields: Omit<FakePage, 'withValue'>): FakePage {
  return {
    ...fields,
    withValue: (actionId, value) =>
      createPage({
        ...fields,
        actions: fields.actions.map(action => (action.id === actionId ? { ...action, value } : action)),
      }),
  };
}

const createAction = (id: string, kind: ActionKind, role: string, name: string): Action => ({
  id,
  kind,
  description: `${role} "${name}"`,
  category: 'Page',
  status: 'valid',
  params: kind === 'input' ? [{ name: 'value', type: 'string', default: null, values: null }] : [],
  role,
  name,
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
  bounds: { x: 0, y: 0, width: 100, height: 20 },
  frame: null,
  fingerprint: `${role} ${name}`,
});

const attribute = (attributes: string, name: string): string | null =>
  new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i')
    .exec(attributes)
    ?.slice(1)
    .find(value => value !== undefined) ?? null;

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
