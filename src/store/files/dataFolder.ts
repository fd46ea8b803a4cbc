/** The data folder of the service. Only its owner can read it, and one service at a time uses it. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { sentences, sqliteAdvice } from '../store.ts';

const KEY_BYTES = 32;

/** Returns the keys in the file `secrets-key` of the data folder; makes one at the first use, readable by its owner only. @throws Error if the file holds no key */
export function secretsKeysIn(folder: string): readonly Buffer[] {
  const path = join(folder, 'secrets-key');
  try {
    writeFileSync(path, keyLine(randomBytes(KEY_BYTES)), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const keys = lines.map(line => Buffer.from(line, 'base64'));
  if (keys.some(key => key.length !== KEY_BYTES))
    throw new Error(`The file ${path} holds no key of 32 bytes. Restore it from a backup.`);
  return keys;
}

/** Puts a new key before those in the file `secrets-key`. @returns all of them, and a function that leaves only the new one */
export function addSecretsKey(folder: string): {
  readonly keys: readonly Buffer[];
  readonly forgetOthers: () => void;
} {
  const keys = [randomBytes(KEY_BYTES), ...secretsKeysIn(folder)];
  const write = (kept: readonly Buffer[]): void => {
    const path = join(folder, 'secrets-key');
    // A crash leaves the old file or the new one.
    writeFileSync(`${path}.new`, kept.map(keyLine).join(''), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  };
  write(keys);
  return { keys, forgetOthers: () => write(keys.slice(0, 1)) };
}

const keyLine = (key: Buffer): string => `${key.toString('base64')}\n`;

/** The error when the data folder cannot be used. Its message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** The paths of the data folder and of its files. The folder exists; a file may not exist yet. */
export interface DataFolder {
  readonly path: string;
  readonly databasePath: string;
  readonly rateLimitsPath: string;
  readonly sessionsPath: string;
  readonly recordsPath: string;
  /** Path of the folder in which `BrowserProcessRegistry` records the running browser processes. */
  readonly browsersPath: string;
  /** Locks the folder until this process ends; returns an idempotent unlock. @throws DataFolderError if another process has it, or a file is read-only */
  lock(): () => void;
  /** Returns the name of the node that uses the folder: the same one at each start. Call it while the folder is locked. */
  nodeId(): string;
  /** Keeps the address and the first key in the files `url` and `key`, which only their owner can read. */
  saveAccess(url: string, key: string | null): void;
  lockOwner(): LockOwner | null;
}

const lockOwnerSchema = z.object({ pid: z.int(), startedAt: z.iso.datetime() });

/** The process that has locked the data folder; other processes name it in their error message. */
export type LockOwner = z.infer<typeof lockOwnerSchema>;

/** Returns the data folder, made readable only by its owner if it is missing. @throws DataFolderError if it cannot be created or is no folder */
export function dataFolder(dir: string): DataFolder {
  const path = resolve(dir);
  try {
    createFolder(path);
  } catch (cause) {
    throw unusableFolder(path, cause);
  }
  return {
    path,
    databasePath: join(path, 'store.sqlite'),
    rateLimitsPath: join(path, 'limits.sqlite'),
    sessionsPath: join(path, 'sessions'),
    recordsPath: join(path, 'records'),
    browsersPath: join(path, 'browsers'),
    lock: () => lockFolder(path),
    nodeId: () => nodeId(path),
    saveAccess: (url, key) => saveAccess(path, url, key),
    lockOwner: () => lockOwner(path),
  };
}

/** `recursive` of Node.js never ends in a file system that refuses with ENOENT, such as /proc. */
function createFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const above = dirname(path);
  if (above !== path) createFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it meanwhile.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}

/**
 * Locks the data folder with an exclusive SQLite transaction on `lock.sqlite`. The operating system releases that lock when
 * the process ends, so it is never stale; a pid in a file can be stale, and another process can have it now.
 * `process.json` only names the owner in error messages.
 */
function lockFolder(path: string): () => void {
  const recordPath = join(path, 'process.json');
  let held: DatabaseSync | undefined;
  try {
    assertWritable(path);
    keepPrivate(join(path, 'lock.sqlite'));
    held = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
    held.exec('begin exclusive');
  } catch (cause) {
    held?.close();
    if (isBusy(cause)) throw new DataFolderError(lockedMessage(path, readLockOwner(recordPath)), { cause });
    throw unusableFolder(path, cause);
  }
  const lockFile = held;
  const release = () => {
    if (lockFile.isOpen) lockFile.close();
  };
  try {
    const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
    const record: LockOwner = { pid: process.pid, startedAt };
    writeFileSync(recordPath, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (cause) {
    release();
    throw unusableFolder(path, cause);
  }
  return release;
}

/** Reads the name of the node, which the first start makes of the host name and a random suffix: two folders never share it. */
function nodeId(path: string): string {
  const file = join(path, 'node-id');
  try {
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (known !== '') return known;
    const host = hostname().replace(/[^A-Za-z0-9_-]/g, '-');
    const made = `${host.slice(0, 50)}-${randomBytes(4).toString('hex')}`;
    writeFileSync(file, `${made}\n`, { mode: 0o600 });
    return made;
  } catch (cause) {
    throw unusableFolder(path, cause);
  }
}

function saveAccess(path: string, url: string, key: string | null): void {
  for (const [name, text] of [
    ['url', url],
    ['key', key],
  ] as const) {
    if (text === null) continue;
    const file = join(path, name);
    // The mode of a new file does not change that of one that exists.
    rmSync(file, { force: true });
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  }
}

/** Names that the service itself gives: a volume can contain others, such as `lost+found`. */
const OWN_FILES = /^(?:store|limits|lock)\.sqlite|^(?:process\.json|sessions|browsers)$/;

/** Checks each file and folder first: SQLite opens a file that it may only read, and a later write fails. @throws Error that names the first one */
function assertWritable(path: string): void {
  for (const name of readdirSync(path).filter(each => OWN_FILES.test(each))) {
    try {
      accessSync(join(path, name), constants.W_OK);
    } catch {
      throw new Error(`this process may not write ${name}`);
    }
  }
}

/** Creates an SQLite file that only its owner reads, or makes it so: SQLite lets all read, and gives the files beside it the rights of the file. */
export function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // SQLite says what is wrong with the file.
    return;
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700);
  }
}

function lockOwner(path: string): LockOwner | null {
  let probe: DatabaseSync | undefined;
  try {
    probe = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
    probe.exec('begin exclusive');
    return null;
  } catch (cause) {
    if (isBusy(cause)) return readLockOwner(join(path, 'process.json'));
    throw unusableFolder(path, cause);
  } finally {
    probe?.close();
  }
}

/** Returns true for SQLITE_BUSY: another process holds the lock (https://www.sqlite.org/rescode.html#busy). */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5;

const lockedMessage = (path: string, record: LockOwner | null): string => {
  const owner =
    record === null ? 'another process' : `process ${record.pid}, running since ${record.startedAt}`;
  return `The data folder ${path} is in use by ${owner}. Stop it, or set PAGESPACE_DATA_DIR to another folder.`;
};

function readLockOwner(recordPath: string): LockOwner | null {
  try {
    return lockOwnerSchema.parse(JSON.parse(readFileSync(recordPath, 'utf8')));
  } catch {
    // The owner of the lock has not written its record yet.
    return null;
  }
}

function unusableFolder(path: string, cause: unknown): DataFolderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = sqliteAdvice(cause) ?? 'Set PAGESPACE_DATA_DIR to a writable folder.';
  return new DataFolderError(sentences(`The data folder ${path} cannot be used: ${reason}`, advice), {
    cause,
  });
}
