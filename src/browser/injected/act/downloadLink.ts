/** Knows a click with which the browser downloads a file: until the server responds, nothing else tells of it. */
import { baseURI, closest, getAttribute } from '../dom/domGetters.ts';
import type { StepInput } from '../settle/stepInput.ts';

const DOWNLOAD_LINKS = 'a[download][href],area[download][href]';
/** URLs whose file the page has made itself. */
const LOCAL_URL = /^(?:blob|data):/;

/**
 * Returns true if the step has clicked a link with the attribute `download`, and the page has not prevented it. Of another origin the
 * browser opens such a link like any other (HTML standard, 4.6.4).
 */
export function startsDownload(input: StepInput | null): boolean {
  if (input === null || input.event.type !== 'click' || input.event.defaultPrevented) return false;
  const link = closest(input.element, DOWNLOAD_LINKS);
  const href = link === null ? null : getAttribute(link, 'href');
  const url = href === null ? null : URL.parse(href, baseURI(document));
  return url !== null && (LOCAL_URL.test(url.href) || url.origin === location.origin);
}
