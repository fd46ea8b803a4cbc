/** Detects a page that takes no presses while a menu or a list of choices is open: its body lets all of them through. */
import { bodyOf, composedParent, localName } from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import type { Candidate } from '../candidate.ts';

/** Returns true if the body takes no presses. */
export function isPageBlocked(): boolean {
  const body = bodyOf(document);
  return body !== null && styleOf(body).pointerEvents === 'none';
}

/** Returns true if neither the element nor one around it, up to the body, takes presses. */
export function isBlockedWithPage({ element, style }: Candidate): boolean {
  if (style.pointerEvents !== 'none') return false;
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (styleOf(at).pointerEvents !== 'none') return localName(at) === 'html';
  return true;
}
