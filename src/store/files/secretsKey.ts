/** The key with which the service seals profiles. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/** Returns the key in the file `secrets-key` of the data folder; makes it at the first use, readable by its owner only. @throws Error if the file holds no key */
export function secretsKeyIn(folder: string): Buffer {
  const path = join(folder, 'secrets-key');
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(`The file ${path} holds no key of 32 bytes. Restore it from a backup.`);
  return key;
}
