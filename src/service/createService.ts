/** The service: the verbs over a store, a bus and a pool of browsers. */
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { RateLimiter } from '../domain/ports/rateLimiter.ts';
import type { SessionFileStore } from '../domain/ports/sessionFileStore.ts';
import type { ApiKeyAuthenticator } from './accounts/apiKeyAuthenticator.ts';
import { createKeyService } from './accounts/keyService.ts';
import { createRateLimit } from './accounts/rateLimit.ts';
import { createWalletAuth, type WalletAuthDeps } from './accounts/walletAuth.ts';
import { Billing, type BillingDeps } from './billing/billing.ts';
import { createLedgerService } from './billing/ledgerService.ts';
import type { Pagespace } from './pagespace.ts';
import { createSessionOperations, type OperationConfig } from './sessions/createSessionOperations.ts';
import { createFileOperations } from './sessions/fileOperations.ts';
import { idempotent } from './sessions/idempotent.ts';
import { createSessionReads } from './sessions/sessionReads.ts';
import { SessionRegistry, type SessionRegistryDeps } from './sessions/sessionRegistry.ts';
import { SessionRetention } from './sessions/sessionRetention.ts';

export interface ServiceDeps extends SessionRegistryDeps, OperationConfig, BillingDeps, WalletAuthDeps {
  readonly accounts: AccountStore;
  readonly files: SessionFileStore;
  readonly authenticator: ApiKeyAuthenticator;
  readonly limiter: RateLimiter;
  /** Days that an ended session is kept; null for ever. */
  readonly retentionDays: number | null;
}

export interface Service extends Pagespace {
  /** Refuses what is new, closes every session, then the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

/** Ends what a former process left active, then serves. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const sessions = new SessionRegistry(deps);
  const billing = new Billing(deps, () => sessions.now());
  await sessions.failOrphanedSessions((session, seenAt) => billing.idleChargeOfOrphan(session, seenAt));
  const retention = new SessionRetention(deps);
  retention.start();
  let closing: Promise<void> | null = null;
  return {
    ...idempotent(createSessionOperations(sessions, billing, deps), () => sessions.now()),
    ...createRateLimit(deps.limiter, deps.tiers),
    ...createLedgerService(deps),
    ...createWalletAuth(deps),
    ...createKeyService(deps.accounts, deps.authenticator, deps.clock),
    ...createSessionReads(sessions, deps.store, deps.accounts, deps.browsers),
    ...createFileOperations(sessions, billing, deps),
    sessionUpdates: (viewer, listening) => deps.bus.subscribe(viewer.account.id, listening),
    async frames(viewer, sessionId, options, signal) {
      const live = await sessions.requireLive(viewer, sessionId);
      return live.lease.frames(options, signal);
    },
    authenticate: authorization => deps.authenticator.authenticate(authorization),
    onKeyEnd: (viewer, tell) => deps.authenticator.onKeyEnd(viewer, tell),
    shutDown() {
      closing ??= Promise.all([sessions.close(), retention.stop()]).then(() => deps.browsers.close());
      return closing;
    },
  };
}
