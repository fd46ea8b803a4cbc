/** Sanitizes inline style: docs/contract.md promises style, but without anything that loads, such as `url()`. */

const LOADS_RESOURCE =
  /url\(|image-set\(|image\(|src\(|expression|-moz-binding|behavior|@import|javascript:/i;

/** Removes from an element's `style` the declarations that load something, and those with an escape, which could hide a load. */
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
    // Removing one part of a shorthand leaves its other parts as `initial`, which the page did not write.
    if (LOADS_RESOURCE.test(value) || value.includes('\\') || value === 'initial')
      style.removeProperty(property);
  }
  const tamed = style.cssText;
  if (tamed === '' || LOADS_RESOURCE.test(tamed) || tamed.includes('\\')) element.removeAttribute('style');
  else element.setAttribute('style', tamed);
}
