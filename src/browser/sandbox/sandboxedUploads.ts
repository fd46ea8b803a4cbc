/** Gives the uploads of a session to a browser that cannot read the service's folders. */
import { chown, constants, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SandboxedLaunch } from './sandboxedLaunch.ts';

/**
 * Returns a view of the store whose `find` copies an upload into the folder of the browser and returns the path of the
 * copy. The copies disappear with the browser.
 */
export function sandboxedUploads(
  files: SessionFileStore,
  { folder, userId }: Pick<SandboxedLaunch, 'folder' | 'userId'>,
): SessionFileStore {
  const give = async (path: string) => {
    if (userId !== null) await chown(path, userId, userId);
  };
  const find: SessionFileStore['find'] = async (sessionId, kind, id) => {
    const found = await files.find(sessionId, kind, id);
    if (found === null || kind !== 'upload') return found;
    const path = join(folder, 'uploads', sessionId, found.id, found.name);
    await mkdir(dirname(path), { recursive: true });
    for (const parent of ['.', sessionId, join(sessionId, found.id)])
      await give(join(folder, 'uploads', parent));
    // A copy that shares its blocks with the original, where the file system can do that.
    await copyFile(found.path, path, constants.COPYFILE_FICLONE);
    await give(path);
    return { ...found, path };
  };
  return {
    maxBytes: files.maxBytes,
    reserve: (...args) => files.reserve(...args),
    list: (...args) => files.list(...args),
    save: (...args) => files.save(...args),
    open: (...args) => files.open(...args),
    unchangedSince: (...args) => files.unchangedSince(...args),
    remove: (...args) => files.remove(...args),
    find,
  };
}
