/** Sample data for the contract suites of stores. */
import type { Account, ApiKey } from '../../src/domain/account/account.ts';
import type { SessionMeter } from '../../src/domain/account/ledger.ts';
import type { StoredObservation } from '../../src/domain/ports/sessionStore.ts';
import { newSession, type Session } from '../../src/domain/session/session.ts';
import type { SessionEvent } from '../../src/domain/session/sessionEvent.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';
import type { Store } from '../../src/store/store.ts';

export const alice: Account = { id: 'account-a', name: 'alice', tier: 'free', createdAt: 1 };
export const bob: Account = { id: 'account-b', name: 'bob', tier: 'local', createdAt: 2 };

export const session = (id: string, at = 1_000, accountId = alice.id) =>
  newSession({ id, accountId, at, timeoutMinutes: 5 });

export const created = (at = 1_000): SessionEvent => ({ type: 'created', at });
export const observed = (at = 1_001): SessionEvent => ({
  type: 'observed',
  at,
  url: 'https://a.test/',
  actions: 3,
});

export const observation = (sessionId: string, title = 'A page'): StoredObservation => ({
  sessionId,
  observedAt: 1_002,
  url: 'https://a.test/',
  title,
  httpStatus: 200,
  space: {
    description: 'A page with “quotes”, \u0000 and 🦊',
    category: 'form',
    actions: SPECIAL_ACTIONS.slice(0, 2),
    specialActions: SPECIAL_ACTIONS,
    browserActions: [],
    totalActions: 2,
    truncated: false,
    dialog: { kind: 'prompt', message: 'Name?', defaultValue: null },
    messages: [{ kind: 'alert', text: 'Wrong name', action: 'I1', isNew: true }],
    pending: {
      requests: ['GET a.test/items'],
      timers: [1_400],
      busy: ['"Loading…"'],
      navigation: 'a.test/next',
    },
    downloads: [{ id: 'D1', name: 'report.csv', state: 'stored' }],
  },
});

export const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  accountId: alice.id,
  name: 'laptop',
  prefix: 'psk_abcdef',
  hash: `hash-of-${id}`,
  scopes: ['read', 'operate'],
  createdAt: 10,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  spentMicros: 0,
  spendCapMicros: null,
  ...more,
});

/** Keeps the sessions as they are, one after the other. */
export async function keep(store: Store, ...sessions: readonly Session[]): Promise<void> {
  for (const each of sessions) await store.sessions.commit({ session: each, events: [] });
}

export const meter: SessionMeter = { keyId: 'k', browserMs: 10, unchargedMs: 4, unchargedMicros: 1 };
