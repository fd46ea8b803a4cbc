/** Profiles: what a browser keeps of its sites, sealed, from one session to the next. */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { afterMs, race } from '../../async/race.ts';
import type { Viewer } from '../../domain/account/account.ts';
import { assertProfile } from '../../domain/account/policyChecks.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { ProfileStore, ProfileVersion } from '../../domain/ports/accountStore.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { ProfileChoice, StorageState } from '../../domain/session/browserOptions.ts';
import { assertStateSize } from '../../domain/session/storageState.ts';
import { type SecretsKeys, sealBytes, unsealBytes } from './sealedBytes.ts';

/** Time after an operation at which the profile is written, if no other operation has begun. Milliseconds. */
const WRITE_DELAY_MS = 500;
/** Maximum time for which operations postpone it. Milliseconds. */
const MAX_DELAY_MS = 10_000;
/** Time after a write at which it is written again: pages and persons change it without an operation. Milliseconds. */
const REWRITE_DELAY_MS = 20_000;
/** Maximum time in which the browser tells what it keeps: a page whose scripts never end does not keep a session from closing. Milliseconds. */
const READ_TIMEOUT_MS = 8_000;
const MAX_PROFILES = 1_000;
const MAX_LISTED_ORIGINS = 200;

export interface ProfileDeps {
  readonly profiles: ProfileStore;
  readonly secretsKeys: SecretsKeys;
  readonly now: () => number;
}

export interface OpenProfile {
  readonly name: string;
  /** With what the browser begins; null for a new profile. */
  readonly state: StorageState | null;
  /** Writes what the browser keeps, if it has changed; `keepsDatabases` keeps the old ones. Not for a reader. @throws Failure VALIDATION_ERROR: too large */
  readonly save: (state: StorageState, keepsDatabases: boolean) => Promise<void>;
  readonly isWriter: boolean;
  /** Lets another session write. Idempotent. */
  readonly release: () => Promise<void>;
}

/** Reads and changes profiles. Each function throws Failure POLICY_REFUSED, those with a name PROFILE_NOT_FOUND. */
export interface ProfileService {
  listProfiles(viewer: Viewer): Promise<readonly ProfileVersion[]>;
  removeProfile(viewer: Viewer, name: string): Promise<void>;
  /** Renames all versions. @throws Failure PROFILE_IN_USE, PROFILE_UNREADABLE; VALIDATION_ERROR if there is one of the new name */
  renameProfile(viewer: Viewer, name: string, newName: string): Promise<readonly ProfileVersion[]>;
  /** Makes the contents of a version those of a new one. @throws Failure PROFILE_IN_USE, PROFILE_UNREADABLE */
  restoreProfile(viewer: Viewer, name: string, version: number): Promise<ProfileVersion>;
  /** Returns the contents. @param version null for the newest @throws Failure PROFILE_UNREADABLE */
  exportProfile(viewer: Viewer, name: string, version: number | null): Promise<StorageState>;
  /** Makes a state the newest version of a profile, which can be a new one. @throws Failure PROFILE_IN_USE, VALIDATION_ERROR */
  importProfile(viewer: Viewer, name: string, state: StorageState): Promise<ProfileVersion>;
}

