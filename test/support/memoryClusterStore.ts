/**
 * The stores of a cluster within one process, for tests of what runs above them: one SQLite store in memory for all nodes,
 * with the rules of PostgreSQL for leases, owners and idempotency keys.
 */
import { Failure } from '../../src/domain/failure/failures.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type {
  IdempotencyClaim,
  IdempotencyStore,
  NodeEpoch,
  NodeLoad,
  NodeRegistry,
} from '../../src/domain/ports/nodes.ts';
import type { SessionStore } from '../../src/domain/ports/sessionStore.ts';
import type { Store } from '../../src/store/store.ts';

interface NodeRow extends NodeEpoch, NodeLoad {
  readonly version: string;
  renewedAt: number;
  endedAt: number | null;
}

interface KeyRow {
  readonly inputHash: string;
  readonly owner: NodeEpoch;
  response: Uint8Array | null;
}

/** The database of a cluster, and its failures. */
export interface MemoryClusterStore {
  /** Returns the stores of one node. @param authority returns its epoch; null without a lease */
  nodeStore(
    nodeId: string,
    authority: () => NodeEpoch | null,
  ): Pick<
    Store,
    'sessions' | 'accounts' | 'ledger' | 'wallets' | 'profiles' | 'vault' | 'auditLog' | 'shareLinks'
  > & {
    readonly nodes: NodeRegistry;
    readonly idempotencyKeys: IdempotencyStore;
  };
  /** Names of the nodes that cannot reach the database. */
  readonly cutOff: Set<string>;
}

const unavailable = (detail: string): Failure =>
  new Failure('DEPENDENCY_UNAVAILABLE', detail, { retryAfterSeconds: 1 });

/** Creates the database on a store. @param clock the clock of the leases */
export function memoryClusterStore(store: Store, clock: Clock): MemoryClusterStore {
  const rows: NodeRow[] = [];
  const keys = new Map<string, KeyRow>();
  const owners = new Map<string, NodeEpoch>();
  const cutOff = new Set<string>();

  const row = ({ epoch }: NodeEpoch) => rows.find(each => each.epoch === epoch);
  const isOpen = (owner: NodeEpoch) => row(owner)?.endedAt === null;
  const keyOf = ({ accountId, key }: IdempotencyClaim) => `${accountId} ${key}`;
  const ownKey = (claim: IdempotencyClaim, { epoch }: NodeEpoch) => {
    const found = keys.get(keyOf(claim));
    return found?.owner.epoch === epoch && found.response === null ? found : undefined;
  };

  function sessionStore(authority: () => NodeEpoch | null): SessionStore {
    const { sessions } = store;
    return {
      ...sessions,
      async commit(change) {
        const owner = authority();
        if (owner === null || !isOpen(owner)) throw unavailable('This node has lost its lease.');
        const { id } = change.session;
        const before = owners.get(id);
        if (before !== undefined && before.epoch !== owner.epoch && isOpen(before))
          throw unavailable('The session belongs to another node.');
        const events = await sessions.commit(change);
        if (before === undefined) owners.set(id, owner);
        return events;
      },
      async activeSessions(owner) {
        const active = await sessions.activeSessions();
        return owner === undefined
          ? active
          : active.filter(({ id }) => owners.get(id)?.epoch === owner.epoch);
      },
      lastNodes: async ids => ids.map(id => owners.get(id)?.nodeId ?? null),
      async owners(ids) {
        const active = new Set((await sessions.activeSessions()).map(({ id }) => id));
        return ids.map(id => (active.has(id) ? (owners.get(id) ?? null) : null));
      },
    };
  }

  function nodeRegistry(authority: () => NodeEpoch | null): NodeRegistry {
    return {
      async register(nodeId, version) {
        for (const each of rows) if (each.nodeId === nodeId) each.endedAt ??= clock.monotonicNow();
        const epoch = rows.length + 1;
        const load = { sessions: 0, capacity: 0, draining: false };
        rows.push({ nodeId, epoch, version, renewedAt: clock.monotonicNow(), endedAt: null, ...load });
        return { nodeId, epoch };
      },
      async renew(node, load) {
        const found = row(node);
        if (found === undefined || found.endedAt !== null) return false;
        Object.assign(found, load, { renewedAt: clock.monotonicNow() });
        return true;
      },
      async endExpired(expiryMs) {
        const now = clock.monotonicNow();
        for (const each of rows) if (now - each.renewedAt > expiryMs) each.endedAt ??= now;
        const active = (await store.sessions.activeSessions()).map(({ id }) => owners.get(id)?.epoch);
        return rows
          .filter(each => each.endedAt !== null && active.includes(each.epoch) && authority() !== null)
          .map(({ nodeId, epoch }) => ({ nodeId, epoch }));
      },
      async release(node) {
        const found = row(node);
        if (found !== undefined) found.endedAt ??= clock.monotonicNow();
      },
      liveNodes: async () => rows.filter(each => each.endedAt === null),
    };
  }

  const idempotencyKeys: IdempotencyStore = {
    async claim(claim, owner) {
      const found = keys.get(keyOf(claim));
      if (found === undefined) {
        keys.set(keyOf(claim), { inputHash: claim.inputHash, owner, response: null });
        return { type: 'claimed' };
      }
      if (found.inputHash !== claim.inputHash) return { type: 'reused' };
      if (found.response !== null) return { type: 'done', response: found.response };
      return { type: 'running', owner: isOpen(found.owner) ? found.owner : null };
    },
    async complete(claim, owner, response) {
      const found = ownKey(claim, owner);
      if (found !== undefined && isOpen(owner)) found.response = response;
      const stored = keys.get(keyOf(claim));
      return stored?.owner.epoch === owner.epoch && stored.response !== null;
    },
    async release(claim, owner) {
      if (ownKey(claim, owner) !== undefined) keys.delete(keyOf(claim));
    },
    removeExpired: async () => {},
  };

  /** Returns the port with calls that fail while the node is cut off. */
  const reachable = <Port extends object>(port: Port, nodeId: string): Port =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function' || name === 'close') return value;
        return async (...args: unknown[]) => {
          if (cutOff.has(nodeId)) throw unavailable('The database cannot be reached.');
          return value.apply(target, args);
        };
      },
    });

  return {
    cutOff,
    nodeStore(nodeId, authority) {
      const ports = {
        sessions: sessionStore(authority),
        accounts: store.accounts,
        ledger: store.ledger,
        wallets: store.wallets,
        profiles: store.profiles,
        vault: store.vault,
        auditLog: store.auditLog,
        shareLinks: store.shareLinks,
        nodes: nodeRegistry(authority),
        idempotencyKeys,
      };
      const reached = Object.entries(ports).map(([name, port]) => [name, reachable(port, nodeId)]);
      return Object.fromEntries(reached);
    },
  };
}
