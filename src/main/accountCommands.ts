/** `accounts create|list|credit`: the accounts of this service, with the service running or not. */
import { randomUUID } from 'node:crypto';
import type { Account, Tier } from '../domain/account.ts';
import { startOfUtcDay } from '../domain/tiers.ts';
import { systemClock } from '../service/systemClock.ts';
import { withStore } from './withStore.ts';

/** Prints the new account's id alone on a line of standard output. */
export async function createAccount(name: string, tier: Tier): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account: Account = { id: randomUUID(), name, tier, createdAt: systemClock.now() };
    await accounts.createAccount(account);
    process.stderr.write(
      `Account "${name}" (${tier}). Make it a key: npm run keys -- create --account ${account.id}\n`,
    );
    process.stdout.write(`${account.id}\n`);
  });
}

/** Prints one account a line, the oldest first. */
export async function listAccounts(): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    for (const account of await accounts.allAccounts()) {
      const { balanceMicros } = await ledger.accountBalance(account.id, '', startOfUtcDay(systemClock.now()));
      const made = new Date(account.createdAt).toISOString().slice(0, 10);
      const said = [
        account.id,
        account.tier.padEnd(13),
        `balance ${balanceMicros}`,
        `made ${made}`,
        account.name,
      ];
      process.stdout.write(`${said.join('  ')}\n`);
    }
  });
}

/**
 * Credits an account, once for a reference, and prints its balance in micro-units.
 * @throws Error when there is no such account
 */
export async function creditAccount(
  accountId: string,
  amountMicros: number,
  reference: string,
): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    const [account] = await accounts.accounts([accountId]);
    if (account == null) throw new Error(`There is no account ${accountId}. See: npm run accounts -- list`);
    const at = systemClock.now();
    const entry = await ledger.credit({ accountId, amountMicros, reference, at });
    if (entry.at !== at)
      process.stderr.write(
        `It was credited for "${reference}" before, with ${entry.amountMicros}: nothing was added.\n`,
      );
    const { balanceMicros } = await ledger.accountBalance(accountId, '', startOfUtcDay(at));
    process.stdout.write(`${balanceMicros}\n`);
  });
}
