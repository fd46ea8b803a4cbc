/** Wallet sign-in (EIP-4361). */

/** The fields of the message (EIP-4361) that a user signs with a wallet to sign in. Times are in milliseconds since the epoch. */
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

/** The sign-in of a user's web browser with a wallet, on the home page. */
export interface WebSession {
  /** SHA-256 of the token in the browser's cookie, hex. */
  readonly hash: string;
  readonly accountId: string;
  /** The wallet address in lower case. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}
