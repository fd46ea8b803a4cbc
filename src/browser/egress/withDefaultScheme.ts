/** What a caller wrote as an address, as a URL: people leave out the scheme. */

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Schemes that are written without slashes; they are kept, to be refused by their own name. */
const SCHEME_WITHOUT_SLASHES =
  /^(about|data|javascript|file|view-source|chrome|devtools|blob|filesystem|mailto|vbscript|tel):/i;

/** `example.com/a` → `https://example.com/a`; what has a scheme stays. */
export function withDefaultScheme(text: string): string {
  const trimmed = text.trim();
  return HAS_SCHEME.test(trimmed) || SCHEME_WITHOUT_SLASHES.test(trimmed) ? trimmed : `https://${trimmed}`;
}
