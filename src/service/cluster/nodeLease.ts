import { afterMs, race } from '../../async/race.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { NodeEpoch, NodeLoad, NodeRegistry } from '../../domain/ports/nodes.ts';
import { EXPIRY_MS, type NodeAuthority, VALIDITY_MS } from './nodeAuthority.ts';
import { retryWhileUnavailable } from './routedReads.ts';

const RENEWAL_INTERVAL_MS = 1_000;

export interface NodeLeaseDeps {
  readonly nodes: NodeRegistry;
  readonly authority: NodeAuthority;
  readonly clock: Clock;
  readonly nodeId: string;
  readonly version: string;
  readonly load: () => NodeLoad;
  /** Called after each registration, with the new epoch. */
  readonly onRegistered: (node: NodeEpoch) => Promise<void>;
  /** Called before `onLost` if the lease is lost because the database did not answer. */
  readonly onSilence: () => void;
  /** Called when the lease is lost: this node must close its browsers. The node registers anew after it. */
  readonly onLost: (node: NodeEpoch, reason: string) => Promise<void>;
  readonly warn: (message: string, error?: unknown) => void;
}

/** A registration, and the time of the monotonic clock at which it was sent. */
interface Registration {
  readonly sentAt: number;
  readonly node: NodeEpoch;
}

export class NodeLease {
  readonly #deps: NodeLeaseDeps;
  #node: NodeEpoch | null = null;
  #cancels = new Set<() => void>();
  #isStopped = false;
  #reachesDatabase = true;
  #isUnique = true;
  /** The live epoch under the name of this node that was seen last, and when it was seen first. */
  #namesake: { readonly epoch: number; readonly seenAt: number; isReported: boolean } | null = null;

  constructor(deps: NodeLeaseDeps) {
    this.#deps = deps;
  }

  /** False since the last renewal or registration failed, until one succeeds. */
  get reachesDatabase(): boolean {
    return this.#reachesDatabase;
  }

  /** Registers this node, and keeps its lease until `stop`. @throws Failure DEPENDENCY_UNAVAILABLE after eight seconds */
  async start(): Promise<NodeEpoch> {
    const node = await this.#register(attempt => retryWhileUnavailable(attempt, this.#deps.clock));
    this.#watch();
    return node;
  }

  /** Ends the epoch of this node, so that other nodes need not wait until it expires. Idempotent. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    const node = this.#node;
    this.#node = null;
    this.#deps.authority.revoke();
    if (node !== null) await this.#deps.nodes.release(node).catch(() => undefined);
  }

  async #register(
    run: (attempt: () => Promise<Registration>) => Promise<Registration> = attempt => attempt(),
  ): Promise<NodeEpoch> {
    const { nodes, authority, clock, nodeId, version, onRegistered } = this.#deps;
    const { sentAt, node } = await run(async () => ({
      sentAt: clock.monotonicNow(),
      node: await nodes.register(nodeId, version),
    }));
    const current = this.#node;
    if (this.#isStopped) await nodes.release(node);
    // An attempt that had timed out was executed late. It has ended the epoch of a registration before it.
    if (current !== null && current.epoch < node.epoch)
      this.#lose(current, 'Another registration of this node ended its lease.');
    if (this.#isStopped || current !== null) return node;
    this.#node = node;
    authority.grant(node, sentAt);
    this.#reachesDatabase = true;
    this.#isUnique = true;
    await onRegistered(node);
    this.#after(RENEWAL_INTERVAL_MS, () => this.#renew(node));
    return node;
  }

  #renew(node: NodeEpoch): void {
    const { nodes, authority, clock, load, warn } = this.#deps;
    if (this.#node !== node) return;
    // The next renewal does not wait for this one: a request that hangs must not end the lease.
    this.#after(RENEWAL_INTERVAL_MS, () => this.#renew(node));
    const sentAt = clock.monotonicNow();
    nodes.renew(node, load()).then(
      isValid => {
        if (this.#node !== node) return;
        if (isValid) authority.grant(node, sentAt);
        else
          this.#lose(node, 'Another node ended the lease of this node, because it was not renewed in time.');
        this.#reachesDatabase = true;
      },
      error => {
        if (this.#reachesDatabase) warn('The lease of this node could not be renewed', error);
        this.#reachesDatabase = false;
      },
    );
  }

  #watch(): void {
    const { authority, onSilence } = this.#deps;
    if (this.#node !== null && authority.remainingMs === 0) {
      onSilence();
      this.#lose(this.#node, 'This node could not renew its lease: the database did not answer.');
    }
    this.#after(Math.max(20, Math.min(authority.remainingMs, VALIDITY_MS)), () => this.#watch());
  }

  #lose(node: NodeEpoch, reason: string): void {
    const { authority, onLost, warn } = this.#deps;
    if (this.#isStopped) return;
    this.#node = null;
    authority.revoke();
    warn(`${reason} All sessions of this node end.`);
    void onLost(node, reason)
      .catch(error => warn('The sessions of a lost lease did not all close', error))
      .then(() => this.#registerAgain(node));
  }

  /** @throws Error if another process has registered under the name of this node after it, and lives */
  async #assertUnique(lost: NodeEpoch): Promise<void> {
    const { nodes, nodeId, clock, warn } = this.#deps;
    await nodes.endExpired(EXPIRY_MS);
    const other = (await nodes.liveNodes()).find(each => each.nodeId === nodeId && each.epoch > lost.epoch);
    if (other === undefined) return;
    this.#isUnique = false;
    const now = clock.monotonicNow();
    if (this.#namesake?.epoch !== other.epoch)
      this.#namesake = { epoch: other.epoch, seenAt: now, isReported: false };
    const namesake = this.#namesake;
    // A registration of this process whose answer was lost looks the same at first, but no process renews it.
    if (!namesake.isReported && now - namesake.seenAt > EXPIRY_MS) {
      namesake.isReported = true;
      warn(
        `Another process runs as node ${nodeId}. Give each node its own PAGESPACE_NODE_ID. This one waits.`,
      );
    }
    throw new Error('The name of this node is in use.');
  }

  async #registerAgain(lost: NodeEpoch): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#assertUnique(lost);
      // A late registration of an earlier attempt ends the epoch of this one; the node then registers once more.
      await race(
        this.#register(),
        afterMs(VALIDITY_MS, (): never => {
          throw new Error('The database did not answer');
        }),
      );
      this.#deps.warn('This node has registered again and takes sessions.');
    } catch {
      this.#reachesDatabase = !this.#isUnique;
      this.#after(RENEWAL_INTERVAL_MS, () => void this.#registerAgain(lost));
    }
  }

  #after(ms: number, callback: () => void): void {
    if (this.#isStopped) return;
    const cancel = this.#deps.clock.scheduleAfter(ms, () => {
      this.#cancels.delete(cancel);
      callback();
    });
    this.#cancels.add(cancel);
  }
}
