/** What accounts used, paid and have left, as the doors ask for it. */
import { isOperator, scopesCover, type Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type {
  GroupedUsage,
  LedgerEntry,
  LedgerStore,
  Period,
  Purse,
  UsageGroup,
  UsageSum,
} from '../domain/ledger.ts';
import type { AccountStore, Clock } from '../domain/ports.ts';
import { dayOf } from '../domain/tiers.ts';

/** Credit as the operator gives it. */
export interface CreditCommand {
  readonly accountId: string;
  /** What it is for: the account is credited once for it. */
  readonly reference: string;
  /** Micro-units, above 0. */
  readonly amountMicros: number;
}

/** An account's book, for its own callers; credit for the operator. */
export interface AccountBook {
  purse(viewer: Viewer): Promise<Purse>;
  usage(viewer: Viewer, period: Period): Promise<UsageSum>;
  /** At most a thousand groups, in the order of their names. */
  usageBy(viewer: Viewer, period: Period, group: UsageGroup): Promise<readonly GroupedUsage[]>;
  /** Of sessions that the caller was given, in the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageSum[]>;
  /** The newest first: rows below `before`, at most `limit`. */
  ledger(viewer: Viewer, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * The rows of a period, the oldest first, a page at a time.
   * @throws Failure SCOPE_DENIED
   */
  ledgerPages(viewer: Viewer, period: Period): AsyncGenerator<readonly LedgerEntry[], void, undefined>;
  /** @throws Failure SCOPE_DENIED, ACCOUNT_NOT_FOUND */
  credit(viewer: Viewer, command: CreditCommand): Promise<LedgerEntry>;
}

const MOST_GROUPS = 1_000;
const PAGE = 1_000;

export function accountBook(ledger: LedgerStore, accounts: AccountStore, clock: Clock): AccountBook {
  return {
    purse: ({ account, keyId }) => ledger.purse(account.id, keyId, dayOf(clock.now())),
    usage: ({ account }, period) => ledger.usage(account.id, period),
    usageBy: ({ account }, period, group) => ledger.usageBy(account.id, period, group, MOST_GROUPS),
    sessionUsage: ids => ledger.sessionUsage(ids),
    ledger: ({ account }, before, limit) => ledger.newest(account.id, before, limit),

    async *ledgerPages({ account, scopes }, period) {
      if (!scopesCover(scopes, 'read'))
        throw new Failure('SCOPE_DENIED', 'This key lacks the scope "read", which the ledger needs.');
      for (let after = 0, full = true; full; ) {
        const rows = await ledger.oldest(account.id, period, after, PAGE);
        if (rows.length > 0) yield rows;
        after = rows.at(-1)?.seq ?? after;
        full = rows.length === PAGE;
      }
    },

    async credit(viewer, command) {
      if (!isOperator(viewer))
        throw new Failure('SCOPE_DENIED', 'Only the operator of this service credits accounts.');
      const [account] = await accounts.accounts([command.accountId]);
      if (account == null)
        throw new Failure('ACCOUNT_NOT_FOUND', `There is no account "${command.accountId.slice(0, 64)}".`);
      return ledger.credit({ ...command, at: clock.now() });
    },
  };
}