export function createProfileService({
  profiles,
  secretsKeys,
  audit,
  now,
}: ProfileDeps & { readonly audit: Audit }): ProfileService {
  /** Does what only one session may do, as such a session. @throws Failure PROFILE_IN_USE */
  async function whileWriting<Result>(
    viewer: Viewer,
    names: readonly string[],
    act: () => Promise<Result>,
  ): Promise<Result> {
    const { account } = viewer;
    const [name, ...others] = names;
    if (name === undefined) return act();
    const writer = randomUUID();
    const holder = await profiles.acquire(account.id, name, writer, now());
    if (holder !== null) throw profileInUse(holder, name);
    try {
      return await whileWriting(viewer, others, act);
    } finally {
      await profiles.release(account.id, name, writer);
    }
  }

  async function requireSealed(accountId: string, name: string, version: number): Promise<string> {
    const sealed = await profiles.find(accountId, name, version);
    if (sealed !== null) return sealed;
    throw new Failure('PROFILE_NOT_FOUND', `The profile "${name}" has no version ${version}.`);
  }

  const versionsOf = async (accountId: string, name: string): Promise<readonly ProfileVersion[]> => {
    const found = (await profiles.list(accountId)).filter(each => each.name === name);
    if (found.length === 0) throw profileNotFound(name);
    return found;
  };

  return {
    async listProfiles({ account, policy }) {
      const all = await profiles.list(account.id);
      const allowed = policy?.profiles;
      return allowed === undefined ? all : all.filter(({ name }) => allowed.includes(name));
    },

    async removeProfile(viewer, name) {
      assertProfile(viewer, name);
      await versionsOf(viewer.account.id, name);
      // A session that writes the profile would bring it back.
      await whileWriting(viewer, [name], () =>
        audit(viewer, { action: 'profile.deleted', subject: name }, async stores => {
          if (!(await stores.profiles.remove(viewer.account.id, name))) throw profileNotFound(name);
        }),
      );
    },

    async renameProfile(viewer, name, newName) {
      assertProfile(viewer, name);
      assertProfile(viewer, newName);
      const { id } = viewer.account;
      await versionsOf(id, name);
      return whileWriting(viewer, [...new Set([name, newName])].sort(), async () => {
        const versions = await versionsOf(id, name);
        if ((await profiles.latest(id, newName)) !== null)
          throw new Failure('VALIDATION_ERROR', `This account has a profile "${newName}" already.`);
        // The contents are bound to the name.
        const renamed = await Promise.all(
          versions.map(async version => {
            const sealed = await requireSealed(id, name, version.version);
            const state = await unseal(secretsKeys, profileContext(id, name), sealed, name);
            return [
              { ...version, name: newName },
              await seal(secretsKeys, profileContext(id, newName), state),
            ] as const;
          }),
        );
        const record = { action: 'profile.renamed', subject: name, details: { newName } } as const;
        await audit(viewer, record, async stores => {
          for (const [version, sealed] of renamed) await stores.profiles.save(id, version, sealed);
          await stores.profiles.remove(id, name);
        });
        return renamed.map(([version]) => version);
      });
    },

    async restoreProfile(viewer, name, version) {
      assertProfile(viewer, name);
      const { id } = viewer.account;
      await requireSealed(id, name, version);
      return whileWriting(viewer, [name], async () => {
        // The version may be sealed with a key that is being replaced.
        const context = profileContext(id, name);
        const state = await unseal(secretsKeys, context, await requireSealed(id, name, version), name);
        const sealed = await seal(secretsKeys, context, state);
        const versions = await versionsOf(id, name);
        const origins = versions.find(each => each.version === version)?.origins ?? [];
        const next = Math.max(...versions.map(each => each.version)) + 1;
        const restored = { name, version: next, savedAt: now(), bytes: sealed.length, origins };
        const record = { action: 'profile.restored', subject: name, details: { version } } as const;
        await audit(viewer, record, stores => stores.profiles.save(id, restored, sealed));
        return restored;
      });
    },

    async exportProfile(viewer, name, version) {
      assertProfile(viewer, name);
      const { id } = viewer.account;
      const number = version ?? (await profiles.latest(id, name))?.version;
      if (number === undefined) throw profileNotFound(name);
      const sealed = await requireSealed(id, name, number);
      const state = await unseal(secretsKeys, profileContext(id, name), sealed, name);
      await audit(viewer, { action: 'profile.exported', subject: name, details: { version: number } });
      return state;
    },

    async importProfile(viewer, name, state) {
      assertProfile(viewer, name);
      const { id } = viewer.account;
      return whileWriting(viewer, [name], async () => {
        const latest = await profiles.latest(id, name);
        if (latest === null) await assertRoom(profiles, id);
        const sealed = await seal(secretsKeys, profileContext(id, name), state);
        const version = versionOf(name, (latest?.version ?? 0) + 1, state, sealed, now());
        const record = {
          action: 'profile.imported',
          subject: name,
          details: { origins: version.origins },
        } as const;
        await audit(viewer, record, stores => stores.profiles.save(id, version, sealed));
        return version;
      });
    },
  };
}

/**
 * Opens a profile for a session.
 * @throws Failure PROFILE_NOT_FOUND if a reader names none; PROFILE_IN_USE if another session writes it; PROFILE_UNREADABLE if it was
 * sealed with another key; VALIDATION_ERROR if it would be one too many
 */
