/** The functions for the operator of the service: its state, its nodes, all accounts. */
import { type Account, isOperator, type Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore, LedgerStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { LiveNode, ServiceReadings } from '../../domain/ports/nodes.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import { cutText } from '../../domain/space/pageText.ts';

export interface ServiceState extends ServiceReadings {
  readonly version: string;
  readonly startedAt: number;
}

export type OperatedNode = Omit<LiveNode, 'epoch'>;

export interface OperatedAccount extends Account {
  readonly balanceMicros: number;
  readonly activeSessions: number;
}

export interface AccountPage {
  readonly rows: readonly OperatedAccount[];
  /** The position of the first row among all accounts, from 0. */
  readonly from: number;
  readonly total: number;
}

/** Reads for the operator, and the drain. Each throws Failure SCOPE_DENIED for every other viewer. */
export interface OperatorService {
  serviceState(viewer: Viewer): Promise<ServiceState>;
  /** Returns the nodes that live, by name; on one machine the one node `local`. */
  liveNodes(viewer: Viewer): Promise<readonly OperatedNode[]>;
  /** Asks a node to drain and stop, as `npm run drain` does. @returns the node as it was @throws Failure NODE_NOT_FOUND */
  drainNode(viewer: Viewer, nodeId: string): Promise<OperatedNode>;
  accountPage(viewer: Viewer, from: number, limit: number): Promise<AccountPage>;
}

export interface OperatorParts {
  readonly version: string;
  readonly readings: () => Promise<ServiceReadings>;
  readonly onDrainRequested: () => void;
}

export interface OperatorServiceDeps extends Pick<OperatorParts, 'version' | 'readings'> {
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly store: Pick<SessionStore, 'activeSessions'>;
  readonly clock: Clock;
  readonly nodes: () => Promise<readonly OperatedNode[]>;
  readonly drain: (nodeId: string) => void;
}

export function createOperatorService(deps: OperatorServiceDeps): OperatorService {
  const { accounts, ledger, store, clock } = deps;
  const startedAt = clock.now();
  const liveNodes = async (viewer: Viewer): Promise<readonly OperatedNode[]> => {
    assertOperator(viewer);
    return [...(await deps.nodes())].sort((one, other) => one.nodeId.localeCompare(other.nodeId));
  };
  return {
    async serviceState(viewer) {
      assertOperator(viewer);
      return { ...(await deps.readings()), version: deps.version, startedAt };
    },
    liveNodes,
    async drainNode(viewer, nodeId) {
      const node = (await liveNodes(viewer)).find(each => each.nodeId === nodeId);
      if (node === undefined)
        throw new Failure(
          'NODE_NOT_FOUND',
          `No live node of this service is named "${cutText(nodeId, 64)}".`,
        );
      // A second request would end the wait for the running sessions.
      if (!node.draining) deps.drain(nodeId);
      return node;
    },
    async accountPage(viewer, from, limit) {
      assertOperator(viewer);
      const all = await accounts.allAccounts();
      const page = all.slice(from, from + limit);
      const [balances, active] = await Promise.all([
        ledger.balances(page.map(({ id }) => id)),
        store.activeSessions(),
      ]);
      const sessions = Map.groupBy(active, ({ accountId }) => accountId);
      return {
        rows: page.map((account, index) => ({
          ...account,
          balanceMicros: balances[index] ?? 0,
          activeSessions: sessions.get(account.id)?.length ?? 0,
        })),
        from,
        total: all.length,
      };
    },
  };
}

function assertOperator(viewer: Viewer): void {
  if (!isOperator(viewer))
    throw new Failure(
      'SCOPE_DENIED',
      'Only the operator of this service may do that: it needs a key of the local account with the scope "admin".',
    );
}
