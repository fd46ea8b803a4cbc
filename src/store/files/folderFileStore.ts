/** Session files in the data folder: `sessions/<session>/<kind>/<id>/<name>`. */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../domain/failure/failures.ts';
import type {
  FileOwner,
  ReservedFile,
  SessionFile,
  SessionFileKind,
  SessionFileStore,
} from '../../domain/ports/sessionFileStore.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import { AccountFileBytes, type ReservedBytes, storageFull, toStorageFull } from './accountFileBytes.ts';

/** Maximum length of the name of a stored file, in bytes. Common file systems allow 255 bytes. */
const MAX_NAME_BYTES = 200;
/** Maximum number of uploads of a session, and of its downloads. Limited because saving a file reads the list of all files. */
const MAX_FILES = 1_000;
/** Part of the disk, and number of bytes, that files leave free, whichever is less: sessions must start when files fill the disk. */
const FREE_PART = 0.05;
const MAX_FREE_BYTES = 268_435_456;
const ID_PREFIXES: Readonly<Record<SessionFileKind, string>> = { download: 'D', upload: 'U' };

const SESSION_ID = /^[0-9a-f-]{36}$/;
const FILE_ID = /^[DU][1-9]\d{0,6}$/;

const COUNT_BATCH_SIZE = 50;

export interface FolderFileStoreOptions {
  /** Maximum size of all files of one session together, in bytes. */
  readonly sessionBytes: number;
  /** Counts the bytes of each account, and has their limit. Default: without a limit. */
  readonly accountBytes?: AccountFileBytes;
}

export interface FolderFileStore extends SessionFileStore {
  /** Counts the files of earlier runs; call it once, first. `accountIdsOf`: the account of each session; null for those that count for none. */
  countStored(
    accountIdsOf: (sessionIds: readonly string[]) => Promise<readonly (string | null)[]>,
  ): Promise<void>;
}

export function folderFileStore(
  root: string,
  {
    sessionBytes: maxBytes,
    accountBytes = new AccountFileBytes({ maxBytes: null, retentionDays: null }),
  }: FolderFileStoreOptions,
): FolderFileStore {
  const folderOf = (sessionId: string, kind: SessionFileKind): string => {
    if (!SESSION_ID.test(sessionId)) throw new Error('The session id is not a UUID');
    return join(root, sessionId, kind);
  };

  async function list(sessionId: string, kind: SessionFileKind): Promise<(SessionFile & { path: string })[]> {
    const folder = folderOf(sessionId, kind);
    const ids = (await readdir(folder).catch(() => [])).filter(id => FILE_ID.test(id));
    ids.sort((a, b) => idNumber(a) - idNumber(b));
    const files = await Promise.all(ids.map(id => readFileEntry(join(folder, id), id)));
    return files.filter(file => file !== null);
  }

  async function sizes(sessionId: string): Promise<readonly number[]> {
    const files = [...(await list(sessionId, 'download')), ...(await list(sessionId, 'upload'))];
    return files.map(({ bytes }) => bytes);
  }

  /** Returns how many more bytes the files of the session may use; negative if they use too many. */
  const sessionBytesLeft = async (sessionId: string): Promise<number> =>
    (await sizes(sessionId)).reduce((left, bytes) => left - bytes, maxBytes);

  /** Creates the folder of a new file, and counts it. @throws Failure QUOTA_EXHAUSTED, STORAGE_FULL */
  async function createFile(owner: FileOwner, kind: SessionFileKind, name: string) {
    const left = await sessionBytesLeft(owner.sessionId);
    if (left <= 0)
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `The files of this session already use their maximum of ${maxBytes} bytes.`,
      );
    accountBytes.assertSpaceLeft(owner);
    if ((await freeSpace(root)) < 0) throw storageFull();
    const folder = folderOf(owner.sessionId, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrowStorageFull);
    const count = (await readdir(folder)).length;
    if (count >= MAX_FILES)
      throw new Failure('QUOTA_EXHAUSTED', `This session already has its maximum of ${MAX_FILES} ${kind}s.`);
    for (let number = count + 1; ; number++) {
      const id = `${ID_PREFIXES[kind]}${number}`;
      const isCreated = await mkdir(join(folder, id), { mode: 0o700 }).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw toStorageFull(error);
          return false;
        },
      );
      if (!isCreated) continue;
      const path = join(folder, id, safeFileName(name));
      return { id, path, left, bytes: accountBytes.reserve(owner, path) };
    }
  }

  async function reserve(owner: FileOwner, kind: SessionFileKind, name: string): Promise<ReservedFile> {
    const { id, path, bytes } = await createFile(owner, kind, name);
    return {
      id,
      path,
      async keep() {
        // Several downloads may have ended at the same time.
        if ((await sessionBytesLeft(owner.sessionId)) < 0)
          throw new Failure(
            'QUOTA_EXHAUSTED',
            `The files of the session would exceed their size limit of ${maxBytes} bytes.`,
          );
        await bytes.countWritten();
        bytes.keep();
      },
      [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),
    };
  }

  async function find(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<(SessionFile & { path: string }) | null> {
    return FILE_ID.test(id) ? readFileEntry(join(folderOf(sessionId, kind), id), id) : null;
  }

  return {
    maxBytes,
    list,
    reserve,
    find,
    async save(owner, kind, name, chunks, announcedBytes = null) {
      const { id, path, left, bytes } = await createFile(owner, kind, name);
      await using unlessKept = bytes;
      // Write beside the folder of the id, and move the complete file into it: a partial file must not be listed.
      const partial = `${dirname(path)}.partial`;
      try {
        const space: FileSpace = { left, freeBytes: await freeSpace(root), bytes: unlessKept };
        if (announcedBytes !== null) assertFits(announcedBytes, space);
        await writeChunks(partial, chunks, space);
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw toStorageFull(error);
      }
      unlessKept.keep();
      const saved = await find(owner.sessionId, kind, id);
      if (saved === null) throw new Error('A file that was just saved is missing');
      return saved;
    },
    async open(sessionId, kind, id) {
      const file = await find(sessionId, kind, id);
      if (file === null) return null;
      const handle = await open(file.path);
      return { file, bytes: readStream(handle) };
    },
    async unchangedSince(time) {
      const found: string[] = [];
      for (const id of await readdir(root).catch(() => []))
        if (SESSION_ID.test(id) && (await lastChange(join(root, id))) < time) found.push(id);
      return found;
    },
    async remove(sessionId) {
      if (!SESSION_ID.test(sessionId)) return;
      await rm(join(root, sessionId), { recursive: true, force: true });
      accountBytes.forget(sessionId);
    },
    async countStored(accountIdsOf) {
      if (!accountBytes.isLimited) return;
      const ids = (await readdir(root).catch(() => [])).filter(id => SESSION_ID.test(id));
      for (let start = 0; start < ids.length; start += COUNT_BATCH_SIZE) {
        const batch = ids.slice(start, start + COUNT_BATCH_SIZE);
        const accountIds = await accountIdsOf(batch);
        const count = async (sessionId: string, index: number): Promise<void> => {
          const accountId = accountIds[index] ?? null;
          if (accountId !== null) accountBytes.addStored({ sessionId, accountId }, await sizes(sessionId));
        };
        await Promise.all(batch.map(count));
      }
    },
  };
}

