/** Accounts of callers whom an OAuth issuer authenticates. */

import { createHash } from 'node:crypto';
import type { Account } from '../../domain/account/account.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';

/** Maximum length of a subject in the name of its account. Issuers choose subjects; names are printed in terminals, too. */
const MAX_SUBJECT_CHARACTERS = 100;

export interface TokenAccounts {
  /** Returns the account of a subject of an issuer; the first call creates it, with the tier `free`. */
  accountOfSubject(issuer: string, subject: string): Promise<Account>;
}

/** Creates the accounts of subjects. The id of an account is computed from issuer and subject, so that two first calls at once create one account. */
export function createTokenAccounts(accounts: AccountStore, clock: Clock): TokenAccounts {
  return {
    async accountOfSubject(issuer, subject) {
      const id = accountIdOf(issuer, subject);
      const [found] = await accounts.accounts([id]);
      if (found != null) return found;
      const { host } = new URL(issuer);
      const account: Account = {
        id,
        name: `${truncate(normalizeText(subject), MAX_SUBJECT_CHARACTERS)} (${host})`,
        tier: 'free',
        createdAt: clock.now(),
      };
      try {
        await accounts.createAccount(account);
        return account;
      } catch (error) {
        // Another request of the same subject created it meanwhile.
        const [created] = await accounts.accounts([id]);
        if (created != null) return created;
        throw error;
      }
    },
  };
}

/** A UUID of version 8 (RFC 9562) from the SHA-256 of both names. */
function accountIdOf(issuer: string, subject: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
