/** Two nodes of a cluster for contract suites, each with a store of its own on one database. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { NodeEpoch } from '../../src/domain/ports/nodes.ts';
import { type ClusterStore, openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSharedStore, type SharedStore } from './postgresContractStore.ts';
import { alice, bob, key } from './storeSamples.ts';

/** Longer than the database of a busy machine takes for anything. */
const BUSY_MACHINE_MS = 30_000;

/** A node whose store writes as `epoch`. */
export interface TestNode {
  readonly store: ClusterStore;
  epoch: NodeEpoch;
}

/** The nodes of the running test, registered anew for each test, and the store of the command line. */
export interface TestCluster {
  readonly one: TestNode;
  readonly other: TestNode;
  readonly shared: SharedStore;
}

/** Starts two nodes for the tests of the enclosing block. */
export function useClusterNodes(): () => TestCluster {
  let shared: SharedStore;
  const nodes: TestNode[] = [];
  const open = async (): Promise<TestNode> => {
    const node: { store?: ClusterStore; epoch: NodeEpoch } = { epoch: { nodeId: '', epoch: 0 } };
    const authority = () => node.epoch;
    const store = await openPostgresStore(shared.url, { authority, leaseTimeoutMs: BUSY_MACHINE_MS });
    return Object.assign(node, { store });
  };
  beforeAll(async () => {
    shared = await openSharedStore();
    nodes.push(await open(), await open());
  });
  afterAll(async () => {
    for (const { store } of nodes) await store.close();
    await shared[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await shared.empty();
    await shared.store.accounts.createAccount(alice);
    await shared.store.accounts.createAccount(bob);
    await shared.store.accounts.createKey(key('k'));
    for (const [i, node] of nodes.entries())
      node.epoch = await node.store.nodes.register(`node-${i}`, '0.1.0');
  });
  return () => {
    const [one, other] = nodes;
    if (one === undefined || other === undefined) throw new Error('The nodes have not started.');
    return { one, other, shared };
  };
}
