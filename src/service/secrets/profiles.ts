/** Profiles: what a browser keeps of its sites, sealed, from one session to the next. */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Viewer } from '../../domain/account/account.ts';
import { assertProfile } from '../../domain/account/policyChecks.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { ProfileStore, ProfileVersion } from '../../domain/ports/profileStore.ts';
import type { ProfileChoice, StorageState } from '../../domain/session/browserOptions.ts';
import { MAX_STORAGE_STATE_BYTES } from '../../domain/session/storageState.ts';
import { sealBytes, unsealBytes } from './sealedBytes.ts';

/** Time after an operation at which the profile is written, if no other operation has begun. Milliseconds. */
const WRITE_DELAY_MS = 500;
/** Maximum time for which operations postpone it. Milliseconds. */
const MAX_DELAY_MS = 10_000;

/** The stores and the key of profiles. */
export interface ProfileDeps {
  readonly profiles: ProfileStore;
  /** 32 bytes. */
  readonly secretsKey: Buffer;
  readonly now: () => number;
}

/** A profile that a session uses. */
export interface OpenProfile {
  /** With what the browser begins; null for a new profile. */
  readonly state: StorageState | null;
  /** Writes what the browser keeps now, if it has changed. Does nothing for a reader. */
  readonly save: (state: StorageState) => Promise<void>;
  readonly isWriter: boolean;
  /** Lets another session write. Idempotent. */
  readonly release: () => Promise<void>;
}

/** Reads and removes profiles. */
export interface ProfileService {
  listProfiles(accountId: string): Promise<readonly ProfileVersion[]>;
  /** @throws Failure PROFILE_NOT_FOUND, POLICY_REFUSED */
  removeProfile(viewer: Viewer, name: string): Promise<void>;
  /**
   * Makes the contents of a version those of a new one, with which sessions begin from now on.
   * @throws Failure PROFILE_NOT_FOUND, PROFILE_IN_USE, POLICY_REFUSED
   */
  restoreProfile(viewer: Viewer, name: string, version: number): Promise<ProfileVersion>;
}

/** Creates the functions that read and remove profiles. */
export const createProfileService = ({
  profiles,
  audit,
  now,
}: Pick<ProfileDeps, 'profiles' | 'now'> & { readonly audit: Audit }): ProfileService => ({
  listProfiles: accountId => profiles.list(accountId),
  async removeProfile(viewer, name) {
    assertProfile(viewer, name);
    await audit(viewer, { action: 'profile.deleted', subject: name }, async stores => {
      if (!(await stores.profiles.remove(viewer.account.id, name))) throw profileNotFound(name);
    });
  },
  async restoreProfile(viewer, name, version) {
    assertProfile(viewer, name);
    const accountId = viewer.account.id;
    const missing = new Failure('PROFILE_NOT_FOUND', `The profile "${name}" has no version ${version}.`);
    if ((await profiles.find(accountId, name, version)) === null) throw missing;
    // As a session that writes it: none begins meanwhile.
    const writer = randomUUID();
    const holder = await profiles.acquire(accountId, name, writer, now());
    if (holder !== null) throw profileInUse(holder, name);
    try {
      const [sealed, latest] = await Promise.all([
        profiles.find(accountId, name, version),
        profiles.latest(accountId, name),
      ]);
      if (sealed === null || latest === null) throw missing;
      const restored = { name, version: latest.version + 1, savedAt: now(), bytes: sealed.length };
      const record = { action: 'profile.restored', subject: name, details: { version } } as const;
      await audit(viewer, record, stores => stores.profiles.save(accountId, restored, sealed));
      return restored;
    } finally {
      await profiles.release(accountId, name, writer);
    }
  },
});

/**
 * Opens a profile for a session.
 * @throws Failure PROFILE_NOT_FOUND if a reader names none; PROFILE_IN_USE if another session writes it; PROFILE_UNREADABLE if it was
 * sealed with another key
 */
