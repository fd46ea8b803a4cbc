/** `keys create|list|revoke`: API keys of an account, by default the local one. They work while the service runs, and while it does not. */
import type { Account, ApiKey, KeyScope } from '../domain/account/account.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import { normalizeText } from '../domain/space/pageText.ts';
import { terminalJson } from '../domain/terminalText.ts';
import { issueApiKey } from '../service/accounts/issueApiKey.ts';
import { systemClock } from '../service/systemClock.ts';
import { commandHint } from './commandHint.ts';
import { ensureLocalAccount } from './localAccount.ts';
import { withStore } from './withStore.ts';

const MS_PER_DAY = 86_400_000;

/** Creates an API key and prints only the key on standard output; its id and scopes go to standard error. */
export async function createKey(options: {
  name: string;
  scopes: readonly KeyScope[];
  expiresInDays: number | null;
  /** The id of the account; null for the local account. */
  account: string | null;
  spendCapMicros: number | null;
}): Promise<void> {
  await withStore(async ({ accounts }) => {
    const now = systemClock.now();
    const account = await resolveAccount(accounts, options.account);
    const expiresAt = options.expiresInDays === null ? null : now + options.expiresInDays * MS_PER_DAY;
    const { name, scopes, spendCapMicros } = options;
    const { text, key } = await issueApiKey(
      accounts,
      { accountId: account.id, name, scopes, expiresAt, spendCapMicros },
      now,
    );
    process.stderr.write(`Created key ${key.id} (${scopes.join(', ')}). It is shown only once:\n`);
    process.stdout.write(`${text}\n`);
  });
}

/** Prints the API keys of an account (default: local), one per line, oldest first; with `json` as one array. Prints only the start of each key. */
export async function listKeys(options: { account: string | null; json: boolean }): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account = await resolveAccount(accounts, options.account);
    const keys = await accounts.keys(account.id);
    if (options.json) return void process.stdout.write(`${terminalJson(keys.map(keyFields), 2)}\n`);
    if (keys.length === 0)
      process.stderr.write(`There are no keys. To create one: ${commandHint('keys', 'create')}\n`);
    for (const key of keys) process.stdout.write(`${formatKey(key)}\n`);
  });
}

/** Revokes an API key and prints it; a running service rejects it within five seconds. @throws Error when the key does not exist */
export async function revokeKey(id: string, options: { account: string | null }): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account = await resolveAccount(accounts, options.account);
    const key = await accounts.revokeKey(account.id, id, systemClock.now());
    if (key === null)
      throw new Error(`There is no key ${id}. To list the keys: ${commandHint('keys', 'list')}`);
    process.stdout.write(`${formatKey(key)}\n`);
  });
}

/** Returns the account with this id; the local account for null. @throws Error when the account does not exist */
async function resolveAccount(accounts: AccountStore, id: string | null): Promise<Account> {
  if (id === null) return ensureLocalAccount(accounts, systemClock);
  const [account] = await accounts.accounts([id]);
  if (account != null) return account;
  throw new Error(`There is no account ${id}. To list the accounts: ${commandHint('accounts', 'list')}`);
}

const keyFields = (key: ApiKey) => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  state: stateOf(key),
  scopes: key.scopes,
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTime(key.lastUsedAt),
  expiresAt: isoTime(key.expiresAt),
  revokedAt: isoTime(key.revokedAt),
});

const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const stateOf = (key: ApiKey): 'valid' | 'expired' | 'revoked' =>
  key.revokedAt !== null ? 'revoked' : isExpired(key) ? 'expired' : 'valid';

const formatKey = (key: ApiKey): string =>
  [
    key.id,
    `${key.prefix}…`,
    stateOf(key).padEnd(7),
    `created ${formatDate(key.createdAt)}`,
    `used ${key.lastUsedAt === null ? 'never' : formatDate(key.lastUsedAt)}`,
    ...(key.expiresAt === null ? [] : [`expires ${formatDate(key.expiresAt)}`]),
    key.scopes.join(','),
    normalizeText(key.name),
  ].join('  ');

const isExpired = (key: ApiKey): boolean => key.expiresAt !== null && key.expiresAt <= systemClock.now();
const formatDate = (at: number): string => new Date(at).toISOString().slice(0, 10);
