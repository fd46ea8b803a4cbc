/** The look at an address before the browser is asked to open it, and at what a page has opened by itself. */
import { Failure } from '../../domain/failures.ts';
import { stripCredentials } from '../../domain/redactUrl.ts';
import { checkTarget, literalAddresses } from './checkTarget.ts';
import { type EgressRule, normalizeHost } from './egressRules.ts';
import { isWebPort } from './isWebPort.ts';

const NO_PORTS: ReadonlySet<number> = new Set();

/** The answer to a caller whose address is refused; `reason` ends a sentence that begins "because". */
export const urlBlocked = (url: string, reason: string): Failure =>
  new Failure('URL_BLOCKED', `${truncateUrl(stripCredentials(url))} may not be opened, because ${reason}.`);

/** A data: address can be megabytes long. */
const truncateUrl = (url: string): string => (url.length > 200 ? `${url.slice(0, 200)}…` : url);

/**
 * Checks an address that a caller wants to open: scheme, literal address in any spelling, port. Names are judged when
 * they are dialled, on the address that is dialled; only localhost is known beforehand.
 * @param rules what `PAGESPACE_EGRESS_ALLOW` opens
 * @returns the address as the browser reads it: open its `href`, not the caller's text
 * @throws Failure URL_BLOCKED with the reason; VALIDATION_ERROR when it is no absolute URL
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
  // A rule may open the port of whatever a name turns out to be, so only ports that no rule names are refused here.
  if (addresses === null && !isWebPort(port) && !rules.some(rule => rule.port === port))
    throw urlBlocked(url, 'its port is not open to pages');
  return parsed;
}

/** The port that an http or https URL speaks to. */
export const effectivePort = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80;

const schemeRefusal = (url: URL): string | null =>
  url.protocol === 'http:' || url.protocol === 'https:' ? null : `${url.protocol} is not a scheme of the web`;

/**
 * Looks at the address of a document that a top-level page has gone to by itself. Chromium refuses pages `file:`,
 * `chrome:`, `devtools:`, `view-source:` and `data:` at the top; this is the second lock.
 * @param url as the browser gives it after the commit
 * @returns null if the document may stay; else why the page must be left, for a `blocked` event
 */
export function documentRefusal(url: string): string | null {
  const parsed = URL.parse(url);
  // A tab that has committed nothing yet has '' or ':'.
  if (parsed === null) return url === '' || url === ':' ? null : 'its address cannot be read';
  // Chromium opens every about: address of a page as an empty document, and puts about:blank#blocked for what it refuses.
  if (parsed.protocol === 'about:' || parsed.href === 'chrome-error://chromewebdata/') return null;
  if (parsed.protocol !== 'blob:') return schemeRefusal(parsed);
  // A page's own blob carries the page's origin and can reach no more than the page.
  const origin = URL.parse(parsed.pathname);
  return origin === null ? 'its address cannot be read' : schemeRefusal(origin);
}
