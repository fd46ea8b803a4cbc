/** Removes secrets from URLs, for responses, events, failures and the store. */

/** Matches user and password in a URL that cannot be parsed, or that contains another URL (`view-source:http://…`). */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:){0,2}[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i;

/** Removes user and password from a URL. */
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

/** Maximum length of a URL. Chromium accepts 2 MB, and the service stores and sends each URL many times. Characters. */
const MAX_REDACTED_LENGTH = 16_000;

/** Removes user and password, and cuts the URL after `maxLength` characters. */
export const redactUrl = (url: string, maxLength = MAX_REDACTED_LENGTH): string =>
  stripCredentials(url).slice(0, maxLength);
