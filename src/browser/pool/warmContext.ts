/** A browser context made ready before anybody asks: its way out open, its first page listening. */
import type { Browser, BrowserContext } from 'playwright';
import type { EgressProxy, SessionDoor } from '../egress/startEgressProxy.ts';
import { speechOf } from '../launch/filteringPipe.ts';
import { Tab } from '../tab.ts';

/** What pages believe their window to be; large enough for desktop layouts, small enough for a cheap screenshot. */
const VIEWPORT = { width: 1280, height: 720 } as const;
/** A context that does not close within this time is left to its browser's end. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface WarmContext {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly door: SessionDoor;
  readonly tab: Tab;
  /** Who is told of refused requests; set when a session takes the context. */
  onBlocked: ((url: string, reason: string) => void) | null;
  /** Who is told, once, when its pages say more than anybody can listen to. */
  onTooMuchSaid: (() => void) | null;
  /** Closes context and door; idempotent, never throws. @returns whether the browser closed the context in time */
  close(): Promise<boolean>;
}

/** Six round trips that no session waits for. Never used for a second session. */
export async function warmContext(browser: Browser, egress: EgressProxy): Promise<WarmContext> {
  let warm: WarmContext | null = null;
  const door = await egress.openDoor(({ url, reason }) => warm?.onBlocked?.(url, reason));
  let context: BrowserContext | null = null;
  try {
    context = await browser.newContext({
      viewport: VIEWPORT,
      proxy: door.proxy,
      acceptDownloads: true,
      permissions: [],
      locale: 'en-US',
    });
    const tab = await Tab.open('T1', await context.newPage());
    const opened = context;
    const { targetInfo } = await tab.target.channel.session.send('Target.getTargetInfo');
    const { browserContextId = '' } = targetInfo;
    const unwatch = speechOf(browser)?.watch(browserContextId, () => warm?.onTooMuchSaid?.());
    let closing: Promise<boolean> | null = null;
    warm = {
      browser,
      context,
      door,
      tab,
      onBlocked: null,
      onTooMuchSaid: null,
      close() {
        closing ??= (async () => {
          unwatch?.();
          const [closed] = await Promise.all([inTime(browser, opened.close()), door.close()]);
          return closed;
        })();
        return closing;
      },
    };
    return warm;
  } catch (error) {
    await context?.close().catch(() => {});
    await door.close();
    throw error;
  }
}

/**
 * Whether it was done within the time. Where the browser has gone there is nothing left to close, and Playwright may leave
 * the call without an answer.
 */
async function inTime(browser: Browser, closing: Promise<void>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const done = () => resolve(true);
  const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS, false);
  closing.then(done, done);
  browser.on('disconnected', done);
  if (!browser.isConnected()) done();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    browser.off('disconnected', done);
  }
}
