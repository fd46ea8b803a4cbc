/** A browser context made ready before anybody asks: its way out open, its first page listening. */
import type { Browser, BrowserContext } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { EgressProxy, SessionProxy } from '../egress/startEgressProxy.ts';
import { protocolRateLimiterOf } from '../launch/launchWithPipeFilter.ts';
import { Tab } from '../tab/tab.ts';
import { onDisconnect } from './onDisconnect.ts';

/** What pages believe their window to be; large enough for desktop layouts, small enough for a cheap screenshot. */
const VIEWPORT = { width: 1280, height: 720 } as const;
/** A context that does not close within this time is left to its browser's end. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface WarmContext {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly proxy: SessionProxy;
  readonly tab: Tab;
  /** Who is told of refused requests; set when a session takes the context. */
  onBlocked: ((url: string, reason: string) => void) | null;
  /** Who is told, once, when its pages say more than anybody can listen to. */
  onProtocolRateExceeded: (() => void) | null;
  /** Closes context and door; idempotent, never throws. @returns whether the browser closed the context in time */
  close(): Promise<boolean>;
}

/** Six round trips that no session waits for. Never used for a second session. */
export async function createWarmContext(browser: Browser, egress: EgressProxy): Promise<WarmContext> {
  let warm: WarmContext | null = null;
  const proxy = await egress.openSessionProxy(({ url, reason }) => warm?.onBlocked?.(url, reason));
  let context: BrowserContext | null = null;
  try {
    context = await browser.newContext({
      viewport: VIEWPORT,
      proxy: proxy.proxy,
      acceptDownloads: true,
      permissions: [],
      locale: 'en-US',
    });
    const tab = await Tab.open('T1', await context.newPage());
    const opened = context;
    const { targetInfo } = await tab.target.channel.session.send('Target.getTargetInfo');
    const { browserContextId = '' } = targetInfo;
    const stopWatching = protocolRateLimiterOf(browser)?.watch(browserContextId, () =>
      warm?.onProtocolRateExceeded?.(),
    );
    let closing: Promise<boolean> | null = null;
    warm = {
      browser,
      context,
      proxy,
      tab,
      onBlocked: null,
      onProtocolRateExceeded: null,
      close() {
        closing ??= (async () => {
          stopWatching?.();
          const [closed] = await Promise.all([closedInTime(browser, opened.close()), proxy.close()]);
          return closed;
        })();
        return closing;
      },
    };
    return warm;
  } catch (error) {
    await context?.close().catch(() => {});
    await proxy.close();
    throw error;
  }
}

/**
 * Whether it was done within the time. Where the browser has gone there is nothing left to close, and Playwright may leave
 * the call without an answer.
 */
function closedInTime(browser: Browser, closing: Promise<void>): Promise<boolean> {
  const done = () => true;
  return race(
    closing.then(done, done),
    onDisconnect(browser, done),
    afterMs(CLOSE_TIMEOUT_MS, () => false),
  );
}
