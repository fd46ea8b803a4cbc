/** Removes secrets from URLs, for responses, events, failures and the store. */
import { cutText, quote, truncate } from './space/pageText.ts';

/** Matches a URL up to the `@` after user and password, for URLs that cannot be parsed or contain another URL (`view-source:http://…`). */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:){0,2}[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i;

/** Returns a URL without its user name and password. */
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
