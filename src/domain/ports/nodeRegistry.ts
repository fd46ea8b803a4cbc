/** The nodes of the cluster and their leases, as the database knows them. */

/** A node and one life of it. Every write of the node names both; after the epoch has ended, the database refuses its writes. */
export interface NodeEpoch {
  readonly nodeId: string;
  /** Counts the starts of all nodes: a later start has a higher number. */
  readonly epoch: number;
}

/** The load that a node reports with each renewal of its lease. */
export interface NodeLoad {
  readonly sessions: number;
  readonly capacity: number;
  /** True while the node takes no new sessions because it is about to stop. */
  readonly draining: boolean;
}

/** A node whose lease is valid. */
export interface LiveNode extends NodeEpoch, NodeLoad {
  readonly version: string;
}

/**
 * Keeps the leases of the nodes. All times are those of the database: the clocks of the nodes do not matter.
 * Every method throws Failure DEPENDENCY_UNAVAILABLE while the database cannot be reached.
 */
export interface NodeRegistry {
  /** Registers a start of a node. An earlier epoch of the same node ends at once. */
  register(nodeId: string, version: string): Promise<NodeEpoch>;
  /** Renews the lease. Returns false if the epoch has ended: the node must close its browsers and write nothing more. */
  renew(node: NodeEpoch, load: NodeLoad): Promise<boolean>;
  /**
   * Ends the epochs whose lease was not renewed for `expiryMs`. An epoch whose node still writes a transaction ends with
   * a later call, at most two seconds later.
   * @returns the ended epochs that still have active sessions. Each is returned to one live node only: to the first that
   * asks, with every call until the sessions have ended; to another one if that node ends meanwhile
   */
  endExpired(expiryMs: number): Promise<readonly NodeEpoch[]>;
  /** Ends the epoch of a node that stops. Idempotent. */
  release(node: NodeEpoch): Promise<void>;
  /** Returns the nodes whose epoch has not ended. */
  liveNodes(): Promise<readonly LiveNode[]>;
}
