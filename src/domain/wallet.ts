/** Wallet sign-in (EIP-4361). */

/** The fields of a sign-in message. Times are in milliseconds since the epoch. */
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

/** A browser that is signed in with a wallet. */
export interface WebSession {
  /** SHA-256 of the cookie's token, hex. */
  readonly hash: string;
  readonly accountId: string;
  /** The wallet address in lower case. */
  readonly address: string;
  readonly expiresAt: number;
}
