/** Inline style without anything that loads: the contract keeps style, not `url()`. */

const LOADS_RESOURCE =
  /url\(|image-set\(|image\(|src\(|expression|-moz-binding|behavior|@import|javascript:/i;

/** Drops the declarations that load or hide a load behind an escape. */
export function sanitizeInlineStyle(element: Element): void {
  const raw = element.getAttribute('style');
  if (raw === null || !(LOADS_RESOURCE.test(raw) || raw.includes('\\'))) return;
  const style = (element as HTMLElement).style as CSSStyleDeclaration | undefined;
  if (style === undefined) {
    element.removeAttribute('style');
    return;
  }
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property);
    // Taking one part out of a shorthand leaves the others as `initial`: they said nothing.
    if (LOADS_RESOURCE.test(value) || value.includes('\\') || value === 'initial')
      style.removeProperty(property);
  }
  const tamed = style.cssText;
  if (tamed === '' || LOADS_RESOURCE.test(tamed) || tamed.includes('\\')) element.removeAttribute('style');
  else element.setAttribute('style', tamed);
}
