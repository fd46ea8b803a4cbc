/** The local account, which belongs to the operator, and its first key. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Account, KeyScope } from '../domain/account/account.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { NodeEpoch } from '../domain/ports/nodes.ts';
import { issueApiKey } from '../service/accounts/apiKeys.ts';
import type { ClusterEngines } from './engines.ts';

const LOCAL_ACCOUNT_NAME = 'local';
/** Fixed ids: of nodes that start together on an empty database, only one creates each (UUID version 8, RFC 9562). */
const LOCAL_ACCOUNT_ID = '6c6f6361-6c00-8000-8000-000000000001';
const FIRST_KEY_ID = '6c6f6361-6c00-8000-8000-000000000002';
const ALL_SCOPES: readonly KeyScope[] = ['read', 'operate', 'admin'];

/** Returns the local account, which belongs to the operator and has no limits; creates it if it is missing. */
export async function ensureLocalAccount(accounts: AccountStore, clock: Clock): Promise<Account> {
  const known = await accounts.findAccountByName(LOCAL_ACCOUNT_NAME);
  if (known !== null) return known;
  const account: Account = {
    id: LOCAL_ACCOUNT_ID,
    name: LOCAL_ACCOUNT_NAME,
    tier: 'local',
    createdAt: clock.now(),
  };
  try {
    await accounts.createAccount(account);
    return account;
  } catch (error) {
    const created = await accounts.findAccountByName(LOCAL_ACCOUNT_NAME);
    if (created !== null) return created;
    throw error;
  }
}

/** Creates the first API key of the local account and returns its text; null when the account has a key already, also one that another node creates now. */
export async function createFirstKey(accounts: AccountStore, clock: Clock): Promise<string | null> {
  const account = await ensureLocalAccount(accounts, clock);
  if ((await accounts.keys(account.id)).length > 0) return null;
  const options = { accountId: account.id, name: 'first key', scopes: ALL_SCOPES, expiresAt: null };
  try {
    return (await issueApiKey(accounts, { ...options, id: FIRST_KEY_ID }, clock.now())).text;
  } catch (error) {
    if ((await accounts.keys(account.id)).length > 0) return null;
    throw error;
  }
}

/** The claim that lets one of the nodes that start together create the first key. */
const FIRST_KEY_CLAIM = { accountId: LOCAL_ACCOUNT_NAME, key: 'first key', inputHash: 'first key' };

/** Maximum wait for a valid lease, in milliseconds: on a busy machine, the start of the browser can take longer than a lease is valid. */
const LEASE_WAIT_MS = 10_000;
const LEASE_CHECK_INTERVAL_MS = 50;

/** Returns the epoch of this node as soon as its lease is valid. @throws Failure DEPENDENCY_UNAVAILABLE */
async function validLease(authority: ClusterEngines['authority']): Promise<NodeEpoch> {
  const giveUpAt = performance.now() + LEASE_WAIT_MS;
  while (authority.current === null && performance.now() < giveUpAt) await delay(LEASE_CHECK_INTERVAL_MS);
  return authority.assert();
}

/** Like `createFirstKey`, for nodes of a cluster that start at the same time: one of them creates the key. */
export async function createFirstClusterKey(
  { store, authority }: ClusterEngines,
  clock: Clock,
): Promise<string | null> {
  const owner = await validLease(authority);
  const claim = await store.idempotency.claim(FIRST_KEY_CLAIM, owner);
  if (claim.type !== 'claimed') return null;
  try {
    return await createFirstKey(store.accounts, clock);
  } finally {
    await store.idempotency.release(FIRST_KEY_CLAIM, owner);
  }
}
