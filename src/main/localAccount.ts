/** The local account, which belongs to the operator, and its first key. */
import { randomUUID } from 'node:crypto';
import type { Account, KeyScope } from '../domain/account.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { issueApiKey } from '../service/accounts/issueApiKey.ts';

const LOCAL_ACCOUNT_NAME = 'local';
const ALL_SCOPES: readonly KeyScope[] = ['read', 'operate', 'admin'];

/** Returns the local account, which belongs to the operator and has no limits; creates it if it is missing. */
export async function ensureLocalAccount(accounts: AccountStore, clock: Clock): Promise<Account> {
  const known = await accounts.findAccountByName(LOCAL_ACCOUNT_NAME);
  if (known !== null) return known;
  const account: Account = {
    id: randomUUID(),
    name: LOCAL_ACCOUNT_NAME,
    tier: 'local',
    createdAt: clock.now(),
  };
  await accounts.createAccount(account);
  return account;
}

/** Creates the first API key of the local account and returns its text; null when the account has a key already. */
export async function createFirstKey(accounts: AccountStore, clock: Clock): Promise<string | null> {
  const account = await ensureLocalAccount(accounts, clock);
  if ((await accounts.keys(account.id)).length > 0) return null;
  const options = { accountId: account.id, name: 'first key', scopes: ALL_SCOPES, expiresAt: null };
  return (await issueApiKey(accounts, options, clock.now())).text;
}
