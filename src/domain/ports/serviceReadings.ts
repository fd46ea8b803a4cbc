/** The numbers of a node, for the operator of the service. */

/** The time that one operation took, for its callers, since the start of the node. */
export interface OperationReading {
  /** `start`, `observe`, `step`, `scrape`, `close` or `uploadFile`. */
  readonly operation: string;
  readonly count: number;
  /** The median in milliseconds, estimated from the buckets of a histogram. */
  readonly p50Ms: number;
  /** The 95th percentile in milliseconds, estimated likewise. */
  readonly p95Ms: number;
}

/** How often an operation has failed with one code since the start of the node. */
export interface FailureReading {
  readonly operation: string;
  /** A code of the table of failures. */
  readonly code: string;
  readonly count: number;
}

/** The walls around the browsers of a node. */
export interface SandboxReading {
  /** The names of those that stand: `chromium`, and the layers of the outer sandbox. */
  readonly layers: readonly string[];
  /** One line: which layers of the outer sandbox stand, and why the others do not. */
  readonly summary: string;
  /** The warning in the log at the start; null for none. */
  readonly warning: string | null;
}

/** The numbers of a node. */
export interface ServiceReadings {
  /** Maximum of `sessions`. */
  readonly places: number;
  /** Sessions that have a place, including those that are starting. */
  readonly sessions: number;
  readonly waitingStarts: number;
  /** Running Chromium processes, each with several sessions. */
  readonly browsers: number;
  /** Resident memory of the process of the service, in bytes. */
  readonly processBytes: number;
  /** Memory that the end of all browsers would free, in bytes; null where the system does not tell. */
  readonly browserBytes: number | null;
  readonly operations: readonly OperationReading[];
  readonly failures: readonly FailureReading[];
  /** Addresses and downloads that were refused to pages since the start of the node. */
  readonly refusedAddresses: number;
  readonly sandbox: SandboxReading;
}
