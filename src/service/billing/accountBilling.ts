import {
  type Account,
  secondsUntilNextUtcDay,
  startOfUtcDay,
  type Tier,
  type TierTable,
  type Viewer,
} from '../../domain/account/account.ts';
import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import type { Charge, Prices, SessionMeter, TierInForce } from '../../domain/account/ledger.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { LedgerStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session/session.ts';
import { SessionCharges } from './sessionCharges.ts';

export interface AccountBillingDeps {
  readonly ledger: LedgerStore;
  readonly store: SessionStore;
  readonly tiers: TierTable;
  readonly prices: Prices;
  readonly clock: Clock;
  /** True in a cluster: other nodes can run sessions of the same account. */
  readonly hasOtherNodes?: boolean;
}

const MS_PER_MINUTE = 60_000;
/** Another process, such as `npm run accounts -- credit`, may change the tier of an account with running sessions. Milliseconds. */
const TIER_POLL_INTERVAL_MS = 5_000;

const pays = (tier: Tier): boolean => tier === 'pay_as_you_go';

interface RunningAccount {
  readonly sessions: Set<SessionCharges>;
  tier: Tier;
}

/** Includes running sessions, whose time is not in the ledger yet, at the tiers, prices, quotas and caps in force now. */
export class AccountBilling {
  readonly #deps: AccountBillingDeps;
  readonly #running = new Map<string, RunningAccount>();
  #cancelPoll: (() => void) | null = null;

  constructor(deps: AccountBillingDeps) {
    this.#deps = deps;
  }

