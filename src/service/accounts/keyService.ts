import { randomUUID } from 'node:crypto';
import type { ApiKey, KeyScope, Viewer } from '../../domain/account/account.ts';
import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Audit, AuditEntry, AuditLog } from '../../domain/ports/auditLog.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { type ApiKeyAuthenticator, issueApiKey } from './apiKeys.ts';

/** Maximum number of active API keys per account: enough for all programs, few enough to notice an unknown key. */
const MAX_ACTIVE_KEYS = 100;

const MS_PER_DAY = 86_400_000;

export interface CreateKeyCommand {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresInDays: number | null;
  /** Maximum amount that can be charged to the key, in micro-units; null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  /** The records of the sessions of the key; absent for the setting of the service. */
  readonly recording?: Pick<ApiKey, 'record' | 'pageLog'>;
  readonly policy?: KeyPolicy | null;
}

export interface KeyService {
  /** Returns all keys of the account, oldest first, including revoked and expired ones. */
  listKeys(viewer: Viewer): Promise<readonly ApiKey[]>;
  /** `text` is the key itself, which is not stored. @throws Failure VALIDATION_ERROR if the account already has 100 active keys */
  createKey(
    viewer: Viewer,
    command: CreateKeyCommand,
  ): Promise<{ readonly text: string; readonly key: ApiKey }>;
  /** Null removes it. Running sessions keep their rules for requests. @throws Failure KEY_NOT_FOUND; VALIDATION_ERROR for a key with the scope admin */
  setKeyPolicy(viewer: Viewer, keyId: string, policy: KeyPolicy | null): Promise<ApiKey>;
  auditEntries(viewer: Viewer, before: number | null, limit: number): Promise<readonly AuditEntry[]>;
  /** A key that was revoked before keeps its revocation time. @throws Failure KEY_NOT_FOUND */
  revokeKey(viewer: Viewer, keyId: string): Promise<ApiKey>;
}

export function createKeyService(
  accounts: AccountStore,
  authenticator: ApiKeyAuthenticator,
  clock: Clock,
  auditLog: AuditLog,
  audit: Audit,
): KeyService {
  return {
    listKeys: viewer => accounts.keys(viewer.account.id),
    auditEntries: (viewer, before, limit) => auditLog.entries(viewer.account.id, before, limit),

    async createKey(
      viewer,
      { name, scopes, expiresInDays, spendCapMicros = null, policy = null, recording = {} },
    ) {
      if (policy !== null) assertNotAdmin(scopes);
      const now = clock.now();
      const keys = await accounts.keys(viewer.account.id);
      const active = keys.filter(
        key => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now),
      );
      if (active.length >= MAX_ACTIVE_KEYS)
        throw new Failure(
          'VALIDATION_ERROR',
          `This account has ${MAX_ACTIVE_KEYS} active keys. Revoke one before you create another.`,
        );
      const expiresAt = expiresInDays === null ? null : now + expiresInDays * MS_PER_DAY;
      const accountId = viewer.account.id;
      const rules = { ...recording, ...(policy !== null && { policy }) };
      const id = randomUUID();
      const key = { id, accountId, name, scopes, expiresAt, spendCapMicros, ...rules };
      const details = { name, scopes, policy };
      return audit(viewer, { action: 'key.created', subject: id, details }, stores =>
        issueApiKey(stores.accounts, key, now),
      );
    },

    async setKeyPolicy(viewer, keyId, policy) {
      const [key] = await accounts.keysById([keyId]);
      if (key?.accountId !== viewer.account.id) throw keyNotFound(keyId);
      if (policy !== null) assertNotAdmin(key.scopes);
      const record = { action: 'key.policy_set', subject: keyId, details: { policy } } as const;
      const changed = await audit(viewer, record, async stores =>
        found(keyId, await stores.accounts.setKeyPolicy(viewer.account.id, keyId, policy)),
      );
      await authenticator.refresh(changed.id, changed.hash);
      return changed;
    },

    async revokeKey(viewer, keyId) {
      const { id } = viewer.account;
      const write = () =>
        audit(viewer, { action: 'key.revoked', subject: keyId }, async stores =>
          found(keyId, await stores.accounts.revokeKey(id, keyId, clock.now())),
        );
      return found(keyId, await authenticator.revoke(id, keyId, write));
    },
  };
}

/** A key that manages keys could give itself another policy. @throws Failure VALIDATION_ERROR */
function assertNotAdmin(scopes: readonly KeyScope[]): void {
  if (scopes.includes('admin'))
    throw new Failure(
      'VALIDATION_ERROR',
      'A key with the scope ADMIN has no policy: it could give itself another one.',
    );
}

/** @throws Failure KEY_NOT_FOUND */
function found(keyId: string, key: ApiKey | null): ApiKey {
  if (key === null) throw keyNotFound(keyId);
  return key;
}

const keyNotFound = (keyId: string): Failure =>
  new Failure('KEY_NOT_FOUND', `No key of this account has the id "${cutText(keyId, 64)}".`);