export async function openProfile(
  { profiles, secretsKey, now }: ProfileDeps,
  accountId: string,
  sessionId: string,
  { name, mode }: ProfileChoice,
): Promise<OpenProfile> {
  const isWriter = mode === 'write';
  const holder = isWriter ? await profiles.acquire(accountId, name, sessionId, now()) : null;
  if (holder !== null) throw profileInUse(holder, name);
  const release = async () => {
    if (isWriter) await profiles.release(accountId, name, sessionId);
  };
  try {
    const latest = await profiles.latest(accountId, name);
    if (latest === null && !isWriter) throw profileNotFound(name);
    const context = `${accountId}\n${name}`;
    const state = latest === null ? null : await unseal(secretsKey, context, latest.sealed, name);
    const version = (latest?.version ?? 0) + 1;
    let written = state === null ? '' : hashOf(state);
    const save = async (next: StorageState): Promise<void> => {
      const hash = hashOf(next);
      if (!isWriter || hash === written) return;
      const sealed = await seal(secretsKey, context, next);
      await profiles.save(accountId, { name, version, savedAt: now(), bytes: sealed.length }, sealed);
      written = hash;
    };
    return { state, save, isWriter, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Writes the profile of a running session: soon after each operation, and at the end. */
export class ProfileWriter {
  readonly #profile: OpenProfile;
  readonly #lease: BrowserLease;
  readonly #warn: (message: string, error?: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt: number | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(profile: OpenProfile, lease: BrowserLease, warn: (message: string, error?: unknown) => void) {
    this.#profile = profile;
    this.#lease = lease;
    this.#warn = warn;
  }

  /** Call at the end of each operation. */
  operationEnded(): void {
    if (!this.#profile.isWriter) return;
    const now = performance.now();
    this.#dueAt ??= now + MAX_DELAY_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.#write(),
      Math.min(WRITE_DELAY_MS, Math.max(0, this.#dueAt - now)),
    ).unref();
  }

  /** Writes a last time, and lets another session write. Call it before the browser closes. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#profile.isWriter) await this.#write();
    await this.release();
  }

  /** Lets another session write, without a last write. Never rejects. */
  async release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#profile.release().catch(error => this.#warn('A profile could not be released', error));
  }

  #write(): Promise<void> {
    this.#dueAt = null;
    this.#writing = this.#writing.then(async () => {
      try {
        const state = await this.#lease.storageState();
        if (JSON.stringify(state).length > MAX_STORAGE_STATE_BYTES)
          this.#warn('A profile is too large, and was not written');
        else await this.#profile.save(state);
      } catch (error) {
        this.#warn('A profile could not be written', error);
      }
    });
    return this.#writing;
  }
}

const profileInUse = (holder: string, name: string): Failure =>
  new Failure(
    'PROFILE_IN_USE',
    `The session ${holder} writes the profile "${name}". Close it, or open the profile with the mode read.`,
  );

const profileNotFound = (name: string): Failure =>
  new Failure(
    'PROFILE_NOT_FOUND',
    `This account has no profile "${name}". A session with the mode write creates it.`,
  );

const hashOf = (state: StorageState): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('hex');

const seal = async (key: Buffer, context: string, state: StorageState): Promise<string> =>
  sealBytes(key, context, await promisify(gzip)(JSON.stringify(state)));

async function unseal(key: Buffer, context: string, sealed: string, name: string): Promise<StorageState> {
  try {
    const plain = unsealBytes(key, context, sealed);
    return JSON.parse((await promisify(gunzip)(plain)).toString('utf8')) as StorageState;
  } catch (cause) {
    throw new Failure(
      'PROFILE_UNREADABLE',
      `The profile "${name}" cannot be opened: it was written with another key or by another version. Its key is PAGESPACE_SECRETS_KEY, or secrets-key in the data folder.`,
      { cause },
    );
  }
}
