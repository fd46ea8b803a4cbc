/** Files of sessions in the data folder: `sessions/<session>/<kind>/<id>/<name>`. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure } from '../domain/failures.ts';
import type { SessionFile, SessionFileKind, SessionFiles } from '../domain/ports.ts';

/** Longest file name that common file systems take is 255 bytes. */
const MOST_NAME_BYTES = 200;
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

  return {
    mostBytes,
    list,
    async place(sessionId, kind, name) {
      const kept = [...(await list(sessionId, 'download')), ...(await list(sessionId, 'upload'))];
      if (kept.reduce((sum, file) => sum + file.bytes, 0) >= mostBytes)
        throw new Failure(
          'QUOTA_EXHAUSTED',
          `The files of this session fill their ${mostBytes} bytes already.`,
        );
      const folder = folderOf(sessionId, kind);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (let number = (await readdir(folder)).length + 1; ; number++) {
        const id = `${LETTERS[kind]}${number}`;
        const made = await mkdir(join(folder, id), { mode: 0o700 }).then(
          () => true,
          (error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
            return false;
          },
        );
        if (made) return { id, path: join(folder, id, safeName(name)) };
      }
    },
    async find(sessionId, kind, id) {
      return FILE_ID.test(id) ? fileIn(join(folderOf(sessionId, kind), id), id) : null;
    },
    async remove(sessionId) {
      if (SESSION_ID.test(sessionId)) await rm(join(root, sessionId), { recursive: true, force: true });
    },
  };
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
