/** Remembers which signs that the page is busy did not end in a wait: no later step waits for them. */
import { statedShare } from './progressPace.ts';

/** Time for which a sign that did not end in a wait is still reported; after that, it is decoration. Milliseconds. */
const MAX_REPORTED_MS = 60_000;

/** A sign that did not end in an earlier wait. */
interface GivenUpSign {
  /** When that wait ended, or the bar moved last, as `performance.now()`. */
  readonly since: number;
  /** The share that a bar stated then; null for other signs. */
  readonly share: number | null;
}

const givenUp = new WeakMap<Element, GivenUpSign>();

/** Remembers that these signs did not end, so that no later step waits for them. They are still reported for a while. */
export function giveUpIndicators(signs: Iterable<Element>): void {
  for (const sign of signs)
    if (!givenUp.has(sign)) givenUp.set(sign, { since: performance.now(), share: statedShare(sign) });
}

/** Returns true for a sign that did not end in an earlier wait. A bar that begins again is waited for again. */
export function isGivenUp(sign: Element): boolean {
  const share = givenUp.get(sign)?.share ?? null;
  if (share !== null && (statedShare(sign) ?? share) < share) givenUp.delete(sign);
  return givenUp.has(sign);
}

/** Returns true for a sign that did not end, and is no longer reported: a bar that moves is. */
export function isDecoration(sign: Element): boolean {
  const before = givenUp.get(sign);
  if (before === undefined) return false;
  const share = statedShare(sign);
  if (share !== null && share !== before.share)
    givenUp.set(sign, { since: performance.now(), share: Math.max(share, before.share ?? 0) });
  return performance.now() - (givenUp.get(sign)?.since ?? 0) > MAX_REPORTED_MS;
}
