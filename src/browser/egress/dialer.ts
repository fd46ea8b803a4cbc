/** Resolves a host, checks its addresses and connects. No other code opens a socket to the network. */
import { lookup as systemLookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '../../async/fairTurns.ts';
import type { UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import { checkTarget, type EgressPolicy, literalAddresses, type ResolvedAddress } from './checkTarget.ts';
import { connectThroughUpstream, UpstreamFailed } from './connectThroughUpstream.ts';

/** Resolves a host name. @returns all its IP addresses, the preferred one first @throws an error if the name has none */
export type EgressLookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Opens a socket to the first of these checked IP addresses that accepts the connection. Connects to no other address. */
export type EgressDial = (addresses: readonly ResolvedAddress[], port: number) => Socket;

/** The error when a connection to a host and port is not allowed. Its message is the reason, as a clause. */
export class EgressRefused extends Error {
  /** The refused IP address, for the operator's log; null if there is none. */
  readonly address: string | null;

  constructor(reason: string, address: string | null) {
    super(reason);
    this.name = 'EgressRefused';
    this.address = address;
  }
}

const CONNECT_TIMEOUT_MS = 20_000;
/** Node resolves names on half of its threads (UV_THREADPOOL_SIZE): the slow lookups of one session must not occupy them all. */
const MAX_CONCURRENT_LOOKUPS = 3;
/** Maximum number of resolved host names that one session caches: a page can invent any number of names. */
const MAX_CACHED_NAMES = 500;

/** Resolves a host name with the system's getaddrinfo, which also uses the hosts file and search domains. */
export const dnsLookup: EgressLookup = async host =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** `net.connect` tries IPv4 and IPv6 addresses in turn. Its `lookup` returns the given addresses: Node resolves no name itself. */
export const dialAddresses: EgressDial = (addresses, port) =>
  connect({
    host: addresses[0]?.address ?? '',
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    ...(addresses.length > 1 && {
      host: 'checked.invalid',
      autoSelectFamily: true,
      lookup: (_host, _options, done) => done(null, [...addresses]),
    }),
  });

export interface DialerDeps {
  readonly policy: EgressPolicy;
  readonly lookup: EgressLookup;
  readonly dial: EgressDial;
  /** Milliseconds for which a resolved name is cached; 0 for no cache. */
  readonly dnsCacheMs: number;
}

/**
 * Resolves a host, checks its IP addresses and the port, and connects to an allowed address.
 * @param host as `normalizeHost` returns it
 * @param onSocket receives the socket while it is still connecting, so that it can be destroyed
 * @param signal stops lookups that have not started, and connections that would follow a lookup
 * @throws EgressRefused if the target is not allowed; UpstreamFailed; the error of the resolver or the socket; the signal's reason
 */
export type Dial = (
  host: string,
  port: number,
  onSocket: (socket: Socket) => void,
  signal: AbortSignal,
) => Promise<Socket>;

export interface Dialer {
  readonly dial: Dial;
  /** Sends every later connection through the session's own proxy. Targets are checked as before. */
  useUpstream(upstream: UpstreamProxy): void;
  /** Checks the host and port of a session's own proxy. @throws EgressRefused if they are not allowed; the error of the resolver */
  checkUpstream(upstream: UpstreamProxy): Promise<void>;
}

const NEVER_ABORTED = new AbortController().signal;

/** Creates the dialer of one session. Its DNS cache is not shared: a session cannot measure which names another has visited. */
export function createDialer({ policy, lookup, dial, dnsCacheMs }: DialerDeps): Dialer {
  let upstream: UpstreamProxy | null = null;
  const lookups = new Semaphore({ permits: MAX_CONCURRENT_LOOKUPS });
  const names = new LRUCache<string, ReturnType<EgressLookup>>({ max: MAX_CACHED_NAMES, ttl: dnsCacheMs });

  function resolve(host: string, signal: AbortSignal): ReturnType<EgressLookup> {
    const cached = names.get(host);
    if (cached !== undefined) return cached;
    const addresses = lookups.run(async () => {
      signal.throwIfAborted();
      return lookup(host);
    });
    // Do not store: lru-cache would keep entries with a lifetime of 0 forever.
    if (dnsCacheMs > 0) names.set(host, addresses);
    addresses.catch(() => names.peek(host) === addresses && names.delete(host));
    return addresses;
  }

  async function resolveAllowed(
    host: string,
    port: number,
    signal: AbortSignal,
  ): Promise<readonly ResolvedAddress[]> {
    const addresses = literalAddresses(host) ?? (await resolve(host, signal));
    signal.throwIfAborted();
    const verdict = checkTarget(policy, host, port, addresses);
    if (!verdict.allowed) throw new EgressRefused(verdict.reason, verdict.address);
    return verdict.addresses;
  }

  const dialDirect: Dial = async (host, port, onSocket, signal) => {
    const socket = dial(await resolveAllowed(host, port, signal), port);
    onSocket(socket);
    return whenConnected(socket);
  };

  async function dialUpstream(
    proxy: UpstreamProxy,
    onSocket: (socket: Socket) => void,
    signal: AbortSignal,
  ): Promise<Socket> {
    try {
      return await dialDirect(proxy.host, proxy.port, onSocket, signal);
    } catch (error) {
      if (error instanceof EgressRefused)
        throw new EgressRefused(`the session's proxy may not be used: ${error.message}`, error.address);
      throw new UpstreamFailed(proxy, 'cannot be reached', error);
    }
  }

  return {
    dial: async (host, port, onSocket, signal) => {
      if (upstream === null) return dialDirect(host, port, onSocket, signal);
      const targets = await resolveAllowed(host, port, signal);
      // Prefer IPv4: not every proxy reaches IPv6.
      const target = targets.find(({ family }) => family === 4) ?? targets[0];
      if (target === undefined) throw new EgressRefused(`${host} has no address`, null);
      return connectThroughUpstream(await dialUpstream(upstream, onSocket, signal), upstream, target, port);
    },
    useUpstream: proxy => {
      upstream = proxy;
    },
    checkUpstream: async ({ host, port }) => void (await resolveAllowed(host, port, NEVER_ABORTED)),
  };
}

function whenConnected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onTimeout = () => socket.destroy(new Error('the connection timed out'));
    socket.setTimeout(CONNECT_TIMEOUT_MS, onTimeout);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.off('timeout', onTimeout);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
