/** An address as it may be told: in answers, events, errors and the store. */

/** What stands before the `@` of an authority, in addresses that do not parse too, and in addresses of addresses. */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:){0,2}[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i;

/** A user and password in an address are the caller's secret, and no part of where the page is. */
export function stripCredentials(url: string): string {
  if (!url.includes('@')) return url;
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.username === '' && parsed.password === '')) {
    // An address that has only a path keeps its `@`: mailto:someone@example.com, data:….
    return parsed === null || /^(view-source|blob|filesystem):/i.test(url)
      ? url.replace(USER_INFO, '$1')
      : url;
  }
  parsed.username = parsed.password = '';
  return parsed.href;
}

/** Chromium knows addresses of two megabytes; one that is told stands in many places. Characters. */
const MAX_REDACTED_LENGTH = 16_000;

/** An address as it is told, in part where it is longer than anybody reads. */
export const redactUrl = (url: string, maxLength = MAX_REDACTED_LENGTH): string =>
  stripCredentials(url).slice(0, maxLength);
