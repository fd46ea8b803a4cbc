/** Finds the service for the commands: in flags, the environment, ~/.config/pagespace, and the data folder of this machine's service. */

import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface ConnectionFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

export interface Connection {
  readonly url: string;
  readonly key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The address at which `pagespace serve` listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:4000';

const ConnectionFile = z.object({ url: z.string().optional(), key: z.string().optional() });
const SessionFile = z.object({ url: z.string(), sessionId: z.string() });

/** The command cannot run as it was called: the process exits with code 2. */
export class UsageError extends Error {}

/** Returns the folder of the files: `$XDG_CONFIG_HOME/pagespace`, by default `~/.config/pagespace`. */
const configFolder = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pagespace');

/** Returns the service that flags, environment or config.json name; null if none of them has a key. @throws UsageError */
export function findConnection(flags: ConnectionFlags, env: Environment): Connection | null {
  const file = readJson(join(configFolder(env), 'config.json'), ConnectionFile) ?? {};
  const url = flags.url ?? (env.PAGESPACE_URL || file.url) ?? DEFAULT_URL;
  const key = flags.key ?? (env.PAGESPACE_API_KEY || file.key);
  if (!URL.canParse(url)) throw new UsageError(`${url} is not an address such as ${DEFAULT_URL}.`);
  return key === undefined || key === '' ? null : { url, key };
}

/** The folder of the program: of the clone, or of the package. */
const PROGRAM_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the service that `npm start` runs on this machine: its data folder has its address and first key in the files `url` and
 * `key`. Files that others could have written or may read do not count, and the address must be one of this machine.
 */
export function findLocalService(env: Environment): Connection | null {
  const folder = env.PAGESPACE_DATA_DIR || join(PROGRAM_FOLDER, 'data');
  const url = readOwnFile(join(folder, 'url'));
  const key = readOwnFile(join(folder, 'key'));
  const host = url === null ? null : URL.parse(url)?.hostname;
  const isLocal = host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host ?? '');
  return url !== null && key !== null && isLocal ? { url, key } : null;
}

/** Returns the text of a file that belongs to this user and that nobody else may read or write; null otherwise. */
function readOwnFile(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (file === undefined || (uid !== undefined && (file.uid !== uid || (file.mode & 0o077) !== 0)))
    return null;
  return readFileSync(path, 'utf8').trim();
}

/** Returns the service of `findConnection`, else the one of this machine. @throws UsageError without a key */
export function requireConnection(flags: ConnectionFlags, env: Environment): Connection {
  const found = findConnection(flags, env);
  if (found !== null) return found;
  const local = findLocalService(env);
  const wanted = flags.url ?? (env.PAGESPACE_URL || undefined);
  if (local !== null && (wanted === undefined || new URL(wanted).origin === new URL(local.url).origin))
    return local;
  throw new UsageError(
    `There is no API key. On this machine, \`npm start\` in ${PROGRAM_FOLDER} starts a service, whose key is then found. ` +
      `For another service set PAGESPACE_URL and PAGESPACE_API_KEY, or write {"url": "…", "key": "psk_…"} to ${join(configFolder(env), 'config.json')}.`,
  );
}

export function saveSession(env: Environment, { url }: Connection, sessionId: string): void {
  const folder = configFolder(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'session.json');
  writeFileSync(path, `${JSON.stringify({ url, sessionId })}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Returns the session of `--session`, of PAGESPACE_SESSION, or of the last `open` at this service; null without one. */
export function findSession(
  flag: string | undefined,
  env: Environment,
  connection: Connection,
): string | null {
  const saved = readJson(join(configFolder(env), 'session.json'), SessionFile);
  return (
    flag ?? (env.PAGESPACE_SESSION || (saved?.url === connection.url ? saved.sessionId : undefined)) ?? null
  );
}

/** Returns the session as `findSession` does. @throws UsageError without one */
export function requireSession(flag: string | undefined, env: Environment, connection: Connection): string {
  const found = findSession(flag, env, connection);
  if (found !== null) return found;
  throw new UsageError('There is no session. Start one: pagespace open <url>');
}

export function forgetSession(env: Environment, sessionId: string): void {
  const path = join(configFolder(env), 'session.json');
  if (readJson(path, SessionFile)?.sessionId === sessionId) rmSync(path, { force: true });
}

/** Reads a file of JSON; null if it does not exist. @throws UsageError when it is not what it should be */
function readJson<Value>(path: string, schema: z.ZodType<Value>): Value | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UsageError(`${path} is not valid. Correct or delete it.`, { cause });
  }
}
