/** Resolves, judges and dials: the one place where a socket to the outside is opened. */
import { lookup as systemLookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '../../async/semaphore.ts';
import type { UpstreamProxy } from '../../domain/upstreamProxy.ts';
import { checkTarget, type EgressPolicy, literalAddresses, type ResolvedAddress } from './checkTarget.ts';
import { connectThroughUpstream, UpstreamFailed } from './connectThroughUpstream.ts';

/** Gives every address of a name, best first; throws where there is none. */
export type EgressLookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Begins a connection to the first of the addresses that answers. They were judged; nothing else may be dialled. */
export type EgressDial = (addresses: readonly ResolvedAddress[], port: number) => Socket;

/** The rule refused the target. */
export class EgressRefused extends Error {
  readonly address: string | null;

  constructor(reason: string, address: string | null) {
    super(reason);
    this.name = 'EgressRefused';
    this.address = address;
  }
}

/** How long a connection may take to come about. */
const CONNECT_TIMEOUT_MS = 20_000;
/** Node resolves names on half of its threads (UV_THREADPOOL_SIZE): one session's slow names must leave some to the others. */
const MAX_CONCURRENT_LOOKUPS = 3;
/** Names that one door remembers; a page can make up any number. */
const MAX_CACHED_NAMES = 500;

/** getaddrinfo, so that hosts files and search domains count. */
export const dnsLookup: EgressLookup = async host =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** Node's own connection racing over both families; its lookup is answered with what was judged. */
export const dialAddresses: EgressDial = (addresses, port) =>
  connect({
    host: addresses[0]?.address ?? '',
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    ...(addresses.length > 1 && {
      host: 'judged.invalid',
      autoSelectFamily: true,
      lookup: (_host, _options, done) => done(null, [...addresses]),
    }),
  });

/** What a dialer needs. */
export interface DialerDeps {
  readonly policy: EgressPolicy;
  readonly lookup: EgressLookup;
  readonly dial: EgressDial;
  /** How long an answer of the resolver stands for this dialer, in milliseconds. */
  readonly dnsCacheMs: number;
}

/**
 * Opens a judged connection.
 * @param opened given the socket while it still connects, so that it can be cut
 * @param ended what waits for its turn, or for a name, goes no further once it is aborted
 * @throws EgressRefused, UpstreamFailed; the error of the resolver or the socket; the signal's reason
 */
export type Dial = (
  host: string,
  port: number,
  opened: (socket: Socket) => void,
  ended: AbortSignal,
) => Promise<Socket>;

export interface Dialer {
  readonly dial: Dial;
  /** From here on every connection goes through this proxy. Targets are judged as without it. */
  useUpstream(upstream: UpstreamProxy): void;
  /** Judges the proxy's own address. @throws EgressRefused; the error of the resolver */
  checkUpstream(upstream: UpstreamProxy): Promise<void>;
}

/** How every connection ends: what is opened is handed over, what waits is told to stop. */
type DialCallbacks = [opened: (socket: Socket) => void, ended: AbortSignal];

const NEVER_ABORTED = new AbortController().signal;

/** Makes a dialer with a memory for names of its own, so that sessions cannot time each other's visits. */
export function createDialer({ policy, lookup, dial, dnsCacheMs }: DialerDeps): Dialer {
  let upstream: UpstreamProxy | null = null;
  const lookups = new Semaphore({ permits: MAX_CONCURRENT_LOOKUPS });
  const names = new LRUCache<string, ReturnType<EgressLookup>>({ max: MAX_CACHED_NAMES, ttl: dnsCacheMs });

  function resolve(host: string, ended: AbortSignal): ReturnType<EgressLookup> {
    const cached = names.get(host);
    if (cached !== undefined) return cached;
    const answer = lookups.run(async () => {
      ended.throwIfAborted();
      return lookup(host);
    });
    // lru-cache takes a lifetime of 0 for one without end.
    if (dnsCacheMs > 0) names.set(host, answer);
    answer.catch(() => names.peek(host) === answer && names.delete(host));
    return answer;
  }

  async function resolveAllowed(
    host: string,
    port: number,
    ended: AbortSignal,
  ): Promise<readonly ResolvedAddress[]> {
    const addresses = literalAddresses(host) ?? (await resolve(host, ended));
    ended.throwIfAborted();
    const verdict = checkTarget(policy, host, port, addresses);
    if (!verdict.allowed) throw new EgressRefused(verdict.reason, verdict.address);
    return verdict.addresses;
  }

  const dialDirect: Dial = async (host, port, opened, ended) => {
    const socket = dial(await resolveAllowed(host, port, ended), port);
    opened(socket);
    return whenConnected(socket);
  };

  async function dialUpstream(proxy: UpstreamProxy, ...rest: DialCallbacks): Promise<Socket> {
    try {
      return await dialDirect(proxy.host, proxy.port, ...rest);
    } catch (error) {
      if (error instanceof EgressRefused)
        throw new EgressRefused(`the session's proxy may not be used: ${error.message}`, error.address);
      throw new UpstreamFailed(proxy, 'cannot be reached', error);
    }
  }

  return {
    dial: async (host, port, opened, ended) => {
      if (upstream === null) return dialDirect(host, port, opened, ended);
      const targets = await resolveAllowed(host, port, ended);
      // Not every proxy reaches IPv6.
      const target = targets.find(({ family }) => family === 4) ?? targets[0];
      if (target === undefined) throw new EgressRefused(`${host} has no address`, null);
      return connectThroughUpstream(await dialUpstream(upstream, opened, ended), upstream, target, port);
    },
    useUpstream: proxy => {
      upstream = proxy;
    },
    checkUpstream: async ({ host, port }) => void (await resolveAllowed(host, port, NEVER_ABORTED)),
  };
}

function whenConnected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tooLate = () => socket.destroy(new Error('the connection timed out'));
    socket.setTimeout(CONNECT_TIMEOUT_MS, tooLate);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.off('timeout', tooLate);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
