/** The result of an audit: whether sessions, operations, ledger and totals agree. */

/** A row that contradicts another one. */
export interface LedgerFinding {
  /** Name of the rule that is broken, such as `session time`. */
  readonly rule: string;
  readonly accountId: string;
  /** The session, key or ledger row that the finding is about; null if it is about the whole account. */
  readonly subject: string | null;
  /** The value on the first side. */
  readonly expected: string;
  /** The value on the second side. */
  readonly found: string;
}

/** The result of an audit of the whole store. */
export interface LedgerAudit {
  readonly accounts: number;
  readonly sessions: number;
  readonly ledgerRows: number;
  /** The names of all rules that were checked. */
  readonly rules: readonly string[];
  /** At most 100 findings for each rule; empty if everything agrees. */
  readonly findings: readonly LedgerFinding[];
}
