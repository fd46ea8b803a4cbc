/** Parses HTML, also on pages whose policy (Trusted Types) forbids `innerHTML` and DOMParser. */

type SetHtml = (html: string, options: { readonly sanitizer: object }) => void;

/**
 * Parses HTML into an element of an inert document. `setHTML` is not subject to Trusted Types and removes everything
 * that could run; with an empty configuration it keeps the rest. Older browsers have only `innerHTML`; the result is
 * sanitized later anyway.
 */
export function parseHtmlInto(element: Element, html: string): void {
  const setHtml: SetHtml | undefined = Reflect.get(element, 'setHTML');
  if (setHtml === undefined) element.innerHTML = html;
  else setHtml.call(element, html, { sanitizer: {} });
}
