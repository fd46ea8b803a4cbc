/** One cluster for all tests of a file: its start takes longer than most of the tests. */
import { afterAll, beforeAll } from 'vitest';
import { CLUSTER_HOOK_TIMEOUT_MS, type NodeCluster } from '../support/startNodes.ts';
import { startTestSite, type TestSite } from '../support/testSite.ts';

/** The cluster of a file and the site that its sessions visit, from the first test on. */
export interface TestedCluster {
  readonly cluster: NodeCluster;
  readonly site: TestSite;
}

/**
 * Starts a cluster before the tests of a file. After them, the nodes close what the tests left, and the end of the cluster
 * finds what is left and audits the ledger.
 */
export function useCluster(start: () => Promise<NodeCluster>): TestedCluster {
  let cluster: NodeCluster | undefined;
  let site: TestSite | undefined;
  beforeAll(async () => {
    [site, cluster] = await Promise.all([startTestSite(), start()]);
  }, CLUSTER_HOOK_TIMEOUT_MS);
  afterAll(async () => {
    if (cluster !== undefined) await closeSessions(cluster);
    await cluster?.[Symbol.asyncDispose]();
    await site?.close();
  }, CLUSTER_HOOK_TIMEOUT_MS);
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The cluster has not started.');
    return value;
  };
  return {
    get cluster() {
      return started(cluster);
    },
    get site() {
      return started(site);
    },
  };
}

/** Closes all sessions of the cluster, at a node that serves: the last test may have stopped one. */
async function closeSessions(cluster: NodeCluster): Promise<void> {
  const states = await Promise.all(cluster.nodes.map(node => node.ready()));
  const serving = cluster.nodes[states.indexOf('200 ready')] ?? cluster.nodes[0];
  for (const { id: session_id } of await cluster.store.sessions.activeSessions())
    await serving.post('/session/close', { session_id });
}
