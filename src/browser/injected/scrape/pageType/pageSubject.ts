/** Reads what a page says of its own subject: its title and the descriptions that it declares. */
import type { Json } from '../../../../domain/json.ts';
import type { PageSignals } from '../../signals/pageSignals.ts';
import type { PageSubject } from '../blocks/anchorFeatures.ts';

/** Maximum number of characters of all descriptions together. */
const MAX_CHARACTERS = 50_000;
/** The properties of structured data whose text the page shows as its content. */
const DESCRIBING = new Set(['description', 'articleBody', 'text', 'headline', 'name']);
/** The properties that describe something else than the page. */
const OTHERS = new Set(['review', 'reviews', 'author', 'publisher', 'isRelatedTo', 'isSimilarTo']);

/**
 * Returns the subject of a page.
 * @param copy its copy, with the title and the `meta` elements of OpenGraph and Twitter
 */
export function pageSubject(copy: Document, { items }: PageSignals): PageSubject {
  const descriptions = Array.from(
    copy.querySelectorAll('meta[property="og:description" i],meta[name="twitter:description" i]'),
    meta => meta.getAttribute('content') ?? '',
  );
  let left = MAX_CHARACTERS;
  const add = (value: Json | undefined, property: string): void => {
    if (left <= 0 || value === null || value === undefined) return;
    if (typeof value === 'string') {
      if (!DESCRIBING.has(property)) return;
      descriptions.push(value.slice(0, left).replace(/<[^>]{0,500}>/g, ' '));
      left -= value.length;
    } else if (Array.isArray(value)) for (const one of value as readonly Json[]) add(one, property);
    else if (typeof value === 'object')
      for (const [key, one] of Object.entries(value)) if (!OTHERS.has(key)) add(one as Json, key);
  };
  for (const item of items) add(item, '');
  return { title: copy.title, descriptions };
}
