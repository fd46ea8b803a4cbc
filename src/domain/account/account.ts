import type { Caller, CallerKind } from '../session/performedOperation.ts';
import type { RecordMode } from '../session/session.ts';
import type { KeyPolicy } from './keyPolicy.ts';

/** Limits of one account, set by its tier; null for no limit. */
export interface TierLimits {
  readonly sessionsAtOnce: number | null;
  /** Requests per minute, across GraphQL, REST and all keys. A GraphQL operation counts by its root fields. */
  readonly requestsPerMinute: number | null;
  /** Browser minutes per day (UTC) of all sessions of the account together. */
  readonly browserMinutesPerDay: number | null;
  /** Maximum idle timeout of a session, in minutes. The service's own maximum applies too. */
  readonly timeoutMinutes: number | null;
}

export type TierTable = Readonly<Record<Tier, TierLimits>>;

/** Default limits of each tier. Those of `free` come from the contract, section 6, with a shorter maximum timeout. */
export const TIER_LIMITS: TierTable = {
  local: {
    sessionsAtOnce: null,
    requestsPerMinute: null,
    browserMinutesPerDay: null,
    timeoutMinutes: null,
  },
  free: { sessionsAtOnce: 2, requestsPerMinute: 60, browserMinutesPerDay: 60, timeoutMinutes: 15 },
  pay_as_you_go: {
    sessionsAtOnce: 50,
    requestsPerMinute: 600,
    browserMinutesPerDay: null,
    timeoutMinutes: 30,
  },
};

export const MS_PER_DAY = 86_400_000;

export const startOfUtcDay = (at: number): number => Math.floor(at / MS_PER_DAY) * MS_PER_DAY;

/** Returns the whole seconds until the next day (UTC); at least 1. */
export const secondsUntilNextUtcDay = (at: number): number =>
  Math.ceil((startOfUtcDay(at) + MS_PER_DAY - at) / 1_000);

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

/** The sign-in of a user's web browser with a wallet, in the dashboard. */
export interface WebSession {
  /** SHA-256 of the token in the browser's cookie, hex. */
  readonly hash: string;
  readonly accountId: string;
  /** The wallet address in lower case. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export const TIERS = ['local', 'free', 'pay_as_you_go'] as const;
/** The tier of an account: it decides the account's limits and prices. `local` has no limits: it is the tier of the account that the first start of the service creates. */
export type Tier = (typeof TIERS)[number];

export function parseTier(name: string): Tier {
  const tier = TIERS.find(known => known === name);
  if (tier === undefined) throw new Error(`There is no tier "${name}".`);
  return tier;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly createdAt: number;
}

export const KEY_SCOPES = ['read', 'operate', 'admin'] as const;
/** A permission of an API key: `read` data, `operate` sessions, or `admin`: manage keys. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Returns true if a key with these scopes has the permission `needed`. `admin` includes all scopes, `operate` includes `read`. */
export function scopesGrant(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  if (scopes.includes(needed) || scopes.includes('admin')) return true;
  return needed === 'read' && scopes.includes('operate');
}

/** An API key as the store keeps it: its hash, never the key itself. Times are in milliseconds since the epoch. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the key, to identify it in a list. */
  readonly prefix: string;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Total amount charged to the key, in micro-units (millionths of the operator's unit of account). */
  readonly spentMicros: number;
  /** Maximum of `spentMicros`; null for no maximum. */
  readonly spendCapMicros: number | null;
  /** The pictures that the sessions of the key record, if their caller does not choose; absent for the setting of the service. */
  readonly record?: RecordMode;
  /** False if the sessions that the key starts do not record the console and the requests; absent for the setting of the service. */
  readonly pageLog?: boolean;
  /** Absent: the key may do all that its scopes allow. */
  readonly policy?: KeyPolicy;
}

export interface Viewer {
  readonly account: Account;
  /** Id of the API key; `wallet:` and the address for a caller that signed in with a wallet; `oauth:` and the account for one with an access token. */
  readonly keyId: string;
  readonly keyName?: string;
  readonly scopes: readonly KeyScope[];
  readonly policy?: KeyPolicy;
  /** The kind of the caller; absent for `agent`, a program that calls REST or GraphQL. */
  readonly kind?: CallerKind;
  /** The share link that the caller has opened, and the visit: only its session may be shown; absent for a caller with an account. */
  readonly link?: {
    readonly id: string;
    readonly visitId: string;
    readonly sessionId: string;
    readonly mode: ShareMode;
  };
  /** Id of the take-over of a session that this person has; absent for none. */
  readonly holdId?: string;
  readonly recording?: Pick<ApiKey, 'record' | 'pageLog'>;
}

export const callerOf = ({ keyId, keyName, kind = 'agent' }: Viewer): Caller => ({
  keyId,
  keyName: keyName ?? null,
  kind,
});

export const isOperator = ({ account, scopes }: Viewer): boolean =>
  account.tier === 'local' && scopes.includes('admin');

const SHARE_MODES = ['read', 'control'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** A link that shows one session without an account. Times are in milliseconds since the epoch. */
export interface ShareLink {
  readonly id: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly mode: ShareMode;
  /** SHA-256 of the secret, hex. The secret itself is stored nowhere. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly views: number;
}

/** One opening of a share link, which has a token of its own. */
export interface ShareVisit {
  readonly id: string;
  readonly linkId: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly beganAt: number;
  /** Time at which the view was last known to be open. */
  readonly seenAt: number;
  /** False once the view was closed. */
  readonly isOpen: boolean;
}
