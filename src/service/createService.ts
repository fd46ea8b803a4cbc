import { setTimeout as delay } from 'node:timers/promises';
import { createRateLimit, type RateLimiter } from '../domain/account/rateLimit.ts';
import { Failure } from '../domain/failure/failures.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import { type AuditLog, createAudit } from '../domain/ports/auditLog.ts';
import type { SessionFileStore } from '../domain/ports/sessionFileStore.ts';
import { type ApiKeyAuthenticator, createTokenAccounts } from './accounts/apiKeys.ts';
import { createFileLinks } from './accounts/fileLinks.ts';
import { createKeyService } from './accounts/keyService.ts';
import { createOperatorService, type OperatedNode, type OperatorParts } from './accounts/operatorService.ts';
import { createWalletAuth, type WalletAuthDeps } from './accounts/walletAuth.ts';
import { AccountBilling, type AccountBillingDeps } from './billing/accountBilling.ts';
import { createLedgerService } from './billing/ledgerService.ts';
import { type ClusterDeps, startClusterService } from './cluster/clusterService.ts';
import { announce, type NodeService } from './cluster/nodeMethods.ts';
import type { Pagespace } from './pagespace.ts';
import { createProfileService } from './secrets/profiles.ts';
import { createVaultService } from './secrets/vault.ts';
import {
  assertTimeout,
  createSessionOperations,
  type OperationConfig,
} from './sessions/createSessionOperations.ts';
import { createFileOperations } from './sessions/fileOperations.ts';
import { idempotent } from './sessions/idempotent.ts';
import { createApprovals, createSessionEdits, createTakeOvers } from './sessions/sessionCommands.ts';
import { createSessionReads, createSessionStreams, storageMonitor } from './sessions/sessionReads.ts';
import { createSessionRecords } from './sessions/sessionRecords.ts';
import { SessionRegistry, type SessionRegistryDeps } from './sessions/sessionRegistry.ts';
import {
  failOrphanedSessions,
  RESTARTED_REASON,
  removeFilesOf,
  SessionRetention,
} from './sessions/sessionRetention.ts';
import { createShareLinks, type ShareLinkDeps } from './sessions/shareLinks.ts';

interface NodeServiceDeps
  extends Omit<SessionRegistryDeps, 'audit'>,
    Omit<OperationConfig, 'audit' | 'callerNow'>,
    AccountBillingDeps,
    WalletAuthDeps,
    Pick<ShareLinkDeps, 'shareLinks'> {
  readonly accounts: AccountStore;
  readonly auditLog: AuditLog;
  readonly files: SessionFileStore;
  readonly authenticator: ApiKeyAuthenticator;
  readonly limiter: RateLimiter;
  /** Days for which an ended session is kept; null to keep it forever. */
  readonly retentionDays: number | null;
  /** Days for which the record of an ended session is kept; null to keep it as long as the session. */
  readonly recordRetentionDays: number | null;
  /** Called after a change of an account that the running sessions of other nodes must hear of. */
  readonly onAccountChange?: (accountId: string) => void;
  /** Measures the operations that run on this node. Default: they are not measured. */
  readonly measureOperations?: <Operations extends object>(operations: Operations) => Operations;
  readonly onSessionsRemoved?: (sessionIds: readonly string[]) => void;
}

