/** Files of sessions in the data folder: `sessions/<session>/<kind>/<id>/<name>`. */
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../domain/failures.ts';
import type { SessionFile, SessionFileKind, SessionFiles } from '../domain/ports.ts';
import { orStorageFull } from './fullDisk.ts';

/** Longest file name that common file systems take is 255 bytes. */
const MOST_NAME_BYTES = 200;
/** Uploads, and downloads, of one session: each new one looks at all that are there. */
const MOST_FILES = 1_000;
const LETTERS: Readonly<Record<SessionFileKind, string>> = { download: 'D', upload: 'U' };
const SESSION_ID = /^[0-9a-f-]{36}$/;
const FILE_ID = /^[DU][1-9]\d{0,6}$/;

/**
 * @param root the folder for all sessions; made when the first file comes
 * @param mostBytes what one session's files may have together
 */
export function sessionFolders(root: string, mostBytes: number): SessionFiles {
  const folderOf = (sessionId: string, kind: SessionFileKind): string => {
    if (!SESSION_ID.test(sessionId)) throw new Error('A session id that is no UUID names no folder');
    return join(root, sessionId, kind);
  };

  async function list(sessionId: string, kind: SessionFileKind): Promise<(SessionFile & { path: string })[]> {
    const folder = folderOf(sessionId, kind);
    const ids = (await readdir(folder).catch(() => [])).filter(id => FILE_ID.test(id));
    ids.sort((a, b) => numberOf(a) - numberOf(b));
    const files = await Promise.all(ids.map(id => fileIn(join(folder, id), id)));
    return files.filter(file => file !== null);
  }

  /** Bytes that the session's files may still take. @throws Failure QUOTA_EXHAUSTED when none are left */
  async function roomLeft(sessionId: string): Promise<number> {
    const kept = [...(await list(sessionId, 'download')), ...(await list(sessionId, 'upload'))];
    const left = mostBytes - kept.reduce((sum, file) => sum + file.bytes, 0);
    if (left > 0) return left;
    throw new Failure('QUOTA_EXHAUSTED', `The files of this session fill their ${mostBytes} bytes already.`);
  }

  async function place(
    sessionId: string,
    kind: SessionFileKind,
    name: string,
  ): Promise<{ id: string; path: string }> {
    await roomLeft(sessionId);
    const folder = folderOf(sessionId, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(fullOr);
    const had = (await readdir(folder)).length;
    if (had >= MOST_FILES)
      throw new Failure('QUOTA_EXHAUSTED', `This session has had its ${MOST_FILES} ${kind}s already.`);
    for (let number = had + 1; ; number++) {
      const id = `${LETTERS[kind]}${number}`;
      const made = await mkdir(join(folder, id), { mode: 0o700 }).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw orStorageFull(error);
          return false;
        },
      );
      if (made) return { id, path: join(folder, id, safeName(name)) };
    }
  }

  async function find(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<(SessionFile & { path: string }) | null> {
    return FILE_ID.test(id) ? fileIn(join(folderOf(sessionId, kind), id), id) : null;
  }

  return {
    mostBytes,
    list,
    place,
    find,
    async receive(sessionId, kind, name, pieces) {
      const left = await roomLeft(sessionId);
      const { id, path } = await place(sessionId, kind, name);
      // Beside the id's folder until it is whole: half a file is no file.
      const partial = `${dirname(path)}.partial`;
      try {
        await writePieces(partial, pieces, left);
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        await rmdir(dirname(path)).catch(() => undefined);
        throw orStorageFull(error);
      }
      const kept = await find(sessionId, kind, id);
      if (kept === null) throw new Error('A file that was just kept is not there');
      return kept;
    },
    async open(sessionId, kind, id) {
      const file = await find(sessionId, kind, id);
      if (file === null) return null;
      const handle = await open(file.path);
      return { file, bytes: streamOf(handle) };
    },
    async remove(sessionId) {
      if (SESSION_ID.test(sessionId)) await rm(join(root, sessionId), { recursive: true, force: true });
    },
  };
}

const fullOr = (error: unknown): never => {
  throw orStorageFull(error);
};

/** @throws Failure BODY_TOO_LARGE past `mostBytes` */
async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > mostBytes)
      throw new Failure('BODY_TOO_LARGE', `The files of this session may take ${mostBytes} more bytes.`);
    await handle.writeFile(piece);
  }
}

/** Bytes that are read from the disk at a time. */
const PIECE_BYTES = 65_536;

/** The file as a stream that closes it when it has been read, or is cancelled. */
function streamOf(handle: FileHandle): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytesRead, buffer } = await handle
        .read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES)
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

const numberOf = (id: string): number => Number(id.slice(1));

async function fileIn(folder: string, id: string): Promise<(SessionFile & { path: string }) | null> {
  const [name] = await readdir(folder).catch(() => []);
  if (name === undefined) return null;
  const path = join(folder, name);
  const found = await stat(path).catch(() => null);
  return found === null
    ? null
    : { id, name, path, bytes: found.size, createdAt: Math.round(found.birthtimeMs) };
}

/** A name that is one part of a path, whatever a page or a caller says. */
export function safeName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .trim();
  let short = plain;
  while (Buffer.byteLength(short) > MOST_NAME_BYTES) short = short.slice(1);
  return /^\.*$/.test(short) ? 'file' : short;
}