  /** Creates the charges of a new session. They count against the account until `SessionCharges.end`. */
  createSessionCharges(
    { account, keyId }: Viewer,
    sessionId: string,
    spendCapMicros: number | null,
  ): SessionCharges {
    const running = this.#running.get(account.id) ?? { sessions: new Set(), tier: account.tier };
    this.#running.set(account.id, running);
    const options = { sessionId, accountId: account.id, keyId, spendCapMicros };
    const charges = new SessionCharges(options, this.#pricesOf(running.tier), this.#deps.clock, ended => {
      running.sessions.delete(ended);
      if (running.sessions.size === 0) this.#running.delete(account.id);
    });
    running.sessions.add(charges);
    this.#schedulePoll();
    return charges;
  }

  async currentTier({ id, tier }: Account): Promise<Tier> {
    const [current] = await this.#deps.ledger.accountTiers([id]);
    if (current == null) return tier;
    this.#applyTier(id, current);
    return current.tier;
  }

  async refreshTier(accountId: string): Promise<void> {
    const [current] = await this.#deps.ledger.accountTiers([accountId]);
    if (current != null) this.#applyTier(accountId, current);
  }

  /** Returns the charge for the time until `seenAt` of a session whose process was killed, and its browser time after the charge. */
  async chargeOrphan(session: Session, seenAt: number): Promise<Pick<SessionChange, 'ledger' | 'meter'>> {
    const [meter] = await this.#deps.store.meters([session.id]);
    if (meter == null || meter.unchargedMs === 0) return {};
    const charge: Charge = {
      operationId: session.id,
      accountId: session.accountId,
      sessionId: session.id,
      keyId: meter.keyId,
      kind: 'idle',
      at: seenAt,
      browserMs: meter.unchargedMs,
      priceMicros: meter.unchargedMicros,
      minuteMicros: await this.#minutePriceOf(meter, session.accountId, seenAt),
    };
    return { ledger: [charge], meter: { ...meter, unchargedMs: 0, unchargedMicros: 0 } };
  }

  /** The price of a minute until `seenAt`, which the process before may have had; null if the account did not pay. */
  async #minutePriceOf(
    { unchargedMs, unchargedMicros }: SessionMeter,
    accountId: string,
    seenAt: number,
  ): Promise<number | null> {
    if (unchargedMicros > 0) return Math.ceil((unchargedMicros * MS_PER_MINUTE) / unchargedMs);
    const [current] = await this.#deps.ledger.accountTiers([accountId]);
    // An account that has paid for longer than a process needs to find that out had a price, and it was 0.
    const hadPrice =
      current != null && pays(current.tier) && seenAt - (current.since ?? 0) > TIER_POLL_INTERVAL_MS;
    return hadPrice ? 0 : null;
  }

  /** Checks that the account can pay for a new operation; running ones finish, whatever they cost. @throws Failure BALANCE_EXHAUSTED, QUOTA_EXHAUSTED */
  async assertCanPay({ account, keyId, policy }: Viewer, charges: SessionCharges | null): Promise<void> {
    const now = this.#deps.clock.now();
    if (policy !== undefined) await this.#assertBudget(account, keyId, policy, now);
    const [balance, elsewhere] = await Promise.all([
      this.#deps.ledger.accountBalance(account.id, keyId, startOfUtcDay(now)),
      this.#metersElsewhere(account),
    ]);
    this.#applyTier(account.id, balance.tierInForce);
    const { tier } = balance.tierInForce;
    const { browserMinutesPerDay } = this.#deps.tiers[tier];
    const running = [...(this.#running.get(account.id)?.sessions ?? [])];
    const todayMs =
      running.reduce((sum, each) => sum + each.uncharged().todayMs, 0) +
      elsewhere.reduce((sum, { unchargedMs }) => sum + unchargedMs, 0);
    if (
      browserMinutesPerDay !== null &&
      balance.dayBrowserMs + todayMs >= browserMinutesPerDay * MS_PER_MINUTE
    )
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `This account has used its ${browserMinutesPerDay} browser minutes of today. A new day begins at midnight UTC.`,
        { retryAfterSeconds: secondsUntilNextUtcDay(now) },
      );
    if (!pays(tier)) return;
    const pendingMicros = (here: readonly SessionCharges[], there: readonly SessionMeter[]) =>
      here.reduce((sum, each) => sum + each.uncharged().priceMicros, 0) +
      there.reduce((sum, { unchargedMicros }) => sum + unchargedMicros, 0);
    if (balance.balanceMicros - pendingMicros(running, elsewhere) <= 0)
      throw new Failure(
        'BALANCE_EXHAUSTED',
        'The balance of the account is used up. Add credit. Sessions can still be read and closed.',
      );
    const ofKey = pendingMicros(
      running.filter(each => each.options.keyId === keyId),
      elsewhere.filter(each => each.keyId === keyId),
    );
    const { keySpendCapMicros, keySpentMicros } = balance;
    if (keySpendCapMicros !== null && keySpentMicros + ofKey >= keySpendCapMicros)
      throw new Failure('BALANCE_EXHAUSTED', 'This key has reached its spend cap. Use another key.');
    const spendCap = charges?.options.spendCapMicros ?? null;
    if (charges !== null && spendCap !== null && charges.costMicros() >= spendCap)
      throw new Failure(
        'BALANCE_EXHAUSTED',
        'This session has reached its spend cap. Start another session.',
      );
  }

  async #assertBudget(
    account: Account,
    keyId: string,
    { minutesPerDay, microsPerDay }: KeyPolicy,
    now: number,
  ): Promise<void> {
    if (minutesPerDay === undefined && microsPerDay === undefined) return;
    const [used, elsewhere] = await Promise.all([
      this.#deps.ledger.keyUsageOnDay(account.id, keyId, startOfUtcDay(now)),
      this.#metersElsewhere(account, true),
    ]);
    const here = [...(this.#running.get(account.id)?.sessions ?? [])]
      .filter(each => each.options.keyId === keyId)
      .map(each => each.uncharged());
    const there = elsewhere.filter(each => each.keyId === keyId);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    const usedMs =
      used.browserMs + sum(here.map(({ todayMs }) => todayMs)) + sum(there.map(each => each.unchargedMs));
    const usedMicros =
      used.amountMicros +
      sum(here.map(({ priceMicros }) => priceMicros)) +
      sum(there.map(each => each.unchargedMicros));
    const budget =
      usedMs >= (minutesPerDay ?? Number.POSITIVE_INFINITY) * MS_PER_MINUTE
        ? `${minutesPerDay} browser minutes`
        : usedMicros >= (microsPerDay ?? Number.POSITIVE_INFINITY)
          ? `${microsPerDay} micro-units`
          : null;
    if (budget !== null)
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `This key has used the ${budget} that its policy allows a day. A new day begins at midnight UTC.`,
        { retryAfterSeconds: secondsUntilNextUtcDay(now) },
      );
  }

  /** Returns the browser time of the account's sessions on other nodes: at most ten seconds old. */
  async #metersElsewhere({ id, tier }: Account, isAlways = false): Promise<readonly SessionMeter[]> {
    if (this.#deps.hasOtherNodes !== true || (tier === 'local' && !isAlways)) return [];
    const here = new Set([...(this.#running.get(id)?.sessions ?? [])].map(each => each.options.sessionId));
    const meters = await this.#deps.store.activeMeters(id);
    return [...meters].flatMap(([sessionId, meter]) => (here.has(sessionId) ? [] : [meter]));
  }

  #applyTier(accountId: string, { tier, since }: TierInForce): void {
    const running = this.#running.get(accountId);
    if (running === undefined || running.tier === tier) return;
    running.tier = tier;
    const msAgo = since === null ? 0 : Math.max(0, this.#deps.clock.now() - since);
    for (const charges of running.sessions) charges.changePrices(this.#pricesOf(tier), msAgo);
  }

  #pricesOf(tier: Tier): Prices | null {
    return pays(tier) ? this.#deps.prices : null;
  }

  #schedulePoll(): void {
    this.#cancelPoll ??= this.#deps.clock.scheduleAfter(TIER_POLL_INTERVAL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    this.#cancelPoll = null;
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    this.#schedulePoll();
    // If the store cannot be read now, the next poll tries again.
    const tiers = await this.#deps.ledger.accountTiers(ids).catch(() => []);
    for (const [index, current] of tiers.entries())
      if (current !== null) this.#applyTier(ids[index] ?? '', current);
  }
}
