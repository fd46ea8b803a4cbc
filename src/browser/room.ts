/** A context with the browser it is in, and how a session takes it. */
import type { LeaseListener } from '../domain/ports.ts';
import { checkAddress, urlBlocked } from './egress/checkAddress.ts';
import { unreachable } from './errors.ts';
import type { ChromiumHostOptions } from './hostOptions.ts';
import type { House } from './house.ts';
import { Lease } from './lease.ts';
import type { WarmContext } from './warmContext.ts';
import { webAddress } from './webAddress.ts';

export interface Room {
  readonly house: House;
  readonly warm: WarmContext;
}

/**
 * The session's hold on the room. A browser that has gone already is told to the listener at once.
 * @param release called once, when the session gives the room back
 */
export function leaseOf(
  { house, warm }: Room,
  sessionId: string,
  listener: LeaseListener,
  options: Pick<ChromiumHostOptions, 'egressAllow' | 'now' | 'navigationTimeoutMs' | 'files'>,
  release: (lease: Lease) => Promise<void>,
): Lease {
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
      const outcome = warm.door.outcome(url);
      if (outcome === null) return null;
      return outcome.type === 'blocked' ? urlBlocked(url, outcome.reason) : unreachable(url, outcome.reason);
    },
    usage: () => warm.door.usage(),
    endedFor: () => house.endedFor,
    release: async () => {
      warm.onBlocked = null;
      await release(lease);
    },
  });
  house.moveIn(lease);
  if (house.isGone) queueMicrotask(() => lease.lost(house.lossReason));
  return lease;
}
