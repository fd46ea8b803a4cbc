import type { Page } from 'playwright';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { TERMINATION_INTERVAL_MS } from './scriptWatch.ts';

/** The parts of a tab that `endPage` needs. */
export interface EndingTab {
  readonly page: Page;
  readonly target: { readonly channel: CdpChannel };
  readonly rendererPids: { readonly known: readonly number[] };
  readonly killRenderers: (pids: readonly number[]) => void;
  terminateScript(): void;
}

/** Ends the processes of a tab's page at once, whatever they do. */
export function endPage(tab: EndingTab): void {
  const { page, target } = tab;
  // A page that is closed already reports neither a crash nor its end again.
  if (page.isClosed()) return;
  target.channel.sendNoReply('Page.crash');
  // A loop that reports an event in each round keeps Chromium so busy that it carries out the crash many seconds later.
  tab.killRenderers(tab.rendererPids.known);
  const timer = setInterval(() => tab.terminateScript(), TERMINATION_INTERVAL_MS);
  const stop = (): void => clearInterval(timer);
  page.once('crash', stop);
  page.once('close', stop);
}
