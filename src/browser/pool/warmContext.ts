/** A browser context that is ready before a session needs it: with its own proxy and a first page. */
import type { Browser, BrowserContext } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { EgressProxy, SessionProxy } from '../egress/startEgressProxy.ts';
import { sandboxOf } from '../launch/launchChromium.ts';
import { protocolRateLimiterOf } from '../launch/launchWithPipeFilter.ts';
import type { EventShareCounter } from '../limits/eventShare.ts';
import { Tab } from '../tab/tab.ts';
import { onDisconnect } from './onDisconnect.ts';
import { noPause, type Pause } from './pause.ts';
import { signInToProxy } from './signInToProxy.ts';

/** Size of a page in CSS pixels: large enough for desktop layouts, small enough for a cheap screenshot. */
const VIEWPORT = { width: 1280, height: 720 } as const;
/** Maximum wait for a context to close. A context that takes longer closes with its browser. */
const CLOSE_TIMEOUT_MS = 5_000;

/** A browser context with its own egress proxy and a first tab, created before a session needs it. */
export interface WarmContext {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly proxy: SessionProxy;
  readonly tab: Tab;
  /** Called for each request that the egress proxy blocks; null while no session has the context. */
  onBlocked: ((url: string, reason: string) => void) | null;
  /** Called once when its pages exceed the protocol rate limits; null while no session has the context. */
  onProtocolRateExceeded: (() => void) | null;
  /** Called for each event while its pages have used up their share of events; null while no session has the context. */
  onEventShareUsed: ((share: EventShareCounter) => void) | null;
  /**
   * Closes the context and its proxy; idempotent, never throws.
   * @returns false when the browser did not close the context in time
   */
  close(): Promise<boolean>;
}

/**
 * Creates a warm context in about twelve round trips to the browser. A context is never used for a second session.
 * @param pause awaited between parts of the work
 */
export async function createWarmContext(
  browser: Browser,
  egress: EgressProxy,
  pause: Pause = noPause,
): Promise<WarmContext> {
  let warm: WarmContext | null = null;
  const proxy = await egress.openSessionProxy(
    ({ url, reason }) => warm?.onBlocked?.(url, reason),
    sandboxOf(browser)?.listener ?? undefined,
  );
  let context: BrowserContext | null = null;
  try {
    context = await browser.newContext({
      viewport: VIEWPORT,
      proxy: proxy.proxy,
      acceptDownloads: true,
      permissions: [],
      locale: 'en-US',
    });
    await pause();
    const page = await context.newPage();
    await pause();
    if (proxy.credentials !== null) await signInToProxy(page, proxy.credentials);
    const tab = await Tab.open('T1', page);
    const opened = context;
    const { targetInfo } = await tab.target.channel.session.send('Target.getTargetInfo');
    const { browserContextId = '' } = targetInfo;
    const stopWatching = protocolRateLimiterOf(browser)?.watch(
      browserContextId,
      () => warm?.onProtocolRateExceeded?.(),
      share => warm?.onEventShareUsed?.(share),
    );
    let closing: Promise<boolean> | null = null;
    warm = {
      browser,
      context,
      proxy,
      tab,
      onBlocked: null,
      onProtocolRateExceeded: null,
      onEventShareUsed: null,
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
 * Returns true if a context closes within CLOSE_TIMEOUT_MS. If the browser has disconnected, returns true without
 * waiting: nothing is left to close, and Playwright may never respond.
 */
function closedInTime(browser: Browser, closing: Promise<void>): Promise<boolean> {
  const done = () => true;
  return race(
    closing.then(done, done),
    onDisconnect(browser, done),
    afterMs(CLOSE_TIMEOUT_MS, () => false),
  );
}
