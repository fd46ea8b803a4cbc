/**
 * Runs a private PostgreSQL server in a folder until another process ends or a file `stop` appears beside it, then removes
 * both. A program of its own, so that no server is left when the tests are killed.
 *
 * Arguments: the folder, the process to watch, the folder of PostgreSQL's programs, a port.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { certificate } from './certificate.ts';

const [folder = '', watched = '', programs = '', port = ''] = process.argv.slice(2);
const POLL_MS = 200;

/** PostgreSQL refuses to run as root. `pdeathsig` ends the server with this process, even if that is killed. */
const isRoot = process.getuid?.() === 0;
const prefix = ['setpriv', '--pdeathsig=KILL'];
const asPostgres = isRoot ? [...prefix, '--reuid=postgres', '--regid=postgres', '--init-groups'] : prefix;

function run(program: string, ...args: readonly string[]): [string, string[]] {
  const [command = '', ...rest] = [...asPostgres, join(programs, program), ...args];
  return [command, rest];
}

const postgresIds = (): [number, number] => {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return [idOf('-u'), idOf('-g')];
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

let server: ChildProcess | null = null;
try {
  mkdirSync(folder, { recursive: true });
  if (isRoot) {
    // The folder around it was made for its owner only.
    chmodSync(dirname(folder), 0o755);
    chownSync(folder, ...postgresIds());
  }
  const data = join(folder, 'data');
  // A collation that differs from the order of bytes, as on the servers of users.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8'];
  const [initdb, initArgs] = run(
    'initdb',
    '--no-sync',
    '--auth=trust',
    '--username=test',
    ...locale,
    '-D',
    data,
  );
  execFileSync(initdb, initArgs, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  const tls = { cert: join(folder, 'server.pem'), key: join(folder, 'server.key') };
  for (const [name, path] of Object.entries(tls)) {
    writeFileSync(path, certificate[name as keyof typeof tls], { mode: 0o600 });
    if (isRoot) chownSync(path, ...postgresIds());
  }
  const settings = {
    // Connections that ask for it are encrypted; the others are not.
    ssl: 'on',
    ssl_cert_file: tls.cert,
    ssl_key_file: tls.key,
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: '300',
    shared_buffers: '32MB',
    autovacuum: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [postgres, serverArgs] = run('postgres', '-D', data, ...flags);
  server = spawn(postgres, serverArgs, { stdio: 'ignore', cwd: folder });
  writeFileSync(join(folder, 'port'), port);
  while (isAlive(Number(watched)) && !existsSync(join(dirname(folder), 'stop')) && server.exitCode === null)
    await wait(POLL_MS);
} finally {
  if (server !== null && server.exitCode === null) {
    const ended = once(server, 'exit');
    // SIGQUIT is PostgreSQL's immediate shutdown.
    server.kill('SIGQUIT');
    await ended;
  }
  rmSync(dirname(folder), { recursive: true, force: true });
}
