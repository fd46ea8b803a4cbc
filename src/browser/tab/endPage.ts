import type { Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { TERMINATION_INTERVAL_MS } from './scriptWatch.ts';

/** Maximum wait until Chromium has closed a page that does not answer, in milliseconds. It takes half a second. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The parts of a tab that `endPage` needs. */
export interface EndingTab {
  readonly page: Page;
  readonly target: { readonly channel: CdpChannel };
  /** Number of pictures of the page's surface that Chromium has not finished. */
  readonly surfaceCaptures: number;
  readonly rendererPids: { readonly known: readonly number[] };
  readonly killRenderers: (pids: readonly number[]) => void;
  terminateScript(): void;
}

/** Ends the processes of a tab's page at once, whatever they do. */
export function endPage(tab: EndingTab): void {
  const { page, target } = tab;
  if (tab.surfaceCaptures === 0) {
    target.channel.sendNoReply('Page.crash');
    // A loop that reports an event in each round keeps Chromium so busy that it carries out the crash many seconds later.
    tab.killRenderers(tab.rendererPids.known);
  } else void closeAndKill(tab);
  const timer = setInterval(() => tab.terminateScript(), TERMINATION_INTERVAL_MS);
  const stop = (): void => clearInterval(timer);
  page.once('crash', stop);
  page.once('close', stop);
}

/** Closes the page before its processes are killed: Chromium itself would end if they ended while it takes a picture of the page's surface. */
async function closeAndKill(tab: EndingTab): Promise<void> {
  await race(
    tab.page.close().catch(() => {}),
    afterMs(CLOSE_TIMEOUT_MS),
  );
  tab.killRenderers(tab.rendererPids.known);
}
