/** Elements that are no actions, in a few words. */
import { accessibleName } from './name.ts';
import { getAttribute, localName } from './native.ts';
import { cut, fold, quoted } from './text.ts';

/** Characters. */
const MOST_WORDS = 100;

/** What lies in the way: `div "We use cookies"`, `div overlay`. */
export function plainly(element: Element): string {
  const tag = localName(element);
  const name = cut(accessibleName(element, tag, false), MOST_WORDS);
  const id = cut(fold(getAttribute(element, 'id') ?? getAttribute(element, 'class') ?? ''), MOST_WORDS);
  return name === '' ? `${tag} ${id}`.trim() : `${tag} ${quoted(name)}`;
}

/** What a frame is called; empty where it has no name. */
export const frameName = (element: Element): string =>
  cut(
    accessibleName(element, localName(element), false) || fold(getAttribute(element, 'name') ?? ''),
    MOST_WORDS,
  );
