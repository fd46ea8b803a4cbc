/** Markup to nodes, also where the page's policy (Trusted Types) refuses `innerHTML` and DOMParser to everyone. */

type SetHtml = (html: string, options: { readonly sanitizer: object }) => void;

/**
 * Puts markup into an element of an inert document. `setHTML` is no Trusted Types sink, and drops what could run; an empty
 * configuration keeps all else. Older browsers have only `innerHTML`; what is parsed here is sanitised in any case.
 */
export function parseHtmlInto(element: Element, html: string): void {
  const setHtml: SetHtml | undefined = Reflect.get(element, 'setHTML');
  if (setHtml === undefined) element.innerHTML = html;
  else setHtml.call(element, html, { sanitizer: {} });
}
