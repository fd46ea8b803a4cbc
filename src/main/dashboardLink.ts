/** The one-time link by which the operator of this machine opens the dashboard signed in. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { issueApiKey } from '../service/accounts/issueApiKey.ts';
import { ensureLocalAccount } from './localAccount.ts';

/** A day: the key of a visit must not outlive it by much, and nobody notices its end within one. */
const VISIT_MS = 24 * 3_600_000;

/** A token that one request can exchange for a key of the local account. */
export interface DashboardLink {
  /** 256 random bits in Base64url. Print it only in the terminal of this machine. */
  readonly token: string;
  /** Returns a new key, with every scope, that expires after a day; null if the token is another one or was exchanged. */
  exchange(token: string): Promise<string | null>;
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Creates the link of one start of the service. The token is only in this process, so it ends with it. */
export function createDashboardLink(accounts: AccountStore, clock: Clock): DashboardLink {
  const token = randomBytes(32).toString('base64url');
  const expected = hash(token);
  let isUsed = false;
  return {
    token,
    async exchange(given) {
      if (isUsed || !timingSafeEqual(hash(given), expected)) return null;
      isUsed = true;
      const account = await ensureLocalAccount(accounts, clock);
      const { text } = await issueApiKey(
        accounts,
        {
          accountId: account.id,
          name: 'dashboard on this machine',
          scopes: ['read', 'operate', 'admin'],
          expiresAt: clock.now() + VISIT_MS,
        },
        clock.now(),
      );
      return text;
    },
  };
}
