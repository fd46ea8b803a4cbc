import type { UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import {
  createDialer,
  dialAddresses,
  dnsLookup,
  type EgressDial,
  type EgressLookup,
  EgressRefused,
} from './dialer.ts';
import type { EgressRule } from './egressRules.ts';
import { type BlockedRequest, openProxyEndpoint, type ProxyEndpoint } from './proxyEndpoint.ts';
import { createProxyCredentials, loopbackListener, type ProxyListener } from './proxyListener.ts';

export interface EgressProxyOptions {
  readonly allow: readonly EgressRule[];
  /** Called when a request of the browser itself, outside of any session, is refused; for the log. */
  readonly onBlocked?: (request: BlockedRequest) => void;
  /** Resolves host names other than localhost. Default: the system's resolver. */
  readonly lookup?: EgressLookup;
  readonly dial?: EgressDial;
  /** Milliseconds for which the proxy of a session caches a resolved host name. Default: 30,000. */
  readonly dnsCacheMs?: number;
  /** True if session proxies ask for credentials, which `signInToProxy` gives to a browser context. Default: true. */
  readonly asksForCredentials?: boolean;
}

export interface SessionProxy extends ProxyEndpoint {
  useUpstream(upstream: UpstreamProxy): void;
}

/** The egress proxy of the service: opens one proxy per session. Dispose it to close them all. */
export interface EgressProxy extends AsyncDisposable {
  /** For `chromium.launch`: refuses the requests of the browser itself, and of contexts without a session proxy. */
  readonly proxy: ProxyEndpoint['proxy'];
  readonly server: string;
  /** Opens the proxy of one context; close it with the context. `onBlocked` is called once for each refused host and port, at most 256 times. */
  openSessionProxy(
    onBlocked: (request: BlockedRequest) => void,
    listener?: ProxyListener,
  ): Promise<SessionProxy>;
  /** Checks the host and port of a caller's proxy. @throws EgressRefused if they are not allowed; the error of the resolver */
  checkUpstream(upstream: UpstreamProxy): Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}

const DNS_CACHE_MS = 30_000;

/** Starts the egress proxy on loopback. To stop, close the browsers first, then the proxy. */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const ownPorts = new Set<number>();
  const endpoints = new Set<ProxyEndpoint>();
  const dialerDeps = {
    policy: { allow: options.allow, ownPorts },
    lookup: options.lookup ?? dnsLookup,
    dial: options.dial ?? dialAddresses,
    dnsCacheMs: options.dnsCacheMs ?? DNS_CACHE_MS,
  };

  async function openEndpoint(...args: Parameters<typeof openProxyEndpoint>): Promise<ProxyEndpoint> {
    const endpoint = await openProxyEndpoint(...args);
    if (endpoint.port !== null) ownPorts.add(endpoint.port);
    const close = async () => {
      endpoints.delete(listed);
      await endpoint.close();
      if (endpoint.port !== null) ownPorts.delete(endpoint.port);
    };
    const listed = { ...endpoint, close, [Symbol.asyncDispose]: close };
    endpoints.add(listed);
    return listed;
  }

  const refusingEndpoint = await openEndpoint(
    async () => {
      throw new EgressRefused('it belongs to no session', null);
    },
    options.onBlocked ?? (() => {}),
    // It refuses every request, with credentials or without.
    null,
    loopbackListener,
  );
  const close = async () => {
    await Promise.all([...endpoints].map(endpoint => endpoint.close()));
  };
  return {
    proxy: refusingEndpoint.proxy,
    server: refusingEndpoint.proxy.server,
    openSessionProxy: async (onBlocked, listener = loopbackListener) => {
      const dialer = createDialer(dialerDeps);
      const credentials = options.asksForCredentials === false ? null : createProxyCredentials();
      const endpoint = await openEndpoint(dialer.dial, onBlocked, credentials, listener);
      return Object.assign(endpoint, { useUpstream: dialer.useUpstream });
    },
    checkUpstream: upstream => createDialer(dialerDeps).checkUpstream(upstream),
    close,
    [Symbol.asyncDispose]: close,
  };
}
