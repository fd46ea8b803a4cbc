/** Starts the service of a folder as its own process, for benches that compare versions. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The parts of a REST response that benches read. */
export interface BenchResponse {
  readonly session_id: string;
  readonly space: { readonly actions: readonly { readonly id: string; readonly name: string }[] } | null;
}

/** A running service. */
export interface ServedTree {
  readonly url: string;
  readonly key: string;
  /** Id of the process of the service. */
  readonly pid: number;
  readonly dataDir: string;
  readonly call: (path: string, body: object) => Promise<BenchResponse>;
  readonly close: () => Promise<void>;
}

/** Limits under which no request of a bench is refused. */
const LIMITS = 'sessions=100 requests=100000 minutes=none timeout=30';

/**
 * Starts the service of a source folder on a free port, with its own data folder.
 * @param sitePort port of this machine that pages may reach
 * @param onLog receives the lines of its standard error
 * @param env further environment variables
 */
export async function serveTree(
  folder: string,
  sitePort: number,
  onLog: (line: string) => void = () => {},
  env: Readonly<Record<string, string>> = {},
): Promise<ServedTree> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pagespace-bench-'));
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'error',
      PAGESPACE_DATA_DIR: dataDir,
      PAGESPACE_EGRESS_ALLOW: `127.0.0.1:${sitePort}`,
      PAGESPACE_FREE_LIMITS: LIMITS,
      PAGESPACE_PAID_LIMITS: LIMITS,
      ...env,
    },
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (log + text).split('\n');
    log = lines.pop() ?? '';
    for (const line of lines) onLog(line);
  });
  let output = '';
  const started = Promise.withResolvers<{ url: string; key: string }>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const url = /listens on (http:\S+)/.exec(output)?.[1];
    const key = /shown only once[^\n]*:\n(\S+)/.exec(output)?.[1];
    if (url !== undefined && key !== undefined) started.resolve({ url, key });
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  void ended.then(() => started.reject(new Error(`The service of ${folder} did not start:\n${output}`)));
  const { url, key } = await started.promise;
  return {
    url,
    key,
    pid: child.pid ?? 0,
    dataDir,
    async call(path, body) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      const result = (await response.json()) as BenchResponse;
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(result)}`);
      return result;
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
