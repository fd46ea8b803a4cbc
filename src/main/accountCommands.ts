/** `accounts create|list|credit`. They work while the service runs, and while it does not. */
import { randomUUID } from 'node:crypto';
import type { Account, Tier } from '../domain/account/account.ts';
import { startOfUtcDay } from '../domain/account/tiers.ts';
import { normalizeText } from '../domain/space/pageText.ts';
import { terminalJson } from '../domain/terminalText.ts';
import { systemClock } from '../service/systemClock.ts';
import { commandHint } from './commandHint.ts';
import { withStore } from './withStore.ts';

/** Creates an account and prints only its id on standard output. */
export async function createAccount(name: string, tier: Tier): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account: Account = { id: randomUUID(), name, tier, createdAt: systemClock.now() };
    await accounts.createAccount(account);
    process.stderr.write(
      `Created account "${name}" (${tier}). To create a key for it: ${commandHint('keys', `create --account ${account.id}`)}\n`,
    );
    process.stdout.write(`${account.id}\n`);
  });
}

/** Prints all accounts with tier and balance, one per line, oldest first; with `json` as one array, with balances in micro-units. */
export async function listAccounts({ json }: { readonly json: boolean }): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    const rows = [];
    for (const account of await accounts.allAccounts()) {
      const { balanceMicros } = await ledger.accountBalance(account.id, '', startOfUtcDay(systemClock.now()));
      rows.push({ ...account, createdAt: new Date(account.createdAt).toISOString(), balanceMicros });
    }
    if (json) return void process.stdout.write(`${terminalJson(rows, 2)}\n`);
    for (const { balanceMicros, ...account } of rows) {
      const created = account.createdAt.slice(0, 10);
      const columns = [
        account.id,
        account.tier.padEnd(13),
        `balance ${balanceMicros}`,
        `created ${created}`,
        normalizeText(account.name),
      ];
      process.stdout.write(`${columns.join('  ')}\n`);
    }
  });
}

/**
 * Adds an amount to the balance of an account and prints the balance in micro-units. Adds nothing if the reference was
 * credited before.
 * @throws Error when the account does not exist
 */
export async function creditAccount(
  accountId: string,
  amountMicros: number,
  reference: string,
): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    const [account] = await accounts.accounts([accountId]);
    if (account == null)
      throw new Error(
        `There is no account ${accountId}. To list the accounts: ${commandHint('accounts', 'list')}`,
      );
    const at = systemClock.now();
    const entry = await ledger.credit({ accountId, amountMicros, reference, at });
    if (entry.at !== at)
      process.stderr.write(
        `The reference "${reference}" was credited before, with ${entry.amountMicros} micro-units. Nothing was added.\n`,
      );
    const { balanceMicros } = await ledger.accountBalance(accountId, '', startOfUtcDay(at));
    process.stdout.write(`${balanceMicros}\n`);
  });
}
