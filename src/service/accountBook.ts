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
import type { AccountStore, Clock, EventBus } from '../domain/ports.ts';
import { dayOf } from '../domain/tiers.ts';
import { BookWatch } from './bookWatch.ts';

/** Credit as the operator gives it. */
export interface CreditCommand {
  readonly accountId: string;
  /** What it is for: the account is credited once for it. */
  readonly reference: string;
  /** Micro-units, above 0. */
  readonly amountMicros: number;
}

/** Which rows of the ledger, the newest first. */
export interface LedgerQuery {
  readonly limit: number;
  /** Rows older than the one with this `seq`; null from the newest. */
  readonly after: number | null;
  /** Rows newer than the one with this `seq`: the `limit` next to it. */
  readonly before: number | null;
  /** Without either: the oldest `limit` of all. */
  readonly fromEnd: boolean;
}

/** A page of the ledger, the newest first. */
export interface LedgerPage {
  readonly rows: readonly LedgerEntry[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** An account's book, for its own callers; credit for the operator. */
export interface AccountBook {
  purse(viewer: Viewer): Promise<Purse>;
  usage(viewer: Viewer, period: Period): Promise<UsageSum>;
  /** At most a thousand groups, in the order of their names. */
  usageBy(viewer: Viewer, period: Period, group: UsageGroup): Promise<readonly GroupedUsage[]>;
  /** Of sessions that the caller was given, in the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageSum[]>;
  /** A page of the rows, the newest first. */
  ledger(viewer: Viewer, wanted: LedgerQuery): Promise<LedgerPage>;
  /** A word, now or later, when the ledger may have new rows; those of other processes within five seconds. */
  bookings(viewer: Viewer, signal: AbortSignal): AsyncIterableIterator<string>;
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
const ALWAYS: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** What the book is kept with. */
export interface BookParts {
  readonly ledger: LedgerStore;
  readonly accounts: AccountStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export function accountBook(parts: BookParts): AccountBook {
  const { ledger, accounts, bus, clock } = parts;
  const watch = new BookWatch(parts);
  return {
    purse: ({ account, keyId }) => ledger.purse(account.id, keyId, dayOf(clock.now())),
    usage: ({ account }, period) => ledger.usage(account.id, period),
    usageBy: ({ account }, period, group) => ledger.usageBy(account.id, period, group, MOST_GROUPS),
    sessionUsage: ids => ledger.sessionUsage(ids),

    async ledger({ account }, { limit, after, before, fromEnd }) {
      if (before !== null || fromEnd) {
        const rows = await ledger.oldest(account.id, ALWAYS, before ?? 0, limit + 1);
        const page = rows.slice(0, limit).reverse();
        return { rows: page, hasNext: before !== null, hasPrevious: rows.length > limit };
      }
      const rows = await ledger.newest(account.id, after, limit + 1);
      return { rows: rows.slice(0, limit), hasNext: rows.length > limit, hasPrevious: after !== null };
    },

    bookings({ account }, signal) {
      watch.watch(account.id, signal);
      return bus.bookings(account.id, signal);
    },

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
      const entry = await ledger.credit({ ...command, at: clock.now() });
      bus.booked(account.id);
      return entry;
    },
  };
}
