/** A private nats-server of a test file, on a free port of loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from './certificate.ts';
import { endsWithParent } from './endsWithParent.ts';
import { freePort } from './freePort.ts';

const BINARY = [
  process.env.NATS_SERVER,
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
].find(path => path !== undefined && existsSync(path));

/** The reason to skip tests that need nats-server; null if it is installed. */
export const natsIsMissing: string | null =
  BINARY === undefined ? 'nats-server is not installed (Debian: apt-get install nats-server)' : null;

/** Options of `startNats`. */
export interface StartNatsOptions {
  /** Maximum size of a message in bytes. Default: that of nats-server, 1 MB. */
  readonly maxPayload?: number;
  /** Lines of the configuration file, such as `authorization { user: u, password: p }`. */
  readonly config?: string;
  /** Serves TLS with the certificate of test/support. */
  readonly tls?: boolean;
  /** Serves the monitoring of nats-server over HTTP. */
  readonly monitor?: boolean;
}

/** A running nats-server. */
export interface TestNats extends AsyncDisposable {
  /** `nats://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** `http://127.0.0.1:port`, with `monitor`. */
  readonly monitorUrl: string;
  /** Path of the certificate authority, with `tls`. */
  readonly caFile: string;
  /** Kills the server: each connection breaks. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Suspends the server: connections stay open and nothing arrives. */
  suspend(): void;
  /** Continues after `suspend`. */
  continue(): void;
}

/** Starts nats-server and waits until it accepts connections. Its folder holds the configuration only. */
export async function startNats(options: StartNatsOptions = {}): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-nats-'));
  const caFile = join(folder, 'ca.pem');
  const keyFile = join(folder, 'key.pem');
  const configFile = join(folder, 'nats.conf');
  await writeFile(caFile, certificate.cert);
  await writeFile(keyFile, certificate.key);
  const [port, monitorPort] = [await freePort(), await freePort()];
  await writeFile(
    configFile,
    [
      ...(options.maxPayload === undefined ? [] : [`max_payload: ${options.maxPayload}`]),
      ...(options.tls === true ? [`tls { cert_file: "${caFile}", key_file: "${keyFile}" }`] : []),
      ...(options.monitor === true ? [`http: "127.0.0.1:${monitorPort}"`] : []),
      options.config ?? '',
    ].join('\n'),
  );
  let server = await run(port, configFile);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    monitorUrl: `http://127.0.0.1:${monitorPort}`,
    caFile,
    stop,
    async restart() {
      await stop();
      server = await run(port, configFile);
    },
    suspend: () => void server.kill('SIGSTOP'),
    continue: () => void server.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(port: number, configFile: string): Promise<ChildProcess> {
  if (BINARY === undefined) throw new Error(natsIsMissing ?? '');
  const server = spawn(...endsWithParent(BINARY, ['-c', configFile, '-a', '127.0.0.1', '-p', String(port)]), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const ready = Promise.withResolvers<void>();
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000);
    if (output.includes('Server is ready')) ready.resolve();
  });
  server.once('exit', () => ready.reject(new Error(`nats-server ended:\n${output}`)));
  await ready.promise;
  return server;
}
