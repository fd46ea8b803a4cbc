/** The audit log of each account: who changed what may be done, and which secrets were used. Rows are added, and never changed. */
import type { Viewer } from '../account/account.ts';
import type { AccountStore, ProfileStore, ShareLinkStore, VaultStore } from './accountStore.ts';

export const AUDIT_ACTIONS = [
  'key.created',
  'key.policy_set',
  'key.revoked',
  'profile.deleted',
  'profile.exported',
  'profile.imported',
  'profile.renamed',
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

export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The id of the key, `wallet:…`, `oauth:…` or `link:…` of the caller; `operator` for the command line, `service` for the service itself. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

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

export interface AuditCheck {
  readonly rows: number;
  /** The newest row of each account: kept elsewhere, its hash shows later that no row was removed from the end. */
  readonly heads: readonly { readonly accountId: string; readonly seq: number; readonly hash: string }[];
  readonly broken: readonly BrokenChain[];
}

export interface AuditedStores {
  readonly accounts: AccountStore;
  readonly profiles: ProfileStore;
  readonly shareLinks: ShareLinkStore;
  readonly vault: VaultStore;
}

export interface AuditLog {
  /**
   * Adds a row to the log of an account, and does what it tells in the same transaction: both happen, or neither.
   * @param act writes to the given stores only, and can run again when the transaction does; absent for a use without a write
   */
  append<Result = void>(
    accountId: string,
    record: AuditRecord,
    act?: (stores: AuditedStores) => Promise<Result>,
  ): Promise<Result>;
  /** Returns rows of an account, the newest first. @param before only rows with a lower `seq`; null for the newest */
  entries(accountId: string, before: number | null, limit: number): Promise<readonly AuditEntry[]>;
  /** Checks the chain of each account. Reads everything: only for the command line and tests. */
  check(): Promise<AuditCheck>;
}

/** Does what a caller asks for, with its row in the audit log: see `AuditLog.append`. */
export type Audit = <Result = void>(
  caller: { readonly account: Pick<Viewer['account'], 'id'>; readonly keyId: string },
  record: Pick<AuditRecord, 'action' | 'subject'> & Partial<Pick<AuditRecord, 'details'>>,
  act?: (stores: AuditedStores) => Promise<Result>,
) => Promise<Result>;

/** Writes that the service itself has ended the take-over of a session. */
export const auditLostTakeOver = (
  audit: Audit,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  details: { readonly name: string | null; readonly reason: string },
): Promise<void> =>
  audit(
    { account: { id: accountId }, keyId: 'service' },
    { action: 'take_over.ended', subject: id, details },
  );

/** Creates the function that writes the rows of callers. @param now milliseconds since the epoch */
export const createAudit =
  (auditLog: AuditLog, now: () => number): Audit =>
  ({ account, keyId }, { details = {}, ...record }, act) =>
    auditLog.append(account.id, { ...record, details, at: now(), actor: keyId }, act);
