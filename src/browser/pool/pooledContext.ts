/** A browser context with its browser, and how a session takes it over. */
import { methodRefusal, requestRefusal } from '../../domain/account/keyPolicy.ts';
import { withDefaultScheme } from '../../domain/defaultScheme.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { LeaseListener, OpenContextOptions } from '../../domain/ports/browserHost.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import { secretsOf } from '../../domain/session/browserOptions.ts';
import type { SessionLimits } from '../../domain/session/sessionLimits.ts';
import { formatProxyUrl, type UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { normalizeHost, quoteUrl, stripCredentials } from '../../domain/webAddress.ts';
import { setRequestRules } from '../cdp/requestRules.ts';
import { checkAddress, documentRefusal, urlBlocked } from '../egress/checkTarget.ts';
import type { EgressLookup } from '../egress/dialer.ts';
import { EgressRefused } from '../egress/dialer.ts';
import type { EgressRule } from '../egress/egressRules.ts';
import type { ProxyEndpoint } from '../egress/proxyEndpoint.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import { type SandboxSetting, sandboxOf } from '../launch/launchChromium.ts';
import { Lease } from '../lease/lease.ts';
import type { LeaseDeps } from '../lease/tabObserver.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import { SessionPacer } from '../limits/stopProcesses.ts';
import type { OuterSandbox } from '../sandbox/outerSandbox.ts';
import { sandboxedUploads } from '../sandbox/sandboxedLaunch.ts';
import { SCRIPT_TIMEOUT_MS } from '../tab/scriptWatch.ts';
import type { BrowserInstance } from './browserPool.ts';
import { changeable, requestRulesOf } from './contextOptions.ts';
import type { HealthCheckOptions } from './healthCheck.ts';
import type { WarmContext } from './warmContext.ts';

export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  readonly outerSandbox?: OuterSandbox | null;
  readonly capacity: number;
  readonly maxWaiting: number;
  readonly waitTimeoutMs: number;
  readonly sessionsPerBrowser: number;
  /** True when a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** True when accounts beside the first one exist already: then a browser that has served no account is kept ready. */
  readonly hasSeveralAccounts: boolean;
  readonly registryPath: string;
  readonly healthCheck?: HealthCheckOptions;
  readonly limits: SessionLimits;
  /** Time between two checks of the sessions' limits. Default: LIMIT_CHECK_INTERVAL_MS. */
  readonly limitCheckIntervalMs?: number;
  /** Limits of the protocol events that the pages of one session cause. Default: PROTOCOL_RATE_LIMITS. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Number of processors that the sessions share. Default: those of the machine that the service may use. */
  readonly processors?: number;
  /** True if the service goes before each of its browsers, as a node that renews a lease must. Default: by the number of browsers. */
  readonly goesFirst?: boolean;
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly lookup?: EgressLookup;
  readonly files: SessionFileStore;
  readonly navigationTimeoutMs: number;
  /** Processor time after which a script of a page that does not let an operation go on is ended. Default: SCRIPT_TIMEOUT_MS. */
  readonly scriptTimeoutMs?: number;
  readonly now: () => number;
  /** Logs problems that no caller sees: a browser that crashed, a context that could not be created. */
  readonly warn: (message: string, error?: unknown) => void;
}

/** Clauses for error messages, by error code of Node's resolver and sockets (https://nodejs.org/api/errors.html#common-system-errors). */
const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be found',
  EAI_AGAIN: 'its name could not be looked up now',
  ENODATA: 'its name has no address',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server closed the connection',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
};

/**
 * Explains why a navigation failed. Only the egress proxy knows the reason: the browser gets the same network error for
 * every target.
 * @param url the last URL of the navigation, after redirects
 * @returns URL_BLOCKED or NAVIGATION_FAILED; null when the proxy connected to the URL's host and port
 */
function egressFailure(proxy: Pick<ProxyEndpoint, 'failureOf'>, url: string): Failure | null {
  const refusal = documentRefusal(url);
  if (refusal !== null) return urlBlocked(url, refusal);
  const failure = proxy.failureOf(url);
  if (failure === null) return null;
  if (failure.type === 'blocked') return urlBlocked(url, failure.reason);
  const reason = failure.type === 'unreachable' ? describeUnreachable(failure.reason) : failure.reason;
  return new Failure('NAVIGATION_FAILED', `${quoteUrl(url)} could not be opened: ${reason}.`);
}

/** Returns a clause that explains why no server responded. @param reason an error code, or a clause, which is returned unchanged */
function describeUnreachable(reason: string): string {
  if (reason.includes(' ')) return reason;
  const description = reason.startsWith('HPE_')
    ? 'the server sent something that is not HTTP'
    : SOCKET_ERRORS[reason];
  return `${description ?? 'no connection to the server could be made'} (${reason})`;
}

export interface PooledContext {
  readonly browser: BrowserInstance;
  readonly warm: WarmContext;
}

/** Maximum number of events of a session about refused methods, and maximum length of an address in one. Characters. */
const MAX_REFUSED_EVENTS = 256;
const MAX_URL_LENGTH = 2_000;

const PROTOCOL_RATE_EXCEEDED =
  'Its pages caused events (log messages, requests, changes) faster than the service can process them. Open pages that do less at the same time.';

/** Gives a context to a session. Calls `onLost` at once if the browser has closed already, and `release` once, when the session gives it back. */
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
  if (network !== null) warm.proxy.refuse((host, method) => requestRefusal(network, host, method));
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
  const choices = {
    ...chosen,
    hosts: warm.hosts,
    ...(network !== null && { methods: network.methods, onMethodRefused }),
  };
  if (network?.methods != null) setRequestRules(warm.context, requestRulesOf(choices));
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
    dismissesBanners: chosen?.dismissBanners === true,
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
    changeOptions: changeable(warm.context, choices),
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

/** Checks the proxy that a client chose; a host name that cannot be resolved fails later, at the first page. @throws Failure URL_BLOCKED */
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
