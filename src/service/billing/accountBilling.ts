/** Checks whether an account can pay for an operation, and tracks the charges of its running sessions. */
import type { Account, Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import { browserTimePrice, type Charge, type Prices } from '../../domain/ledger.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { LedgerStore } from '../../domain/ports/ledgerStore.ts';
import type { Session } from '../../domain/session.ts';
import { secondsUntilNextUtcDay, startOfUtcDay, type TierTable } from '../../domain/tiers.ts';
import { SessionCharges } from './sessionCharges.ts';

/** Ledger, limits of the tiers, prices and accounts of `AccountBilling`. */
export interface AccountBillingDeps {
  readonly ledger: LedgerStore;
  readonly tiers: TierTable;
  readonly prices: Prices;
  readonly accounts: AccountStore;
}

const MS_PER_MINUTE = 60_000;

const pays = (account: Account): boolean => account.tier === 'pay_as_you_go';

/**
 * Checks whether an account can pay for an operation. Includes the running sessions, whose time is not in the ledger
 * yet.
 */
export class AccountBilling {
  readonly #deps: AccountBillingDeps;
  readonly #now: () => number;
  /** The charges of each running session, by account id. */
  readonly #charges = new Map<string, Set<SessionCharges>>();

  constructor(deps: AccountBillingDeps, now: () => number) {
    this.#deps = deps;
    this.#now = now;
  }

  /** Creates the charges of a new session. They count against the account until `SessionCharges.end`. */
  createSessionCharges(
    { account, keyId }: Viewer,
    sessionId: string,
    spendCapMicros: number | null,
  ): SessionCharges {
    const prices = pays(account) ? this.#deps.prices : null;
    const running = this.#charges.get(account.id) ?? new Set();
    const options = { sessionId, accountId: account.id, keyId, prices, spendCapMicros };
    const charges = new SessionCharges(options, ended => {
      running.delete(ended);
      if (running.size === 0) this.#charges.delete(account.id);
    });
    this.#charges.set(account.id, running.add(charges));
    return charges;
  }

  /**
   * Returns the charge for the uncharged time of a session whose process was killed. Null if there is nothing to charge.
   * @param seenAt last time when the session was known to run. The charge ends there, or at the idle timeout if earlier.
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
      priceMicros: pays(account) ? browserTimePrice(browserMs, prices) : 0,
    };
  }

  /**
   * Checks that the account can pay for a new operation. Running operations always finish, whatever they cost.
   * @param charges the charges of the operation's session; null for a new session
   * @throws Failure BALANCE_EXHAUSTED, QUOTA_EXHAUSTED
   */
  async assertCanPay({ account, keyId }: Viewer, charges: SessionCharges | null): Promise<void> {
    const { browserMinutesPerDay } = this.#deps.tiers[account.tier];
    if (!pays(account) && browserMinutesPerDay === null) return;
    const now = this.#now();
    const balance = await this.#deps.ledger.accountBalance(account.id, keyId, startOfUtcDay(now));
    const running = [...(this.#charges.get(account.id) ?? [])];
    const unchargedMs = running.reduce((sum, each) => sum + each.unchargedMs(now), 0);
    if (
      browserMinutesPerDay !== null &&
      balance.dayBrowserMs + unchargedMs >= browserMinutesPerDay * MS_PER_MINUTE
    )
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `This account has used its ${browserMinutesPerDay} browser minutes of today. A new day begins at midnight UTC.`,
        { retryAfterSeconds: secondsUntilNextUtcDay(now) },
      );
    if (!pays(account)) return;
    const pendingMicros = (of: readonly SessionCharges[]) =>
      of.reduce((sum, each) => sum + each.pendingMicros(now), 0);
    if (balance.balanceMicros - pendingMicros(running) <= 0)
      throw new Failure(
        'BALANCE_EXHAUSTED',
        'The balance of the account is used up. Add credit. Sessions can still be read and closed.',
      );
    const ofKey = running.filter(each => each.options.keyId === keyId);
    const { keySpendCapMicros, keySpentMicros } = balance;
    if (keySpendCapMicros !== null && keySpentMicros + pendingMicros(ofKey) >= keySpendCapMicros)
      throw new Failure('BALANCE_EXHAUSTED', 'This key has reached its spend cap. Use another key.');
    const spendCap = charges?.options.spendCapMicros ?? null;
    if (charges !== null && spendCap !== null && charges.costMicros(now) >= spendCap)
      throw new Failure(
        'BALANCE_EXHAUSTED',
        'This session has reached its spend cap. Start another session.',
      );
  }
}
