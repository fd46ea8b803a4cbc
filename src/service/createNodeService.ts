/** Creates the service of one node from a store, an event bus and a browser host. */
import { Failure } from '../domain/failure/failures.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import { type AuditLog, createAudit } from '../domain/ports/auditLog.ts';
import type { RateLimiter } from '../domain/ports/rateLimiter.ts';
import type { SessionFileStore } from '../domain/ports/sessionFileStore.ts';
import type { ApiKeyAuthenticator } from './accounts/apiKeyAuthenticator.ts';
import { createFileLinks } from './accounts/fileLinks.ts';
import { createKeyService } from './accounts/keyService.ts';
import { createRateLimit, createTokenAccounts } from './accounts/tokenAccounts.ts';
import { createWalletAuth, type WalletAuthDeps } from './accounts/walletAuth.ts';
import { AccountBilling, type AccountBillingDeps } from './billing/accountBilling.ts';
import { createLedgerService } from './billing/ledgerService.ts';
import type { NodeService } from './cluster/nodeMethods.ts';
import { createProfileService } from './secrets/profiles.ts';
import { createVaultService } from './secrets/vault.ts';
import { createApprovals } from './sessions/approvals.ts';
import {
  assertTimeout,
  createSessionOperations,
  type OperationConfig,
} from './sessions/createSessionOperations.ts';
import { failOrphanedSessions } from './sessions/failOrphanedSessions.ts';
import { createFileOperations } from './sessions/fileOperations.ts';
import { createSessionEdits } from './sessions/sessionEdits.ts';
import { createSessionReads, createSessionStreams, StorageMonitor } from './sessions/sessionReads.ts';
import { createSessionRecords } from './sessions/sessionRecords.ts';
import { SessionRegistry, type SessionRegistryDeps } from './sessions/sessionRegistry.ts';
import { removeFilesOf, SessionRetention } from './sessions/sessionRetention.ts';
import { createShareLinks, type ShareLinkDeps } from './sessions/shareLinks.ts';
import { createTakeOvers } from './sessions/takeOvers.ts';

/** Stores, browsers, event bus and configuration of a node. */
export interface NodeServiceDeps
  extends SessionRegistryDeps,
    Omit<OperationConfig, 'audit'>,
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
  /** Called after the removal of ended sessions from the store. */
  readonly onSessionsRemoved?: (sessionIds: readonly string[]) => void;
}

/** Creates the service of one node. */
export function createNodeService(deps: NodeServiceDeps): NodeService {
  const { authenticator, bus, clock, onAccountChange = () => {}, measureOperations = each => each } = deps;
  const now = () => clock.now();
  const audit = createAudit(deps.auditLog, now);
  const storage = new StorageMonitor(deps.store, clock);
  const store = storage.observedStore();
  const registry = new SessionRegistry({ ...deps, store });
  const billing = new AccountBilling(deps);
  const stopWatchingClock = clock.onJump?.(byMs => deps.limiter.adjustForClockJump(byMs));
  const retention = new SessionRetention(deps);
  retention.start();
  const onCredit = async (accountId: string): Promise<void> => {
    await billing.refreshTier(accountId);
    onAccountChange(accountId);
  };
  const records = createSessionRecords(registry, deps);
  const { visitor, onLinkEnd, ...links } = createShareLinks(registry, { ...deps, audit });
  let closing: Promise<void> | null = null;
  return {
    pagespace: {
      ...measureOperations(createSessionOperations(registry, billing, { ...deps, audit })),
      ...createRateLimit(deps.limiter, deps.tiers, account => billing.currentTier(account)),
      ...createLedgerService({ ...deps, onCredit }),
      ...createWalletAuth(deps),
      ...createTokenAccounts(deps.accounts, clock),
      ...createProfileService({ ...deps, audit, now }),
      ...createVaultService({ ...deps, audit, now }),
      ...createFileLinks(deps.accounts, clock),
      ...createKeyService(deps.accounts, authenticator, clock, deps.auditLog, audit),
      ...createSessionReads(registry, storage, { ...deps, records }),
      ...createFileOperations(registry, billing, deps),
      ...records,
      ...createSessionEdits(registry, async (viewer, minutes) =>
        assertTimeout(deps, await billing.currentTier(viewer.account), minutes),
      ),
      ...createSessionStreams(registry, bus),
      ...createTakeOvers(registry, audit),
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
