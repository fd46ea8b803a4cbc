/** Settles a tab that a step has opened; closes it if it only started a download. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { DEFAULT_WAIT_MS } from '../../domain/specialActions/waitCondition.ts';
import { settleTab } from '../settle/settle.ts';
import type { Tab } from '../tab/tab.ts';
import type { StepContext } from './stepContext.ts';

/** Maximum time between two checks whether the tab has a document or has started a download. Milliseconds. */
const CHECK_INTERVAL_MS = 100;

/** Waits until the opened tab has settled, or has started a download in place of a document. */
export async function settleOpenedTab(context: StepContext, opened: Tab): Promise<void> {
  const { deadline, command } = context;
  const waitMs = command.waitMs ?? null;
  await waitForDocument(context, opened, waitMs ?? DEFAULT_WAIT_MS, deadline);
  if (context.hasDownloaded()) return;
  await settleTab(opened, { requestNumber: 0 }, context.stateOf(opened).installed, deadline, waitMs);
}

/** Closes the opened tab if it shows nothing because its address was a file, and makes `opener` the active tab again. */
export async function closeIfOnlyDownload(context: StepContext, opened: Tab, opener: Tab): Promise<void> {
  if (!context.hasDownloaded() || hasDocument(opened) || opener.page.isClosed()) return;
  await opened.page.close().catch(() => {});
  await context.tabs.activate(opener);
}

/** A window that has not received its document yet has an empty URL. */
const hasDocument = ({ page }: Tab): boolean => page.url() !== '' && page.url() !== 'about:blank';

async function waitForDocument(
  context: StepContext,
  opened: Tab,
  maxMs: number,
  deadline: Deadline,
): Promise<void> {
  const end = performance.now() + Math.min(maxMs, deadline.remainingMs() / 2);
  const isAwaited = () => opened.page.url() === '' && !opened.isUnresponsive && !context.hasDownloaded();
  for (let left = end - performance.now(); isAwaited() && left > 0; left = end - performance.now())
    await opened.network.nextChange(Math.min(left, CHECK_INTERVAL_MS));
}
