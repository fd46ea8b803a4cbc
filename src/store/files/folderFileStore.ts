/** Session files in the data folder: `sessions/<session>/<kind>/<id>/<name>`. */
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../domain/failure/failures.ts';
import type { SessionFile, SessionFileKind, SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import { storageFull, toStorageFull } from './toStorageFull.ts';

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

/**
 * Creates the store of session files in a folder: `<root>/<session>/<kind>/<id>/<name>`.
 * @param root folder for the files of all sessions; created with the first file
 * @param maxBytes maximum size of all files of one session together
 */
export function folderFileStore(root: string, maxBytes: number): SessionFileStore {
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

  /** Returns how many more bytes the files of the session may use. @throws Failure QUOTA_EXHAUSTED if none are left */
  async function remainingBytes(sessionId: string): Promise<number> {
    const files = [...(await list(sessionId, 'download')), ...(await list(sessionId, 'upload'))];
    const left = maxBytes - files.reduce((sum, file) => sum + file.bytes, 0);
    if (left > 0) return left;
    throw new Failure(
      'QUOTA_EXHAUSTED',
      `The files of this session already use their maximum of ${maxBytes} bytes.`,
    );
  }

  async function reserve(
    sessionId: string,
    kind: SessionFileKind,
    name: string,
  ): Promise<{ id: string; path: string }> {
    await remainingBytes(sessionId);
    if ((await freeSpace(root)) < 0) throw storageFull();
    const folder = folderOf(sessionId, kind);
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
      if (isCreated) return { id, path: join(folder, id, safeFileName(name)) };
    }
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
    async save(sessionId, kind, name, chunks) {
      const left = await remainingBytes(sessionId);
      const { id, path } = await reserve(sessionId, kind, name);
      // Write beside the folder of the id, and move the complete file into it: a partial file must not be listed.
      const partial = `${dirname(path)}.partial`;
      try {
        await writeChunks(partial, chunks, left, await freeSpace(root));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        await rmdir(dirname(path)).catch(() => undefined);
        throw toStorageFull(error);
      }
      const saved = await find(sessionId, kind, id);
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
      if (SESSION_ID.test(sessionId)) await rm(join(root, sessionId), { recursive: true, force: true });
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

/**
 * Writes the chunks to a new file.
 * @throws Failure BODY_TOO_LARGE if they have more than `maxBytes` bytes, STORAGE_FULL if more than `freeBytes`
 */
async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  freeBytes: number,
): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new Failure(
        'BODY_TOO_LARGE',
        `The file is too large: the files of this session have ${maxBytes} bytes left.`,
      );
    if (bytes > freeBytes) throw storageFull();
    await handle.writeFile(chunk);
  }
}

const READ_CHUNK_BYTES = 65_536;

/** Returns the content of an open file as a stream. The file is closed when the stream ends, fails or is cancelled. */
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

/** Maximum number of characters of a name that are read; more than `MAX_NAME_BYTES`, because some are removed. */
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
