/** A context with the browser it is in, and how a session takes it. */
import { Failure } from '../../domain/failures.ts';
import type { LeaseListener, Tenancy } from '../../domain/ports.ts';
import { proxyName, type UpstreamProxy } from '../../domain/upstreamProxy.ts';
import { checkAddress, refusedDocument, urlBlocked } from '../egress/checkAddress.ts';
import { EgressRefused } from '../egress/dialer.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import { proxyFailed, unreachable } from '../errors.ts';
import { Lease } from '../lease.ts';
import { webAddress } from '../webAddress.ts';
import type { ChromiumHostOptions } from './hostOptions.ts';
import type { House } from './house.ts';
import type { WarmContext } from './warmContext.ts';

export interface Room {
  readonly house: House;
  readonly warm: WarmContext;
}

const TOO_MUCH_SAID =
  'Its pages logged, asked for and changed more, and faster, than the service can follow. Open pages that do less at once.';

/**
 * The session's hold on the room. A browser that has gone already is told to the listener at once.
 * @param release called once, when the session gives the room back
 */
export function leaseOf(
  { house, warm }: Room,
  { sessionId, proxy }: Tenancy,
  listener: LeaseListener,
  options: Pick<ChromiumHostOptions, 'egressAllow' | 'now' | 'navigationTimeoutMs' | 'files'>,
  release: (lease: Lease) => Promise<void>,
): Lease {
  if (proxy !== null) warm.door.through(proxy);
  const { egressAllow, now, navigationTimeoutMs, files } = options;
  warm.onBlocked = (url, reason) => listener.happened({ type: 'blocked', at: now(), url, reason });
  const lease: Lease = new Lease({
    sessionId,
    files,
    context: warm.context,
    tab: warm.tab,
    listener,
    now,
    navigationTimeoutMs,
    admit: url => checkAddress(webAddress(url), egressAllow).href,
    refused: url => {
      // Only a redirect leads there: what callers ask for was admitted.
      const reason = refusedDocument(url);
      if (reason !== null) return urlBlocked(url, reason);
      const outcome = warm.door.outcome(url);
      if (outcome === null) return null;
      if (outcome.type === 'proxy') return proxyFailed(url, outcome.reason);
      return outcome.type === 'blocked' ? urlBlocked(url, outcome.reason) : unreachable(url, outcome.reason);
    },
    usage: () => warm.door.usage(),
    endedFor: () => house.endedFor,
    release: async () => {
      warm.onBlocked = null;
      warm.onTooMuchSaid = null;
      await release(lease);
    },
  });
  warm.onTooMuchSaid = () => lease.overran(TOO_MUCH_SAID);
  house.moveIn(lease);
  if (house.isGone) queueMicrotask(() => lease.lost(house.lossReason));
  return lease;
}

/** Whether a session may use this proxy: a name that cannot be resolved now is told when a page is opened. @throws Failure URL_BLOCKED */
export async function admitProxy(egress: EgressProxy, proxy: UpstreamProxy): Promise<void> {
  try {
    await egress.judge(proxy);
  } catch (error) {
    if (!(error instanceof EgressRefused)) return;
    throw new Failure(
      'URL_BLOCKED',
      `The proxy ${proxyName(proxy)} may not be used, because ${error.message}.`,
    );
  }
}
