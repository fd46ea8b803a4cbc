const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Schemes that are written without slashes. They stay in the URL, so that the refusal names them. */
const SCHEME_WITHOUT_SLASHES =
  /^(about|data|javascript|file|view-source|chrome|devtools|blob|filesystem|mailto|vbscript|tel):/i;

/** Adds the missing scheme to a client's URL: `example.com/a` → `https://example.com/a`. */
export function withDefaultScheme(text: string): string {
  const trimmed = text.trim();
  return HAS_SCHEME.test(trimmed) || SCHEME_WITHOUT_SLASHES.test(trimmed) ? trimmed : `https://${trimmed}`;
}
