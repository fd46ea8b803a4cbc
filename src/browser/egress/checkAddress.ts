/** Checks a URL before the browser opens it, and the URL of a document that a page has opened itself. */

import { Failure } from '../../domain/failure/failures.ts';
import { normalizeHost, quoteUrl } from '../../domain/webAddress.ts';
import { checkTarget, isWebPort, literalAddresses } from './checkTarget.ts';
import type { EgressRule } from './egressRules.ts';

const NO_PORTS: ReadonlySet<number> = new Set();

/** Creates Failure URL_BLOCKED for a URL that may not be opened. @param reason completes a sentence after "because" */
export const urlBlocked = (url: string, reason: string): Failure =>
  new Failure('URL_BLOCKED', `${quoteUrl(url)} may not be opened, because ${reason}.`);

/**
 * Checks a URL that a client wants to open. Takes a complete URL, and resolves no host name: checks the scheme, the port,
 * and the host if it is localhost or an IP address in any notation. Other host names are checked when the proxy connects:
 * `checkTarget` takes a host, a port and the IP addresses that the host resolved to.
 * @param url an absolute URL; also `about:blank`
 * @param rules the rules of `PAGESPACE_EGRESS_ALLOW`
 * @returns the URL as the browser parses it: open its `href`, not the client's text
 * @throws Failure URL_BLOCKED with the reason if the URL may not be opened; VALIDATION_ERROR if it is not an absolute URL
 */
export function checkAddress(url: string, rules: readonly EgressRule[]): URL {
  const parsed = URL.parse(url);
  if (parsed === null) {
    const message = 'must be an absolute web address, such as https://example.com/';
    throw new Failure('VALIDATION_ERROR', `The url ${message}.`, { errors: [{ path: 'url', message }] });
  }
  if (parsed.href === 'about:blank') return parsed;
  const scheme = schemeRefusal(parsed);
  if (scheme !== null) throw urlBlocked(url, scheme);
  const host = normalizeHost(parsed);
  const port = effectivePort(parsed);
  const addresses = literalAddresses(host);
  const verdict =
    addresses === null ? null : checkTarget({ allow: rules, ownPorts: NO_PORTS }, host, port, addresses);
  if (verdict?.allowed === false) throw urlBlocked(url, verdict.reason);
  // A rule can allow this port for the address that the name resolves to, so refuse only ports that no rule contains.
  if (addresses === null && !isWebPort(port) && !rules.some(rule => rule.port === port))
    throw urlBlocked(url, 'its port is not open to pages');
  return parsed;
}

/** Returns the port of an http or https URL; 80 or 443 if the URL contains no port. */
export const effectivePort = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80;

const schemeRefusal = (url: URL): string | null =>
  url.protocol === 'http:' || url.protocol === 'https:' ? null : `${url.protocol} is not a web scheme`;

/**
 * Checks the scheme of a URL that a page opens, or tries to open, in a tab. Chromium itself refuses `file:`, `chrome:`,
 * `devtools:`, `view-source:` and `data:` there; this is a second check.
 * @param url as the browser reports it
 * @returns null if pages may open the URL; else the reason, as a clause for an event or a failure
 */
export function documentRefusal(url: string): string | null {
  const parsed = URL.parse(url);
  // A tab without a committed document has '' or ':'.
  if (parsed === null) return url === '' || url === ':' ? null : 'its address cannot be read';
  // Chromium opens every about: URL of a page as an empty document, and about:blank#blocked instead of a refused URL.
  if (parsed.protocol === 'about:' || parsed.href === 'chrome-error://chromewebdata/') return null;
  if (parsed.protocol !== 'blob:') return schemeRefusal(parsed);
  // A blob has the origin of the page that created it and the same access.
  const origin = URL.parse(parsed.pathname);
  return origin === null ? 'its address cannot be read' : schemeRefusal(origin);
}
