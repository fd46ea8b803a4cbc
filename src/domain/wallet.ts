/** Signing in with a wallet (EIP-4361): what is signed, who reads it, what is kept. */
import type { Account } from './account.ts';

/** What a message to be signed says. Times in milliseconds since the epoch. */
export interface WalletMessage {
  /** `0x` and 40 hex digits. */
  readonly address: string;
  readonly chainId: number;
  /** Host and port of the service. */
  readonly domain: string;
  readonly uri: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Writes, reads and verifies such messages. */
export interface WalletVerifier {
  /** @returns the text to sign, or null when the address is none */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** @returns null when the text is no such message */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Whether the address signed this text: by its key, or as a contract where a chain can be asked. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}

/** A visit of a browser: begun by signing in, ended by signing out or by time. */
export interface WebSession {
  /** SHA-256 of the cookie's token, hex. */
  readonly hash: string;
  readonly accountId: string;
  /** Lower case. */
  readonly address: string;
  readonly expiresAt: number;
}

/** What signing in keeps. */
export interface WalletStore {
  /** Keeps a nonce until it is taken or has expired; those that have are removed. */
  saveNonce(nonce: string, expiresAt: number, now: number): Promise<void>;
  /** @returns whether it was there and had not expired; it is not any more */
  consumeNonce(nonce: string, now: number): Promise<boolean>;
  /** The account of a wallet; `fresh` becomes it where it has none. */
  findOrCreateAccount(address: string, fresh: Account): Promise<Account>;
  /** Keeps a visit; those that have expired are removed. */
  saveWebSession(visit: WebSession, now: number): Promise<void>;
  findWebSession(hash: string): Promise<WebSession | null>;
  deleteWebSession(hash: string): Promise<void>;
}
