/** Links that show one session to people without an account. */

/** The modes of a share link: to look at the session, or to take it over too. */
export const SHARE_MODES = ['read', 'control'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** A link that shows one session without an account. Times are in milliseconds since the epoch. */
export interface ShareLink {
  /** UUID. */
  readonly id: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly mode: ShareMode;
  /** SHA-256 of the secret, hex. The secret itself is stored nowhere. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** Number of times that the link was opened. */
  readonly views: number;
}

/** One opening of a share link, which has a token of its own. */
export interface ShareVisit {
  /** UUID. */
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
