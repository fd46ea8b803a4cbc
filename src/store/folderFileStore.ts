/** Files of sessions in the data folder: `sessions/<session>/<kind>/<id>/<name>`. */
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../domain/failures.ts';
import type { SessionFile, SessionFileKind, SessionFileStore } from '../domain/ports/sessionFileStore.ts';
import { toStorageFull } from './toStorageFull.ts';

/** Longest file name that common file systems take is 255 bytes. */
const MAX_NAME_BYTES = 200;
/** Uploads, and downloads, of one session: each new one looks at all that are there. */
const MAX_FILES = 1_000;
const ID_PREFIXES: Readonly<Record<SessionFileKind, string>> = { download: 'D', upload: 'U' };
const SESSION_ID = /^[0-9a-f-]{36}$/;
const FILE_ID = /^[DU][1-9]\d{0,6}$/;

/**
 * @param root the folder for all sessions; made when the first file comes
 * @param maxBytes what one session's files may have together
 */
export function folderFileStore(root: string, maxBytes: number): SessionFileStore {
  const folderOf = (sessionId: string, kind: SessionFileKind): string => {
    if (!SESSION_ID.test(sessionId)) throw new Error('A session id that is no UUID names no folder');
    return join(root, sessionId, kind);
  };

  async function list(sessionId: string, kind: SessionFileKind): Promise<(SessionFile & { path: string })[]> {
    const folder = folderOf(sessionId, kind);
    const ids = (await readdir(folder).catch(() => [])).filter(id => FILE_ID.test(id));
    ids.sort((a, b) => idNumber(a) - idNumber(b));
    const files = await Promise.all(ids.map(id => readFileEntry(join(folder, id), id)));
    return files.filter(file => file !== null);
  }

  /** Bytes that the session's files may still take. @throws Failure QUOTA_EXHAUSTED when none are left */
  async function remainingBytes(sessionId: string): Promise<number> {
    const kept = [...(await list(sessionId, 'download')), ...(await list(sessionId, 'upload'))];
    const left = maxBytes - kept.reduce((sum, file) => sum + file.bytes, 0);
    if (left > 0) return left;
    throw new Failure('QUOTA_EXHAUSTED', `The files of this session fill their ${maxBytes} bytes already.`);
  }

  async function reserve(
    sessionId: string,
    kind: SessionFileKind,
    name: string,
  ): Promise<{ id: string; path: string }> {
    await remainingBytes(sessionId);
    const folder = folderOf(sessionId, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrowStorageFull);
    const had = (await readdir(folder)).length;
    if (had >= MAX_FILES)
      throw new Failure('QUOTA_EXHAUSTED', `This session has had its ${MAX_FILES} ${kind}s already.`);
    for (let number = had + 1; ; number++) {
      const id = `${ID_PREFIXES[kind]}${number}`;
      const made = await mkdir(join(folder, id), { mode: 0o700 }).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw toStorageFull(error);
          return false;
        },
      );
      if (made) return { id, path: join(folder, id, safeFileName(name)) };
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
    async save(sessionId, kind, name, pieces) {
      const left = await remainingBytes(sessionId);
      const { id, path } = await reserve(sessionId, kind, name);
      // Beside the id's folder until it is whole: half a file is no file.
      const partial = `${dirname(path)}.partial`;
      try {
        await writeChunks(partial, pieces, left);
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        await rmdir(dirname(path)).catch(() => undefined);
        throw toStorageFull(error);
      }
      const kept = await find(sessionId, kind, id);
      if (kept === null) throw new Error('A file that was just kept is not there');
      return kept;
    },
    async open(sessionId, kind, id) {
      const file = await find(sessionId, kind, id);
      if (file === null) return null;
      const handle = await open(file.path);
      return { file, bytes: readStream(handle) };
    },
    async remove(sessionId) {
      if (SESSION_ID.test(sessionId)) await rm(join(root, sessionId), { recursive: true, force: true });
    },
  };
}

const rethrowStorageFull = (error: unknown): never => {
  throw toStorageFull(error);
};

/** @throws Failure BODY_TOO_LARGE past `mostBytes` */
async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  let bytes = 0;
  for await (const piece of chunks) {
    bytes += piece.byteLength;
    if (bytes > maxBytes)
      throw new Failure('BODY_TOO_LARGE', `The files of this session may take ${maxBytes} more bytes.`);
    await handle.writeFile(piece);
  }
}

/** Bytes that are read from the disk at a time. */
const READ_CHUNK_BYTES = 65_536;

/** The file as a stream that closes it when it has been read, or is cancelled. */
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

const idNumber = (id: string): number => Number(id.slice(1));

async function readFileEntry(folder: string, id: string): Promise<(SessionFile & { path: string }) | null> {
  const [name] = await readdir(folder).catch(() => []);
  if (name === undefined) return null;
  const path = join(folder, name);
  const found = await stat(path).catch(() => null);
  return found === null
    ? null
    : { id, name, path, bytes: found.size, createdAt: Math.round(found.birthtimeMs) };
}

/** A name that is one part of a path, whatever a page or a caller says. */
export function safeFileName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .trim();
  let short = plain;
  while (Buffer.byteLength(short) > MAX_NAME_BYTES) short = short.slice(1);
  return /^\.*$/.test(short) ? 'file' : short;
}
