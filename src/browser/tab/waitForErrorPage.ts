import type { Tab } from './tab.ts';

/** Maximum wait for the error page that Chromium shows after a failed navigation. */
const ERROR_PAGE_TIMEOUT_MS = 5_000;

/**
 * Waits for the error page that Chromium shows a moment after a failed navigation, at most `timeoutMs`. An error page that
 * appears later would interrupt the next navigation.
 * @param errorPagesBefore `tab.network.errorPageCount` before the navigation
 */
export async function waitForErrorPage(
  { network }: Tab,
  errorPagesBefore: number,
  timeoutMs = ERROR_PAGE_TIMEOUT_MS,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (
    let left = timeoutMs;
    network.errorPageCount === errorPagesBefore && left > 0;
    left = end - performance.now()
  )
    await network.nextChange(left);
}
