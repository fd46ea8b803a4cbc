/** The store of wallet sign-in: nonces, wallet accounts and web sessions. */
import type { Account } from '../account.ts';
import type { WebSession } from '../wallet.ts';

/** Reads and writes the data of wallet sign-in. */
export interface WalletStore {
  /** Saves a nonce and removes expired ones. */
  saveNonce(nonce: string, expiresAt: number, now: number): Promise<void>;
  /** Removes the nonce. Returns true if it existed and had not expired. */
  consumeNonce(nonce: string, now: number): Promise<boolean>;
  /** Returns the account of a wallet. Stores `newAccount` for a wallet without one. */
  findOrCreateAccount(address: string, newAccount: Account): Promise<Account>;
  /** Saves a web session and removes expired ones. */
  saveWebSession(session: WebSession, now: number): Promise<void>;
  /** @param hash SHA-256 of the cookie's token, hex */
  findWebSession(hash: string): Promise<WebSession | null>;
  deleteWebSession(hash: string): Promise<void>;
}
