/** Whether an account may begin an operation, by what it has left; and the meters of its sessions. */
import type { Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import { browserTimePrice, type Charge, type Prices } from '../../domain/ledger.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { LedgerStore } from '../../domain/ports/ledgerStore.ts';
import type { Session } from '../../domain/session.ts';
import { secondsUntilNextUtcDay, startOfUtcDay, type TierTable } from '../../domain/tiers.ts';
import { SessionMeter } from './sessionMeter.ts';

/** What the till reckons with. */
export interface BillingDeps {
  readonly ledger: LedgerStore;
  readonly tiers: TierTable;
  readonly prices: Prices;
  readonly accounts: AccountStore;
}

const MS_PER_MINUTE = 60_000;

export class Billing {
  readonly #deps: BillingDeps;
  readonly #now: () => number;
  readonly #meters = new Map<string, Set<SessionMeter>>();

  constructor(deps: BillingDeps, now: () => number) {
    this.#deps = deps;
    this.#now = now;
  }

  /** A meter for a new session of the viewer. */
  createMeter(viewer: Viewer, sessionId: string, spendCapMicros: number | null): SessionMeter {
    const { account, keyId } = viewer;
    const prices = account.tier === 'pay_as_you_go' ? this.#deps.prices : null;
    const meters = this.#meters.get(account.id) ?? new Set();
    const facts = { sessionId, accountId: account.id, keyId, prices, spendCapMicros };
    const meter = new SessionMeter(facts, one => {
      meters.delete(one);
      if (meters.size === 0) this.#meters.delete(account.id);
    });
    this.#meters.set(account.id, meters.add(meter));
    return meter;
  }

  /**
   * The charge for the time that a session of a killed service stood idle: up to when it was last seen, not beyond its
   * timeout. Null where there is none.
   */
  async idleChargeOfOrphan(session: Session, seenAt: number): Promise<Charge | null> {
    const { ledger, accounts, prices } = this.#deps;
    const [account] = await accounts.accounts([session.accountId]);
    const charged = await ledger.chargedTime(session.id);
    if (account == null || charged === null) return null;
    const until = Math.min(seenAt, session.lastAccessedAt + session.timeoutMinutes * MS_PER_MINUTE);
    const browserMs = until - Math.max(charged.startedAt, session.createdAt) - charged.browserMs;
    if (browserMs <= 0) return null;
    return {
      operationId: session.id,
      accountId: account.id,
      sessionId: session.id,
      keyId: charged.keyId,
      kind: 'idle',
      at: this.#now(),
      browserMs,
      priceMicros: account.tier === 'pay_as_you_go' ? browserTimePrice(browserMs, prices) : 0,
    };
  }

  /**
   * Sees to it that a new operation can be paid. What runs already is finished whatever it costs.
   * @param meter of the session that the operation is for; null for a new one
   * @throws Failure BALANCE_EXHAUSTED, QUOTA_EXHAUSTED
   */
  async assertCanPay(viewer: Viewer, meter: SessionMeter | null): Promise<void> {
    const { account, keyId } = viewer;
    const { browserMinutesPerDay } = this.#deps.tiers[account.tier];
    const pays = account.tier === 'pay_as_you_go';
    if (!pays && browserMinutesPerDay === null) return;
    const now = this.#now();
    const balance = await this.#deps.ledger.accountBalance(account.id, keyId, startOfUtcDay(now));
    const meters = [...(this.#meters.get(account.id) ?? [])];
    const uncharged = meters.reduce((sum, one) => sum + one.unchargedMs(now), 0);
    if (
      browserMinutesPerDay !== null &&
      balance.dayBrowserMs + uncharged >= browserMinutesPerDay * MS_PER_MINUTE
    )
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `This account may use browsers for ${browserMinutesPerDay} minutes a day, and has. A new day begins at midnight UTC.`,
        { retryAfterSeconds: secondsUntilNextUtcDay(now) },
      );
    if (!pays) return;
    const pending = (of: readonly SessionMeter[]) => of.reduce((sum, one) => sum + one.pendingMicros(now), 0);
    if (balance.balanceMicros - pending(meters) <= 0)
      throw new Failure(
        'BALANCE_EXHAUSTED',
        "The account's balance is used up. Add credit; sessions can still be read and closed.",
      );
    const ofKey = meters.filter(one => one.options.keyId === keyId);
    if (
      balance.keySpendCapMicros !== null &&
      balance.keySpentMicros + pending(ofKey) >= balance.keySpendCapMicros
    )
      throw new Failure('BALANCE_EXHAUSTED', 'This key has spent all that it may. Use another.');
    const cap = meter?.options.spendCapMicros ?? null;
    if (meter !== null && cap !== null && meter.costMicros(now) >= cap)
      throw new Failure('BALANCE_EXHAUSTED', 'This session has cost all that it may. Start another.');
  }
}
