/** Creates the service from a store, an event bus and a browser host. */
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { RateLimiter } from '../domain/ports/rateLimiter.ts';
import type { SessionFileStore } from '../domain/ports/sessionFileStore.ts';
import type { ApiKeyAuthenticator } from './accounts/apiKeyAuthenticator.ts';
import { createKeyService } from './accounts/keyService.ts';
import { createRateLimit } from './accounts/rateLimit.ts';
import { createTokenAccounts } from './accounts/tokenAccounts.ts';
import { createWalletAuth, type WalletAuthDeps } from './accounts/walletAuth.ts';
import { AccountBilling, type AccountBillingDeps } from './billing/accountBilling.ts';
import { createLedgerService } from './billing/ledgerService.ts';
import type { Pagespace } from './pagespace.ts';
import { createSessionOperations, type OperationConfig } from './sessions/createSessionOperations.ts';
import { createFileOperations } from './sessions/fileOperations.ts';
import { idempotent } from './sessions/idempotent.ts';
import { createSessionReads } from './sessions/sessionReads.ts';
import { SessionRegistry, type SessionRegistryDeps } from './sessions/sessionRegistry.ts';
import { SessionRetention } from './sessions/sessionRetention.ts';
import { createSessionStreams } from './sessions/sessionStreams.ts';
import { StorageMonitor } from './sessions/storageMonitor.ts';

/** Stores, browsers, event bus and configuration of the service. */
export interface ServiceDeps
  extends SessionRegistryDeps,
    OperationConfig,
    AccountBillingDeps,
    WalletAuthDeps {
  readonly accounts: AccountStore;
  readonly files: SessionFileStore;
  readonly authenticator: ApiKeyAuthenticator;
  readonly limiter: RateLimiter;
  /** Days for which an ended session is kept; null to keep it forever. */
  readonly retentionDays: number | null;
}

/** All functions of the service, and its shutdown. */
export interface Service extends Pagespace {
  /** Refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

/** Creates the service. Before it resolves, it ends the sessions that an earlier process left active in the store. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const storage = new StorageMonitor(deps.store, deps.clock);
  const registry = new SessionRegistry({ ...deps, store: storage.observedStore() });
  const billing = new AccountBilling(deps);
  await registry.failOrphanedSessions((session, seenAt) => billing.chargeOrphan(session, seenAt));
  const stopWatchingClock = deps.clock.onJump?.(byMs => deps.limiter.adjustForClockJump(byMs));
  const retention = new SessionRetention(deps);
  retention.start();
  let closing: Promise<void> | null = null;
  return {
    ...idempotent(createSessionOperations(registry, billing, deps), () => deps.clock.monotonicNow()),
    ...createRateLimit(deps.limiter, deps.tiers, account => billing.currentTier(account)),
    ...createLedgerService({ ...deps, onCredit: accountId => billing.refreshTier(accountId) }),
    ...createWalletAuth(deps),
    ...createTokenAccounts(deps.accounts, deps.clock),
    ...createKeyService(deps.accounts, deps.authenticator, deps.clock),
    ...createSessionReads(registry, storage, deps),
    ...createFileOperations(registry, billing, deps),
    ...createSessionStreams(registry, deps.bus),
    authenticate: authorization => deps.authenticator.authenticate(authorization),
    onKeyEnd: (viewer, listener) => deps.authenticator.onKeyEnd(viewer, listener),
    shutDown() {
      stopWatchingClock?.();
      storage.stop();
      closing ??= Promise.all([registry.close(), retention.stop()]).then(() => deps.browsers.close());
      return closing;
    },
  };
}
