/** The processes of the private PostgreSQL server, to crash it or to make it silent. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';

/** Returns the process ids of the server: the first one started the others. The role has to be a superuser. */
export async function postgresProcesses(database: Pool): Promise<readonly number[]> {
  const { rows } = await database.query(`select pg_read_file('postmaster.pid') as text`);
  const postmaster = Number.parseInt(rows[0].text, 10);
  const children = readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && parentOf(pid) === postmaster);
  return [postmaster, ...children];
}

/** Suspends the server: connections stay open, and nothing answers. @returns a function that continues it */
export async function suspendPostgres(database: Pool): Promise<() => void> {
  const processes = await postgresProcesses(database);
  signalAll(processes, 'SIGSTOP');
  return () => signalAll(processes, 'SIGCONT');
}

/** Kills one process of the server: PostgreSQL then ends all connections, and recovers. */
export async function crashPostgres(database: Pool): Promise<void> {
  const { rows } = await database.query(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  signalAll([rows[0].pid], 'SIGKILL');
}

/** Makes commits survive a crash of the server, which the settings for quick tests do not. For connections from now on. */
export async function keepCommits(database: Pool): Promise<void> {
  await database.query(
    `do $$ begin execute format('alter database %I set synchronous_commit = on', current_database()); end $$`,
  );
}

function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes)
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
}

/** The parent of a process; 0 if the process has ended. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
