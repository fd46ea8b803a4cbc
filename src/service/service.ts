/** The service: the verbs over a store, a bus and a pool of browsers. */
import type { AccountStore, SessionFiles } from '../domain/ports.ts';
import type { RequestLimiter } from '../domain/requestLimiter.ts';
import { accountBook } from './accountBook.ts';
import { admission } from './admission.ts';
import { createFiles } from './files.ts';
import { idempotent } from './idempotent.ts';
import { keyRing } from './keyRing.ts';
import type { KeyDesk } from './keys.ts';
import { type LiveParts, LiveSessions } from './liveSessions.ts';
import { createOperations, type OperationRules } from './operations.ts';
import { createReads } from './reads.ts';
import { Retention } from './retention.ts';
import { Till, type TillParts } from './till.ts';
import type { Pagespace } from './verbs.ts';
import { type WalletParts, walletDesk } from './walletDesk.ts';

export interface ServiceParts extends LiveParts, OperationRules, TillParts, WalletParts {
  readonly accounts: AccountStore;
  readonly files: SessionFiles;
  readonly signIn: KeyDesk;
  readonly limiter: RequestLimiter;
  /** Days that an ended session is kept; null for ever. */
  readonly retentionDays: number | null;
}

export interface Service extends Pagespace {
  /** Refuses what is new, closes every session, then the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

/** Ends what a former process left active, then serves. */
export async function createService(parts: ServiceParts): Promise<Service> {
  const lives = new LiveSessions(parts);
  const till = new Till(parts, () => lives.now());
  await lives.buryLost((session, seenAt) => till.idleOfLost(session, seenAt));
  const retention = new Retention(parts);
  retention.start();
  let closing: Promise<void> | null = null;
  return {
    ...idempotent(createOperations(lives, till, parts), () => lives.now()),
    ...admission(parts.limiter, parts.tiers),
    ...accountBook(parts),
    ...walletDesk(parts),
    ...keyRing(parts.accounts, parts.signIn, parts.clock),
    ...createReads(lives, parts.store, parts.accounts, parts.browsers),
    ...createFiles(lives, till, parts),
    changes: (viewer, listening) => parts.bus.subscribe(viewer.account.id, listening),
    async frames(viewer, sessionId, options, signal) {
      const live = await lives.find(viewer, sessionId);
      return live.lease.frames(options, signal);
    },
    viewer: authorization => parts.signIn.viewer(authorization),
    whenKeyEnds: (viewer, tell) => parts.signIn.whenKeyEnds(viewer, tell),
    shutDown() {
      closing ??= Promise.all([lives.close(), retention.stop()]).then(() => parts.browsers.close());
      return closing;
    },
  };
}
