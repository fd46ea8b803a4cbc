/** The store of wallet sign-in: nonces, wallet accounts and web sessions. */
import type { Account, WalletMessage, WebSession } from '../account/account.ts';

/** Writes, parses and verifies the messages that a wallet signs to sign in (EIP-4361). */
export interface WalletVerifier {
  /** Returns the text that the wallet signs; null if the wallet address or another field is not valid. */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** Reads the fields of a signed text; null if the text is not a valid sign-in message. */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Returns true if the wallet at this address signed the text: with its key or, if a chain can be queried, as a contract. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}

/** Reads and writes the data of wallet sign-in. */
export interface WalletStore {
  /** Saves a nonce and removes expired nonces. Times are milliseconds since the epoch. */
  saveNonce(nonce: string, expiresAt: number, now: number): Promise<void>;
  /** Removes the nonce. Returns true if it existed and had not expired. */
  consumeNonce(nonce: string, now: number): Promise<boolean>;
  /** Returns the account of the wallet at this address. If it has none, stores and returns `newAccount`. @param address in lower case */
  findOrCreateAccount(address: string, newAccount: Account): Promise<Account>;
  /** Saves a web session and removes expired web sessions. @param now milliseconds since the epoch */
  saveWebSession(session: WebSession, now: number): Promise<void>;
  /** Returns a web session, also an expired one; null if there is none. @param hash SHA-256 of the cookie's token, hex */
  findWebSession(hash: string): Promise<WebSession | null>;
  /** Deletes a web session, if it exists. @param hash SHA-256 of the cookie's token, hex */
  deleteWebSession(hash: string): Promise<void>;
}
