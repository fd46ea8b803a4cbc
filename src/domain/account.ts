/** Who may use the service: accounts and their keys. */

export const TIERS = ['local', 'free', 'pay_as_you_go'] as const;
/** `local` has no limits; it is the account made on first start with the embedded store. */
export type Tier = (typeof TIERS)[number];

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly createdAt: number;
}

export const KEY_SCOPES = ['read', 'operate', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether a key with these scopes may do what needs this one: `admin` may all, and who may operate may read. */
export function scopesGrant(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  if (scopes.includes(needed) || scopes.includes('admin')) return true;
  return needed === 'read' && scopes.includes('operate');
}

/** An API key as it is kept: never the key itself. */
export interface ApiKey {
  /** UUID. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The key's first characters, to tell keys apart in a list. */
  readonly prefix: string;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** What was charged to it in all, in micro-units. */
  readonly spentMicros: number;
  /** What may be charged to it in all, in micro-units; null for any amount. */
  readonly spendCapMicros: number | null;
}

/** Who is asking. */
export interface Viewer {
  readonly account: Account;
  readonly keyId: string;
  readonly scopes: readonly KeyScope[];
}

/** Whether the service's own operator is asking: by a key of a local account with the scope `admin`. */
export const isOperator = ({ account, scopes }: Viewer): boolean =>
  account.tier === 'local' && scopes.includes('admin');
