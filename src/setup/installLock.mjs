/**
 * A lock with which only one setup runs at a time in a clone. Every process that wants the lock writes a file named by its process id into one folder;
 * a process holds the lock when no other running process has a file there. Plain JavaScript without packages, like install.mjs.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RETRY_INTERVAL_MS = 200;
/** Maximum age of the file by which a process claims the lock. An older file does not count: no setup takes this long, and the system may have given its process id to another process. */
const MAX_CLAIM_AGE_MS = 3_600_000;

/**
 * Blocks until this process holds the lock.
 * @param {string} folder the folder of the lock; must lie outside node_modules, which `npm ci` deletes
 * @param {(pid: number) => void} onWait called once, before the first wait, with the process id of another claimant
 * @returns {() => void} a function that releases the lock
 */
export function acquireInstallLock(folder, onWait) {
  const claim = join(folder, String(process.pid));
  for (let waited = false; ; waited = true) {
    writeClaim(folder, claim);
    const [other] = otherClaimants(folder);
    if (other === undefined) return () => removeClaim(folder, claim);
    removeClaim(folder, claim);
    if (!waited) onWait(other);
    // Two processes that see each other's claims both withdraw. The random part makes them retry at different times.
    sleep(RETRY_INTERVAL_MS * (0.5 + Math.random()));
  }
}

/** Returns true if another running process holds the lock or waits for it. */
export function isInstallLocked(folder) {
  return otherClaimants(folder).length > 0;
}

function writeClaim(folder, claim) {
  for (;;) {
    mkdirSync(folder, { recursive: true });
    try {
      return writeFileSync(claim, '');
    } catch (error) {
      // ENOENT: another process has removed the empty folder in between.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

/** Returns the ids of other running processes that hold the lock or wait for it. Removes the claims of processes that were killed. */
function otherClaimants(folder) {
  return readFolder(folder)
    .map(Number)
    .filter(pid => pid !== process.pid && isClaimant(pid, join(folder, String(pid))));
}

function isClaimant(pid, claim) {
  const writtenAt = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
  // The claim was removed in between. Do not remove the file: its process may be writing it again.
  if (writtenAt === undefined) return false;
  if (isRunning(pid) && Date.now() - writtenAt < MAX_CLAIM_AGE_MS) return true;
  rmSync(claim, { force: true });
  return false;
}

function readFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // The folder exists only while a process has a claim.
    return [];
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error.code === 'EPERM';
  }
}

function removeClaim(folder, claim) {
  rmSync(claim, { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Another process has a claim in the folder, or has removed the folder.
  }
}

const sleep = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