export async function openProfile(
  { profiles, secretsKeys, now }: ProfileDeps,
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
    if (latest === null) await assertRoom(profiles, accountId);
    const context = profileContext(accountId, name);
    const state = latest === null ? null : await unseal(secretsKeys, context, latest.sealed, name);
    const number = (latest?.version ?? 0) + 1;
    let written = state === null ? '' : hashOf(state);
    let latestState = state;
    const save: OpenProfile['save'] = async (read, keepsDatabases) => {
      const next = keepsDatabases && latestState !== null ? withDatabasesOf(latestState, read) : read;
      const hash = hashOf(next);
      if (!isWriter || hash === written) return;
      assertStateSize(next);
      const sealed = await seal(secretsKeys, context, next);
      await profiles.save(accountId, versionOf(name, number, next, sealed, now()), sealed);
      written = hash;
      latestState = next;
    };
    return { name, state, save, isWriter, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Writes the profile of a running session: soon after each operation, again every 20 seconds, and at the end. */
export class ProfileWriter {
  readonly #profile: OpenProfile;
  readonly #lease: BrowserLease;
  readonly #warn: (message: string, error?: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt: number | null = null;
  #isClosed = false;
  #writing: Promise<void> = Promise.resolve();
  #problem: string | null = null;

  constructor(profile: OpenProfile, lease: BrowserLease, warn: (message: string, error?: unknown) => void) {
    this.#profile = profile;
    this.#lease = lease;
    this.#warn = warn;
  }

  /** A sentence for the caller about contents that the profile should keep and does not; null for none. */
  get problem(): string | null {
    return this.#problem;
  }

  operationEnded(): void {
    const now = performance.now();
    this.#dueAt ??= now + MAX_DELAY_MS;
    this.#writeAfter(Math.min(WRITE_DELAY_MS, Math.max(0, this.#dueAt - now)));
  }

  /** Writes a last time, and lets another session write. Call it before the browser closes. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#profile.isWriter) await this.#write();
    await this.release();
  }

  /** Lets another session write, without a last write. Never rejects. */
  async release(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#profile.release().catch(error => this.#warn('A profile could not be released', error));
  }

  #writeAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.#profile.isWriter) return;
    this.#timer = setTimeout(() => {
      void this.#write().then(() => {
        // An operation that has ended meanwhile writes sooner.
        if (this.#dueAt === null) this.#writeAfter(REWRITE_DELAY_MS);
      });
    }, delayMs).unref();
  }

  #write(): Promise<void> {
    this.#dueAt = null;
    this.#writing = this.#writing.then(async () => {
      try {
        const { state, left } = await race(
          this.#lease.storageState(),
          afterMs(READ_TIMEOUT_MS, unansweredRead),
        );
        await this.#profile.save(state, left !== null);
        this.#problem = left;
      } catch (error) {
        const reason = isFailure(error)
          ? error.message
          : 'What the browser keeps could not be read or stored.';
        this.#problem = `The profile "${this.#profile.name}" was not written. ${reason}`;
        this.#warn('A profile could not be written', error);
      }
    });
    return this.#writing;
  }
}

function withDatabasesOf(earlier: StorageState, state: StorageState): StorageState {
  const origins = new Map(state.origins.map(each => [each.origin, each]));
  for (const { origin, indexedDB } of earlier.origins)
    if (indexedDB !== undefined)
      origins.set(origin, { origin, localStorage: origins.get(origin)?.localStorage ?? [], indexedDB });
  return { ...state, origins: [...origins.values()] };
}

const unansweredRead = (): never => {
  throw new Error(`The browser did not tell what it keeps within ${READ_TIMEOUT_MS / 1_000} s.`);
};

async function assertRoom(profiles: ProfileStore, accountId: string): Promise<void> {
  const names = new Set((await profiles.list(accountId)).map(({ name }) => name));
  if (names.size >= MAX_PROFILES)
    throw new Failure('VALIDATION_ERROR', `This account has ${MAX_PROFILES} profiles. Delete one first.`);
}

function versionOf(
  name: string,
  version: number,
  { cookies, origins }: StorageState,
  sealed: string,
  savedAt: number,
): ProfileVersion {
  const hosts = cookies.map(({ domain }) => domain.replace(/^\./, ''));
  const all = [...new Set([...origins.map(({ origin }) => origin), ...hosts])].sort();
  return { name, version, savedAt, bytes: sealed.length, origins: all.slice(0, MAX_LISTED_ORIGINS) };
}

/** Returns the text to which the contents of a profile are bound. */
export const profileContext = (accountId: string, name: string): string => `${accountId}\n${name}`;

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

const seal = async (keys: SecretsKeys, context: string, state: StorageState): Promise<string> =>
  sealBytes(keys, context, await promisify(gzip)(JSON.stringify(state)));

async function unseal(
  keys: SecretsKeys,
  context: string,
  sealed: string,
  name: string,
): Promise<StorageState> {
  try {
    const plain = unsealBytes(keys, context, sealed);
    return JSON.parse((await promisify(gunzip)(plain)).toString('utf8')) as StorageState;
  } catch (cause) {
    throw new Failure(
      'PROFILE_UNREADABLE',
      `The profile "${name}" cannot be opened: it was written with another key or by another version. Its key is PAGESPACE_SECRETS_KEY, or secrets-key in the data folder.`,
      { cause },
    );
  }
}
