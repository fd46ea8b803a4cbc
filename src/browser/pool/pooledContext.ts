/** A browser context with its browser, and how a session takes it over. */
import { methodRefusal } from '../../domain/account/keyPolicy.ts';
import { withDefaultScheme } from '../../domain/defaultScheme.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { LeaseListener, OpenContextOptions } from '../../domain/ports/browserHost.ts';
import { secretsOf } from '../../domain/session/browserOptions.ts';
import { formatProxyUrl, type UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { normalizeHost, quoteUrl, stripCredentials } from '../../domain/webAddress.ts';
import { setRequestRules } from '../cdp/requestRules.ts';
import { checkAddress } from '../egress/checkAddress.ts';
import { EgressRefused } from '../egress/dialer.ts';
import { egressFailure } from '../egress/egressFailure.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import { sandboxOf } from '../launch/launchChromium.ts';
import { Lease } from '../lease/lease.ts';
import type { LeaseDeps } from '../lease/leaseDeps.ts';
import { SessionPacer } from '../limits/sessionPacer.ts';
import { sandboxedUploads } from '../sandbox/sandboxedLaunch.ts';
import { SCRIPT_TIMEOUT_MS } from '../tab/scriptWatch.ts';
import type { BrowserInstance } from './browserPool.ts';
import type { ChromiumHostOptions } from './chromiumHostOptions.ts';
import { changeable, requestRulesOf } from './contextOptions.ts';
import type { WarmContext } from './warmContext.ts';

/** A browser context that is ready for a session, and its browser. */
export interface PooledContext {
  readonly browser: BrowserInstance;
  readonly warm: WarmContext;
}

/** Maximum number of events of a session about refused methods, and maximum length of an address in one. Characters. */
const MAX_REFUSED_EVENTS = 256;
const MAX_URL_LENGTH = 2_000;

const PROTOCOL_RATE_EXCEEDED =
  'Its pages caused events (log messages, requests, changes) faster than the service can process them. Open pages that do less at the same time.';

/**
 * Gives a context to a session and returns the session's lease. If the browser has closed already, calls the listener's
 * `onLost` immediately.
 * @param release called once, when the session gives the context back
 */
export function createLease(
  { browser, warm }: PooledContext,
  {
    sessionId,
    accountId,
    proxy,
    pageLog = false,
    options: chosen = null,
    network = null,
  }: OpenContextOptions,
  listener: LeaseListener,
  options: Pick<
    ChromiumHostOptions,
    'egressAllow' | 'now' | 'navigationTimeoutMs' | 'scriptTimeoutMs' | 'files' | 'warn'
  > &
    Pick<LeaseDeps, 'whileOperating'>,
  release: (lease: Lease) => Promise<void>,
): Lease {
  if (proxy !== null) warm.proxy.useUpstream(proxy);
  if (network !== null) warm.proxy.usePolicy(network);
  const { egressAllow, now, navigationTimeoutMs, files, whileOperating, warn } = options;
  const { scriptTimeoutMs = SCRIPT_TIMEOUT_MS } = options;
  const sandbox = sandboxOf(warm.browser);
  const refused = new Set<string>();
  const onMethodRefused = (url: string, method: string): void => {
    const request = `${method} ${URL.parse(url)?.origin}`;
    if (refused.has(request) || refused.size >= MAX_REFUSED_EVENTS) return;
    refused.add(request);
    warm.onBlocked?.(cutText(stripCredentials(url), MAX_URL_LENGTH), methodRefusal(method));
  };
  const methods = network === null ? {} : { methods: network.methods, onMethodRefused };
  if (network?.methods != null) setRequestRules(warm.context, requestRulesOf({ ...chosen, ...methods }));
  warm.onBlocked = (url, reason) => listener.onEvent({ type: 'blocked', at: now(), url, reason });
  if (pageLog) warm.deliverLogs();
  const lease: Lease = new Lease({
    sessionId,
    pageLog,
    accountId,
    files: sandbox === null ? files : sandboxedUploads(files, sandbox),
    context: warm.context,
    tab: warm.tab,
    listener,
    now,
    navigationTimeoutMs,
    scriptTimeoutMs,
    checkUrl: url => {
      const address = checkAddress(withDefaultScheme(url), egressAllow);
      const refusal = network?.hostRefusal(normalizeHost(address)) ?? null;
      if (refusal !== null)
        throw new Failure('POLICY_REFUSED', `${quoteUrl(address.href)} was not opened: ${refusal}.`);
      return address.href;
    },
    refusesDownloads: network?.refusesDownloads === true,
    hasOwnProxy: proxy !== null,
    connectionFailure: url => egressFailure(warm.proxy, url),
    egressUsage: () => warm.proxy.usage(),
    markConnections: () => warm.proxy.markConnections(),
    browserAnswers: () => browser.answers(),
    killReason: () => browser.killReason,
    killRenderers: pids => browser.killRenderers(pids),
    restartGpu: () => browser.restartGpu(),
    whileOperating,
    warn,
    changeOptions: changeable(warm.context, { ...chosen, ...methods }),
    release: async () => {
      warm.onBlocked = null;
      warm.onProtocolRateExceeded = null;
      warm.onEventShareUsed = null;
      pacer.end();
      await release(lease);
    },
  });
  for (const secret of secretsOf(chosen ?? {})) lease.secrets.add(secret);
  const { resourceUsage } = lease;
  const pacer = new SessionPacer({
    browserPid: () => browser.pid,
    rendererPids: () => resourceUsage.knownRendererPids(),
    otherRendererPids: () =>
      [...browser.leases].filter(one => one !== lease).flatMap(one => one.resourceUsage.knownRendererPids()),
    refreshRendererPids: () => resourceUsage.refreshRendererPids(),
  });
  warm.onEventShareUsed = share => pacer.pause(share);
  warm.onProtocolRateExceeded = () => lease.limitExceeded(PROTOCOL_RATE_EXCEEDED);
  browser.addLease(lease);
  if (browser.isClosed) queueMicrotask(() => lease.browserLost(browser.lossReason));
  return lease;
}

/**
 * Checks that a session may use the proxy that its client chose. If the proxy's host name cannot be resolved now, the
 * failure comes later, when a page is opened.
 * @throws Failure URL_BLOCKED
 */
export async function checkProxyAllowed(egress: EgressProxy, proxy: UpstreamProxy): Promise<void> {
  try {
    await egress.checkUpstream(proxy);
  } catch (error) {
    if (!(error instanceof EgressRefused)) return;
    throw new Failure(
      'URL_BLOCKED',
      `The proxy ${formatProxyUrl(proxy)} may not be used, because ${error.message}.`,
    );
  }
}
