/** The audit log of each account: who changed what may be done, and which secrets were used. Rows are added, and never changed. */

/** Kinds of rows. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.policy_set',
  'key.revoked',
  'profile.deleted',
  'profile.restored',
  'vault.saved',
  'vault.deleted',
  'vault.fill',
  'take_over.begun',
  'take_over.ended',
  'share_link.created',
  'share_link.revoked',
  'approval.granted',
  'approval.denied',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A row before it is added. */
export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The id of the key, `wallet:…` or `oauth:…` of the caller; `operator` for the command line. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The id or the name of what it is about. */
  readonly subject: string;
  /** More of it, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A row of the log. */
export interface AuditEntry extends AuditRecord {
  /** 1, 2, 3, … within the account. */
  readonly seq: number;
  /** SHA-256 of the row and of the hash of the row before, hex. */
  readonly hash: string;
}

/** The first row of an account that does not follow from the one before it. */
export interface BrokenChain {
  readonly accountId: string;
  readonly seq: number;
  readonly reason: string;
}

/** The result of a check of all chains. */
export interface AuditCheck {
  readonly rows: number;
  /** The newest row of each account: kept elsewhere, its hash shows later that no row was removed from the end. */
  readonly heads: readonly { readonly accountId: string; readonly seq: number; readonly hash: string }[];
  readonly broken: readonly BrokenChain[];
}

export interface AuditLog {
  /** Adds a row to the log of an account. */
  append(accountId: string, record: AuditRecord): Promise<void>;
  /** Returns rows of an account, the newest first. @param before only rows with a lower `seq`; null for the newest */
  entries(accountId: string, before: number | null, limit: number): Promise<readonly AuditEntry[]>;
  /** Checks the chain of each account. Reads everything: only for the command line and tests. */
  check(): Promise<AuditCheck>;
}
