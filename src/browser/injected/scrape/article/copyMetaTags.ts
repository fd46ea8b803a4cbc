import { getAttribute, queryAllDocument, titleOf } from '../../dom/domGetters.ts';

/** Copies the title and the OpenGraph and Twitter `meta` elements: from them Readability reads the title, to remove the heading that repeats it. */
export function copyMetaTags(page: Document, copy: Document): void {
  copy.title = titleOf(page);
  for (const meta of queryAllDocument(page, 'meta[property^="og:" i],meta[name^="twitter:" i]')) {
    const own = copy.createElement('meta');
    for (const name of ['property', 'name', 'content']) {
      const value = getAttribute(meta, name);
      if (value !== null) own.setAttribute(name, value);
    }
    copy.head.append(own);
  }
}
