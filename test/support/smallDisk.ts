/** A small file system of its own, for tests of a full disk. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  /** Removes what `fill` has written. */
  free(): void;
}

/** Mounts a file system in memory. @returns null if the system does not allow it */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'pagespace-disk-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (mount.status !== 0) {
    rmSync(path, { recursive: true });
    return null;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      try {
        writeFileSync(ballast, new Uint8Array(megabytes * 1_048_576));
      } catch {
        // The disk took as much as it had space for.
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      spawnSync('umount', [path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