/** Returns how many bytes of the disk files may still use; negative if they use too many. */
async function freeSpace(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrowStorageFull);
  const { bsize, blocks, bavail } = await statfs(folder);
  return bsize * bavail - Math.min(MAX_FREE_BYTES, FREE_PART * bsize * blocks);
}

const rethrowStorageFull = (error: unknown): never => {
  throw toStorageFull(error);
};

interface FileSpace {
  readonly left: number;
  readonly freeBytes: number;
  readonly bytes: ReservedBytes;
}

/** @throws Failure BODY_TOO_LARGE if a file of `size` bytes exceeds what the session or the account has left, STORAGE_FULL if more than `freeBytes` */
function assertFits(size: number, { left, freeBytes, bytes }: FileSpace): void {
  if (size > left) throw tooLarge(left);
  bytes.assertFits(size);
  if (size > freeBytes) throw storageFull();
}

const tooLarge = (left: number): Failure =>
  new Failure('BODY_TOO_LARGE', `The file is too large: the files of this session have ${left} bytes left.`);

/** @throws Failure BODY_TOO_LARGE if they have more bytes than the session or the account has left, STORAGE_FULL if more than `freeBytes` */
async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { left, freeBytes, bytes }: FileSpace,
): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  let written = 0;
  for await (const chunk of chunks) {
    written += chunk.byteLength;
    if (written > left) throw tooLarge(left);
    bytes.count(chunk.byteLength);
    if (written > freeBytes) throw storageFull();
    await handle.writeFile(chunk);
  }
}

const READ_CHUNK_BYTES = 65_536;

function readStream(handle: FileHandle): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytesRead, buffer } = await handle
        .read(new Uint8Array(READ_CHUNK_BYTES), 0, READ_CHUNK_BYTES)
        .catch(async error => {
          await handle.close();
          throw error;
        });
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}

/** Returns when the last file was added to the folder of a session, in milliseconds since the epoch: a file changes the folder of its kind. */
async function lastChange(folder: string): Promise<number> {
  const kinds = ['download', 'upload'] satisfies SessionFileKind[];
  const folders = [folder, ...kinds.map(kind => join(folder, kind))];
  const stats = await Promise.all(folders.map(path => stat(path).catch(() => null)));
  return Math.max(...stats.map(each => each?.mtimeMs ?? 0));
}

const idNumber = (id: string): number => Number(id.slice(1));

async function readFileEntry(folder: string, id: string): Promise<(SessionFile & { path: string }) | null> {
  const [name] = await readdir(folder).catch(() => []);
  if (name === undefined) return null;
  const path = join(folder, name);
  const stats = await stat(path).catch(() => null);
  return stats === null
    ? null
    : { id, name, path, bytes: stats.size, createdAt: Math.round(stats.birthtimeMs) };
}

const MAX_READ_CHARACTERS = 1_000;

/** Converts a file name from a page or a caller to a safe one: a single path segment of at most 200 bytes. Keeps the end of a longer name. */
function safeFileName(name: string): string {
  // Only its end can be kept, so the rest of a hostile name is not read.
  const end = name.slice(-MAX_READ_CHARACTERS).toWellFormed();
  const segment = normalizeText(basename(end.replaceAll('\\', '/')).replace(/[\p{Cc}<>:"|?*]/gu, '_'));
  let characters = Array.from(segment);
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters = characters.slice(1);
  const short = characters.join('').trim();
  return /^\.*$/.test(short) ? 'file' : short;
}
