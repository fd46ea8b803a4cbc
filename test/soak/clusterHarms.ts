/** The faults that the soak of a cluster causes in its nodes, its browsers and its engines. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterNode } from '../support/clusterNode.ts';
import { crashPostgres, suspendPostgres } from '../support/postgresProcesses.ts';
import type { NodeCluster } from '../support/startNodes.ts';

/** Longer than a lease, and than the time after which a connection to NATS is given up, in milliseconds. */
const CUT_MS = 6_000;
const FLICKERS = 15;
const MAX_FLICKER_MS = 300;

/** A fault of the surroundings of a cluster. The caller restores the node afterwards. */
export interface ClusterHarm {
  readonly name: string;
  /** @param node one of the nodes, for a fault of one */
  run(node: ClusterNode): Promise<void>;
}

/** Returns the faults in the order in which the soak causes them. @param suspendMs length of the longest suspension of a node */
export function clusterHarms(
  cluster: NodeCluster,
  suspendMs: number,
): readonly [ClusterHarm, ...ClusterHarm[]] {
  const { nodes, nats, database } = cluster;
  const cutAll = (): void => {
    for (const node of nodes) node.database.cut();
  };
  const restoreAll = (): void => {
    for (const node of nodes) node.database.restore();
  };
  return [
    { name: 'kill -9', run: node => node.kill() },
    {
      name: `SIGSTOP for ${suspendMs / 1_000} s`,
      async run(node) {
        node.suspend();
        await wait(suspendMs);
      },
    },
    {
      name: 'cut from PostgreSQL',
      async run(node) {
        node.database.cut();
        await wait(CUT_MS);
      },
    },
    {
      name: 'cut from NATS',
      async run(node) {
        node.bus.cut();
        await wait(CUT_MS);
      },
    },
    {
      name: 'all nodes cut from PostgreSQL until their leases have ended',
      async run() {
        cutAll();
        await wait(Math.random() * CUT_MS * 2);
        restoreAll();
      },
    },
    { name: 'nats-server restarted', run: () => nats.restart() },
    { name: 'PostgreSQL crashed', run: () => crashPostgres(database) },
    { name: 'browsers killed', run: async node => killBrowsers(node) },
    {
      name: 'nats-server silent',
      async run() {
        nats.suspend();
        await wait(CUT_MS);
        nats.continue();
      },
    },
    {
      name: 'PostgreSQL silent',
      async run() {
        const goOn = await suspendPostgres(database);
        await wait(CUT_MS);
        goOn();
      },
    },
    {
      name: 'connections to PostgreSQL that break again and again',
      async run() {
        for (let n = 0; n < FLICKERS; n++) {
          cutAll();
          await wait(Math.random() * MAX_FLICKER_MS);
          restoreAll();
          await wait(Math.random() * MAX_FLICKER_MS);
        }
      },
    },
    {
      name: 'browsers killed while all nodes are cut from PostgreSQL',
      async run() {
        cutAll();
        await wait(Math.random() * CUT_MS);
        for (const node of nodes) killBrowsers(node);
        await wait(Math.random() * CUT_MS);
        restoreAll();
      },
    },
  ];
}

/** Kills each browser of a node with all its processes. */
function killBrowsers(node: ClusterNode): void {
  for (const group of node.browserGroups())
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // The browser has ended meanwhile.
    }
}
