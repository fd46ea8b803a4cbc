/** The filtering proxy: the only way out that the browsers are given. */
import type { UpstreamProxy } from '../../domain/upstreamProxy.ts';
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

export interface EgressProxyOptions {
  /** What `PAGESPACE_EGRESS_ALLOW` opens, as `parseEgressAllow` read it. */
  readonly allow: readonly EgressRule[];
  /** Told of what the browser itself, outside of any session, tried to reach; for the log. */
  readonly onBlocked?: (request: BlockedRequest) => void;
  /** Gives a name's addresses; the system's resolver unless given. Not asked for literals and localhost. */
  readonly lookup?: EgressLookup;
  /** Opens the socket to judged addresses; Node's own unless given. */
  readonly dial?: EgressDial;
  /** How long a context keeps a resolver's answer, in milliseconds; 30,000 unless given. */
  readonly dnsCacheMs?: number;
}

/** The way out of one context. */
export interface SessionProxy extends ProxyEndpoint {
  /** From here on its connections go through a proxy of the session's own. What may be reached stays the same. */
  useUpstream(upstream: UpstreamProxy): void;
}

export interface EgressProxy extends AsyncDisposable {
  /**
   * For `chromium.launch({ proxy: egress.proxy })`. This door refuses everything: what belongs to no session
   * (the browser's own calls home, a context made past Playwright) gets nowhere.
   */
  readonly proxy: ProxyEndpoint['proxy'];
  /** The URL of `proxy`. */
  readonly server: string;
  /**
   * Opens the way out of one context: `browser.newContext({ proxy: door.proxy })`. Close it with the context.
   * @param onBlocked told of each host and port that was refused to its pages, once each, 256 at most
   */
  openSessionProxy(onBlocked: (request: BlockedRequest) => void): Promise<SessionProxy>;
  /** Judges the address of a session's own proxy. @throws EgressRefused; the resolver's error */
  checkUpstream(upstream: UpstreamProxy): Promise<void>;
  /** Closes every door; idempotent. */
  close(): Promise<void>;
}

const DNS_CACHE_MS = 30_000;

/** Starts the proxy on loopback; the caller closes it after the browsers. */
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
    const door = await openProxyEndpoint(...args);
    ownPorts.add(door.port);
    const close = async () => {
      endpoints.delete(listed);
      await door.close();
      ownPorts.delete(door.port);
    };
    const listed = { ...door, close, [Symbol.asyncDispose]: close };
    endpoints.add(listed);
    return listed;
  }

  const refusingEndpoint = await openEndpoint(
    async () => {
      throw new EgressRefused('it belongs to no session', null);
    },
    options.onBlocked ?? (() => {}),
  );
  const close = async () => {
    await Promise.all([...endpoints].map(door => door.close()));
  };
  return {
    proxy: refusingEndpoint.proxy,
    server: refusingEndpoint.proxy.server,
    openSessionProxy: async onBlocked => {
      const dialer = createDialer(dialerDeps);
      return Object.assign(await openEndpoint(dialer.dial, onBlocked), { useUpstream: dialer.useUpstream });
    },
    checkUpstream: upstream => createDialer(dialerDeps).checkUpstream(upstream),
    close,
    [Symbol.asyncDispose]: close,
  };
}