function createNodeService(deps: NodeServiceDeps): NodeService {
  const { authenticator, bus, clock, onAccountChange = () => {}, measureOperations = each => each } = deps;
  const now = () => clock.now();
  const audit = createAudit(deps.auditLog, now);
  const storage = storageMonitor(deps.store, clock);
  const store = storage.observed;
  const registry = new SessionRegistry({ ...deps, store, audit });
  const billing = new AccountBilling(deps);
  const stopWatchingClock = clock.onJump?.(byMs => deps.limiter.adjustForClockJump(byMs));
  const retention = new SessionRetention(deps);
  const auditedLosses = new Set<string>();
  retention.start();
  const onCredit = async (accountId: string): Promise<void> => {
    await billing.refreshTier(accountId);
    onAccountChange(accountId);
  };
  const records = createSessionRecords(registry, deps);
  const { visitor, assertLink, onLinkEnd, ...links } = createShareLinks(registry, { ...deps, audit });
  const callerNow: OperationConfig['callerNow'] = async viewer => {
    if (viewer.link === undefined) return authenticator.callerNow(viewer);
    await assertLink(viewer.link);
    return viewer;
  };
  let closing: Promise<void> | null = null;
  return {
    pagespace: {
      ...measureOperations(createSessionOperations(registry, billing, { ...deps, audit, callerNow })),
      ...createRateLimit(deps.limiter, deps.tiers, account => billing.currentTier(account)),
      ...createLedgerService({ ...deps, onCredit }),
      ...createWalletAuth(deps),
      ...createTokenAccounts(deps.accounts, clock),
      ...createProfileService({ ...deps, audit, now }),
      ...createVaultService({ ...deps, audit, now }),
      ...createFileLinks(deps.accounts, clock),
      ...createKeyService(deps.accounts, authenticator, clock, deps.auditLog, audit),
      ...createSessionReads(registry, storage.isFull, { ...deps, records }),
      ...createFileOperations(registry, billing, deps),
      ...records,
      ...createSessionEdits(registry, async (viewer, minutes) =>
        assertTimeout(deps, await billing.currentTier(viewer.account), minutes),
      ),
      ...createSessionStreams(registry, bus),
      ...createTakeOvers(registry, audit, callerNow, deps.warn),
      ...createApprovals(registry, audit),
      ...links,
      authenticate: async authorization =>
        (await visitor(authorization)) ?? authenticator.authenticate(authorization),
      onKeyEnd: (viewer, listener) =>
        viewer.link === undefined
          ? authenticator.onKeyEnd(viewer, listener)
          : onLinkEnd({ ...viewer, link: viewer.link }, listener),
    },
    runs: sessionId => registry.getLive(sessionId.toLowerCase()) !== null,
    currentStates: ids => ids.map(id => registry.currentState(id)),
    get sessionCount() {
      return deps.browsers.sessionCount;
    },
    get canStart() {
      return !registry.isClosing && !registry.refusesStarts && deps.browsers.hasCapacity;
    },
    get isIdle() {
      return registry.isIdle;
    },
    beginDrain: () => registry.refuseStarts(drainingFailure),
    closeSessions: reason => registry.closeSessions(reason),
    abandonSessions: reason => registry.abandonSessions(reason),
    failSessions: (sessions, reason) =>
      failOrphanedSessions(sessions, reason, {
        store,
        bus,
        audit,
        auditedLosses,
        now: () => clock.now(),
        chargeOf: (session, seenAt) => billing.chargeOrphan(session, seenAt),
      }),
    refreshTier: accountId => billing.refreshTier(accountId),
    async removeFiles(ids) {
      for (const id of ids) await removeFilesOf(id, deps).catch(() => undefined);
    },
    refreshKey: (keyId, hash) => authenticator.refresh(keyId, hash),
    shutDown() {
      stopWatchingClock?.();
      storage.stop();
      closing ??= Promise.all([registry.close(), retention.stop()]).then(() => deps.browsers.close());
      return closing;
    },
  };
}

const drainingFailure = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is draining and starts no new sessions. Try again soon.', {
    retryAfterSeconds: 5,
  });

const CHECK_INTERVAL_MS = 200;

const DRAINED_REASON = 'The node drained.';

async function drainSessions(
  node: Pick<NodeService, 'beginDrain' | 'isIdle' | 'closeSessions'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  node.beginDrain();
  const deadline = performance.now() + timeoutMs;
  while (!node.isIdle && !signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return node.closeSessions(DRAINED_REASON);
    await delay(Math.min(CHECK_INTERVAL_MS, left), undefined, { signal }).catch(() => undefined);
  }
}

export interface ServiceDeps extends NodeServiceDeps {
  readonly cluster?: ClusterDeps;
  readonly operator: OperatorParts;
}

export interface Service extends Pagespace {
  /** Number of callers that wait for a place of the cluster; on one machine 0, because they wait for its browsers. */
  readonly waitingStarts: number;
  /** Refuses new sessions from now on; the running ones continue. `readiness` is `draining` at once. Idempotent. */
  beginDrain(): void;
  /** Refuses new sessions, waits for the end of running ones, and closes those left after `timeoutMs`. `signal` ends the wait; they still run then. */
  drain(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

const ONLY_NODE = 'local';

/** Creates the service. On one machine it first ends the sessions that an earlier process left active in the store. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  let onLoadChange = (): void => {};
  const node = createNodeService({
    ...deps,
    hasOtherNodes: deps.cluster !== undefined,
    onLoadChange: () => onLoadChange(),
  });
  const { cluster: engines, operator } = deps;
  let isDraining = false;
  const onlyNode = async (): Promise<readonly OperatedNode[]> => {
    const { sessions, places: capacity } = await operator.readings();
    return [{ nodeId: ONLY_NODE, sessions, capacity, draining: isDraining, version: operator.version }];
  };
  const operatorService = createOperatorService({
    ...deps,
    ...operator,
    nodes: engines === undefined ? onlyNode : () => engines.nodes.liveNodes(),
    drain: nodeId =>
      engines === undefined ? operator.onDrainRequested() : announce(engines.messenger, 'drain', { nodeId }),
  });
  if (engines !== undefined) {
    const cluster = await startClusterService(node, engines, deps);
    onLoadChange = cluster.reportLoad;
    return {
      ...cluster.pagespace,
      ...operatorService,
      get waitingStarts() {
        return cluster.waitingStarts;
      },
      beginDrain: () => cluster.beginDrain(),
      drain(timeoutMs, signal) {
        cluster.beginDrain();
        return drainSessions(node, timeoutMs, signal);
      },
      shutDown: () => cluster.shutDown(),
    };
  }
  await node.failSessions(await deps.store.activeSessions(), RESTARTED_REASON);
  const beginDrain = (): void => {
    isDraining = true;
    node.beginDrain();
  };
  return {
    ...node.pagespace,
    ...idempotent(node.pagespace, () => deps.clock.monotonicNow()),
    ...operatorService,
    waitingStarts: 0,
    beginDrain,
    drain(timeoutMs, signal) {
      beginDrain();
      return drainSessions(node, timeoutMs, signal);
    },
    shutDown: () => node.shutDown(),
  };
}
