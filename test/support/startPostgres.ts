/** A private PostgreSQL server for the tests, started by the first test that needs it. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { claim } from './claim.ts';
import { postgresPrograms } from './findPostgres.ts';
import { freePort } from './freePort.ts';

/** Names the folder of the run, in which the first process that needs the server starts it. */
const FOLDER_VARIABLE = 'POSTGRES_TEST_FOLDER';
const POLL_MS = 50;
/** A start takes about two seconds on a quiet machine. */
const START_TIMEOUT_MS = 60_000;

/** Names the folder of a test run before its workers start. @returns a function that stops the server, if one was started */
export function preparePostgres(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-postgres-'));
  process.env[FOLDER_VARIABLE] = folder;
  process.env.POSTGRES_TEST_RUN = String(process.pid);
  return () => {
    if (existsSync(join(folder, 'claimed'))) writeFileSync(join(folder, 'stop'), '');
    else rmSync(folder, { recursive: true, force: true });
  };
}

/** A database of the test server. */
export interface TestDatabase {
  /** `postgres://test@127.0.0.1:port/name` */
  readonly url: string;
  readonly port: number;
}

/**
 * Creates an empty database. Starts the server if no process of this run has. The server ends with the run.
 * @throws Error if PostgreSQL is not installed or does not start
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const port = await startPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: `postgres://test@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return { url: `postgres://test@127.0.0.1:${port}/${name}`, port };
}

let started: Promise<number> | null = null;

/** Starts the server of this run if no worker has. @returns its port on 127.0.0.1 */
export function startPostgres(): Promise<number> {
  started ??= start();
  return started;
}

async function start(): Promise<number> {
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed.');
  if (process.env[FOLDER_VARIABLE] === undefined) preparePostgres();
  const folder = process.env[FOLDER_VARIABLE] ?? '';
  const watched = process.env.POSTGRES_TEST_RUN ?? '';
  const server = join(folder, 'server');
  if (claim(join(folder, 'claimed'))) {
    const program = fileURLToPath(new URL('postgresServer.ts', import.meta.url));
    const args = [program, server, watched, postgresPrograms, String(await freePort())];
    spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 2] }).unref();
  }
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAt) {
    const file = join(server, 'port');
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (port > 0 && (await accepts(port))) return port;
    await wait(POLL_MS);
  }
  throw new Error('PostgreSQL did not start.');
}

async function accepts(port: number): Promise<boolean> {
  const client = new Client({ connectionString: `postgres://test@127.0.0.1:${port}/postgres` });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
