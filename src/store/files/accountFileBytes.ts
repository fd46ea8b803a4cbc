import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../domain/failure/failures.ts';
import type { FileOwner } from '../../domain/ports/sessionFileStore.ts';

/** Codes of system errors about a full disk: no space left, quota exceeded, file too large. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** SQLite's codes for a file that could not grow: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE (https://www.sqlite.org/rescode.html). */
const SQLITE_CODES = new Set([13, 778, 4_874]);

/** Returns Failure STORAGE_FULL for an error about a full disk, and any other error unchanged. */
export function toStorageFull(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (!SYSTEM_CODES.has(String(code)) && !SQLITE_CODES.has(Number(errcode))) return error;
  return storageFull(error);
}

export const storageFull = (cause?: unknown): Failure =>
  new Failure(
    'STORAGE_FULL',
    'The disk of the service is full, so the result could not be written. Try again later, or tell the operator of the service.',
    { cause, retryAfterSeconds: 30 },
  );

/** The space that a file takes beside its content: its folder has a block. Otherwise a million empty files would count nothing. */
const FOLDER_BYTES = 4_096;
/** Files of ended sessions are removed every hour. */
const RETRY_AFTER_SECONDS = 3_600;

export interface AccountFileLimit {
  /** Maximum size of the files of all sessions of an account together, on this node; null for no limit. */
  readonly maxBytes: number | null;
  /** Days for which the files of an ended session are kept; null to keep them forever. */
  readonly retentionDays: number | null;
}

/** Counts the bytes of the files of each account. A number that is kept with each write: it never reads the disk. */
export class AccountFileBytes {
  readonly #limit: AccountFileLimit;
  readonly #sessions = new Map<string, { readonly accountId: string; readonly bytes: number }>();
  readonly #accounts = new Map<string, number>();

  constructor(limit: AccountFileLimit) {
    this.#limit = limit;
  }

  /** True if files have a limit, so that they must be counted. */
  get isLimited(): boolean {
    return this.#limit.maxBytes !== null;
  }

  /** The files are stored already. @param sizes the size of each one */
  addStored(owner: FileOwner, sizes: readonly number[]): void {
    this.#add(
      owner,
      sizes.reduce((sum, bytes) => sum + bytes + FOLDER_BYTES, 0),
    );
  }

  forget(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) this.#add({ sessionId, accountId: session.accountId }, -session.bytes);
  }

  /** Counts bytes of a session's record no more. */
  forgetRecord(sessionId: string, bytes: number): void {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) this.#add({ sessionId, accountId: session.accountId }, -bytes);
  }

  /** @throws Failure QUOTA_EXHAUSTED if the files of the account leave no space for another one */
  assertSpaceLeft({ accountId }: FileOwner): void {
    const { maxBytes, retentionDays } = this.#limit;
    if (maxBytes === null || this.#left(accountId, maxBytes) > FOLDER_BYTES) return;
    throw new Failure(
      'QUOTA_EXHAUSTED',
      `The files of all sessions of this account already use ${this.#used(accountId)} of at most ${maxBytes} bytes on this machine. ${this.#advice()}`,
      retentionDays === null ? { retryable: false } : { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  /** Negative bytes if they could not be written. @throws Failure QUOTA_EXHAUSTED if the account has not as much space left */
  countRecord(owner: FileOwner, bytes: number): void {
    const { maxBytes } = this.#limit;
    if (maxBytes !== null && bytes > this.#left(owner.accountId, maxBytes))
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `The files and records of all sessions of this account use ${this.#used(owner.accountId)} of at most ${maxBytes} bytes on this machine. ${this.#advice()}`,
      );
    this.#add(owner, bytes);
  }

  /** Counts a new file without content, for which a folder was created. */
  reserve(owner: FileOwner, path: string): ReservedBytes {
    this.#add(owner, FOLDER_BYTES);
    let counted = FOLDER_BYTES;
    let isKept = false;
    const assertFits = (bytes: number): void => {
      const { maxBytes } = this.#limit;
      if (maxBytes !== null && bytes > this.#left(owner.accountId, maxBytes))
        throw new Failure(
          'BODY_TOO_LARGE',
          `The file is too large: the files of all sessions of this account use ${this.#used(owner.accountId) - counted} of at most ${maxBytes} bytes on this machine. ${this.#advice()}`,
        );
    };
    const count = (bytes: number): void => {
      assertFits(bytes);
      this.#add(owner, bytes);
      counted += bytes;
    };
    return {
      assertFits,
      count,
      countWritten: async () => count((await stat(path)).size),
      keep: () => {
        isKept = true;
      },
      [Symbol.asyncDispose]: async () => {
        if (isKept) return;
        await rm(dirname(path), { recursive: true, force: true });
        this.#add(owner, -counted);
      },
    };
  }

  #advice(): string {
    const { retentionDays } = this.#limit;
    return retentionDays === null
      ? 'The service keeps files forever: ask its operator for space.'
      : `Close sessions that you need no more: their files are removed ${retentionDays} days later.`;
  }

  #used(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }

  #left(accountId: string, maxBytes: number): number {
    return maxBytes - this.#used(accountId);
  }

  #add({ sessionId, accountId }: FileOwner, bytes: number): void {
    const before = this.#sessions.get(sessionId)?.bytes ?? 0;
    // The files of a session can be removed before a file that was not kept gives its bytes back.
    const after = Math.max(0, before + bytes);
    if (after === 0) this.#sessions.delete(sessionId);
    else this.#sessions.set(sessionId, { accountId, bytes: after });
    const used = this.#used(accountId) + after - before;
    if (used === 0) this.#accounts.delete(accountId);
    else this.#accounts.set(accountId, used);
  }
}

/** The bytes of a new file. If the file is not kept, the disposal removes it with its folder and gives the bytes back. */
export interface ReservedBytes extends AsyncDisposable {
  /** Checks bytes that will be written, without counting them. @throws Failure BODY_TOO_LARGE if the account has not as much space left */
  assertFits(bytes: number): void;
  /** Counts bytes that are about to be written. @throws Failure BODY_TOO_LARGE if the account has not as much space left */
  count(bytes: number): void;
  /** Counts the bytes of the file that is complete. @throws Failure BODY_TOO_LARGE as `count()` does */
  countWritten(): Promise<void>;
  keep(): void;
}
