/** A browser context that is ready before a session needs it: with its own proxy and a first page. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import { injectedScript } from '../cdp/isolatedWorld.ts';
import { installRequestRules, setRequestRules } from '../cdp/requestRules.ts';
import { defaultUserAgent } from '../cdp/userAgent.ts';
import { HostBlocks } from '../egress/hostBlocks.ts';
import { type ProxyCredentials, SIGN_IN_HOST } from '../egress/proxyListener.ts';
import type { EgressProxy, SessionProxy } from '../egress/startEgressProxy.ts';
import { sandboxOf } from '../launch/launchChromium.ts';
import { protocolRateLimiterOf } from '../launch/pipeFilter.ts';
import type { EventShareCounter } from '../limits/protocolRateLimiter.ts';
import { documentStartScript } from '../settle/pageTasks.ts';
import { keepDevice } from '../tab/captureScreenshot.ts';
import { Tab } from '../tab/tab.ts';
import {
  applyOptions,
  type ContextChoices,
  contextFailure,
  contextOptions,
  pausesRequests,
  requestRulesOf,
} from './contextOptions.ts';
import { noPause, onDisconnect, type Pause } from './healthCheck.ts';

const SIGN_IN_URL = `http://${SIGN_IN_HOST}/`;

/**
 * Makes one request through the proxy and answers its 407 with the credentials. Chromium caches credentials for each
 * context and proxy, and sends them with every later request and tunnel. Playwright's option `proxy.password` is not used:
 * it intercepts every request of the context for its whole life, which also turns off the HTTP cache.
 * @throws Error when the proxy refuses the credentials
 */
export async function signInToProxy(page: Page, credentials: ProxyCredentials): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  // A failure of a reaction makes the request fail, which the evaluation below reports.
  const ignore = () => {};
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.continueRequest', { requestId }).catch(ignore);
  });
  cdp.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials' as const, ...credentials };
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
  });
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: `${SIGN_IN_URL}*` }] });
  const { exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: `fetch('${SIGN_IN_URL}', { mode: 'no-cors', cache: 'no-store' }).then(() => performance.clearResourceTimings())`,
    awaitPromise: true,
  });
  await cdp.detach();
  if (exceptionDetails !== undefined)
    throw new Error('A browser context could not sign in to its session proxy.');
}

/** Maximum wait for a context to close. A context that takes longer closes with its browser. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface WarmContext {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly proxy: SessionProxy;
  /** The hosts that the pages do not reach, by the choice of the session. */
  readonly hosts: HostBlocks;
  readonly tab: Tab;
  /** Called for each request that the egress proxy blocks; null while no session has the context. */
  onBlocked: ((url: string, reason: string) => void) | null;
  /** Called once when its pages exceed the protocol rate limits; null while no session has the context. */
  onProtocolRateExceeded: (() => void) | null;
  /** Called for each event while its pages have used up their share of events; null while no session has the context. */
  onEventShareUsed: ((share: EventShareCounter) => void) | null;
  deliverLogs(): void;
  /** Idempotent, never throws. @returns false when the browser did not close the context in time */
  close(): Promise<boolean>;
}

/** Creates a context, which is never used for a second session, in about twelve round trips. @throws Failure VALIDATION_ERROR for refused `options` */
export async function createWarmContext(
  browser: Browser,
  egress: EgressProxy,
  pause: Pause = noPause,
  options: ContextChoices = {},
): Promise<WarmContext> {
  let warm: WarmContext | null = null;
  const proxy = await egress.openSessionProxy(
    ({ url, reason }) => warm?.onBlocked?.(url, reason),
    sandboxOf(browser)?.listener ?? undefined,
  );
  const hosts = new HostBlocks();
  proxy.refuse(host => hosts.refusal(host));
  let context: BrowserContext | null = null;
  try {
    await hosts.choose(options.block ?? []);
    // Playwright answers the proxy of a context whose requests it pauses: two cannot.
    const isPaused = pausesRequests(options);
    const chosen = contextOptions(options, defaultUserAgent(browser.version()));
    context = await browser.newContext({
      proxy: { ...proxy.proxy, ...(isPaused && proxy.credentials) },
      acceptDownloads: true,
      permissions: [],
      ...chosen,
    });
    keepDevice(context, chosen);
    await context.addInitScript({ content: documentStartScript() });
    if (options.methods != null) await context.addInitScript({ content: injectedScript('sharedWorkers') });
    await applyOptions(context, options);
    await pause();
    const page = await openFirstPage(context, { ...options, hosts });
    await pause();
    if (proxy.credentials !== null && !isPaused) await signInToProxy(page, proxy.credentials);
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
      hosts,
      tab,
      onBlocked: null,
      onProtocolRateExceeded: null,
      onEventShareUsed: null,
      deliverLogs: () => protocolRateLimiterOf(browser)?.deliverLogs(browserContextId),
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
    throw contextFailure(error);
  }
}

async function openFirstPage(context: BrowserContext, options: ContextChoices): Promise<Page> {
  setRequestRules(context, requestRulesOf(options));
  const page = await context.newPage();
  if (installRequestRules(page)) return page;
  // The first page of the process was opened before they held.
  await page.close();
  return context.newPage();
}

/** True also if the browser has disconnected: nothing is left to close, and Playwright may never respond. */
function closedInTime(browser: Browser, closing: Promise<void>): Promise<boolean> {
  const done = () => true;
  return race(
    closing.then(done, done),
    onDisconnect(browser, done),
    afterMs(CLOSE_TIMEOUT_MS, () => false),
  );
}
