import { cutText, quote, truncate } from './space/pageText.ts';

/** Matches a URL up to the `@` after user and password, for URLs that cannot be parsed or contain another URL (`view-source:http://…`). */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:){0,2}[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i;

export function stripCredentials(url: string): string {
  if (!url.includes('@')) return url;
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.username === '' && parsed.password === '')) {
    // In a URL that is only a path, `@` is not a separator: mailto:someone@example.com, data:….
    return parsed === null || /^(view-source|blob|filesystem):/i.test(url)
      ? url.replace(USER_INFO, '$1')
      : url;
  }
  parsed.username = parsed.password = '';
  return parsed.href;
}

/** Maximum length of a URL that the service stores and sends, in UTF-16 units. Chromium accepts URLs of 2 MB. */
const MAX_REDACTED_LENGTH = 16_000;

/** Returns a URL without user name and password, cut after `maxLength` UTF-16 units. */
export const redactUrl = (url: string, maxLength = MAX_REDACTED_LENGTH): string =>
  cutText(stripCredentials(url), maxLength);

/** Addresses of pages that a tab can show. */
const SHOWN = /^(?:https?|data|blob|filesystem):|^about:(?:blank|srcdoc)\b/i;

/** Returns the URL of a tab without its secrets. For an address at which a tab shows an empty page, such as `ws://…` and `about:version`, returns `about:blank`. */
export const shownUrl = (url: string): string => (SHOWN.test(url) ? redactUrl(url) : 'about:blank');

/** Maximum length of a URL in a text of the service, in UTF-16 units: a data: URL can be megabytes long. */
const MAX_QUOTED_LENGTH = 200;

/** Puts a URL in quotes, for a text of the service: without user name and password, on one line, cut with an ellipsis. */
export const quoteUrl = (url: string): string => quote(truncate(stripCredentials(url), MAX_QUOTED_LENGTH));

/** `http:` or `https:` that is not followed by `//`; browsers would open `http:/x` as `http://x/`. */
const WEB_SCHEME_WITHOUT_SLASHES = /^(https?:)(?!\/\/)/i;
/** Any other scheme with one slash or none. A name followed by a port (`localhost:3000`) or a user name (`user:word@host`) is no scheme. */
const OTHER_SCHEME_WITHOUT_SLASHES = /^([a-z][a-z0-9+-]*:)(?!\/\/)(?!\d)(?![^/?#]*@)/i;
/** Schemes that are written without slashes. Their addresses are complete, and refused for their scheme when they are opened. */
export const WRITTEN_WITHOUT_SLASHES =
  /^(about|data|javascript|file|view-source|chrome|devtools|blob|filesystem|mailto|vbscript|tel):/i;

/** The last character that the URL standard removes at the ends of an address: control characters and the space. */
const SPACE = 0x20;

/**
 * Returns an address as the URL standard reads it: without tabs and line breaks, wherever they are, and without control characters and white
 * space at its ends. A scheme with a line break in it is a scheme (`h\nttp://…`), not the name of a host.
 */
export function addressText(text: string): string {
  const kept = text.replace(/[\t\n\r]/g, '');
  let [start, end] = [0, kept.length];
  while (start < end && kept.charCodeAt(start) <= SPACE) start++;
  while (end > start && kept.charCodeAt(end - 1) <= SPACE) end--;
  return kept.slice(start, end).trim();
}

/** Returns what an address lacks: `lacks the host after "https://"`; null if it is complete, or has no scheme and begins with a host. */
export function missingInAddress(text: string): string | null {
  const address = addressText(text);
  if (WRITTEN_WITHOUT_SLASHES.test(address)) return null;
  if (/^[/\\]{2}/.test(address)) return 'lacks the scheme: write https: before it';
  if (/^(?:[/\\?#]|\.{1,2}(?:[/\\]|$))/.test(address))
    return 'is relative and lacks the host: write a whole address such as https://example.com/';
  const scheme = (WEB_SCHEME_WITHOUT_SLASHES.exec(address) ??
    OTHER_SCHEME_WITHOUT_SLASHES.exec(address))?.[1];
  if (scheme !== undefined) return `lacks "//" after "${scheme}"`;
  const start = /^[a-z][a-z0-9+.-]*:\/\/(?=[/\\?#:]|$)/i.exec(address)?.[0];
  return start === undefined || /^file:/i.test(start) ? null : `lacks the host after "${start}"`;
}

/** Returns true if the address is complete without a change, or is so with `https://` before it. */
export function isWebAddress(text: string): boolean {
  const address = addressText(text);
  return missingInAddress(address) === null && (URL.canParse(address) || URL.canParse(`https://${address}`));
}

/** Returns the host of a URL in the form that a socket accepts: lower case, without brackets or a dot at the end. */
export function normalizeHost(url: { readonly hostname: string }): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
