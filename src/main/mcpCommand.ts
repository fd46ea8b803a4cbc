/** `mcp`: an MCP server over standard input and output. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { CheckedInput } from '../api/mcp/checkedInput.ts';
import { createMcpServer } from '../api/mcp/createMcpServer.ts';
import {
  type Connection,
  type ConnectionFlags,
  findConnection,
  findLocalService,
  remoteRunner,
} from '../cli/connection.ts';
import { createLog } from '../log.ts';
import { loadConfig } from './loadConfig.ts';
import { readVersion } from './readVersion.ts';

/**
 * Serves MCP until standard input ends: against the service that flags, environment or configuration name, or that runs on this machine, otherwise against one
 * that it starts and ends. Writes only protocol messages to standard output.
 */
export async function serveMcp(flags: ConnectionFlags): Promise<void> {
  await using ending = new AsyncDisposableStack();
  const connection =
    findConnection(flags, process.env) ?? (await runningLocalService()) ?? (await startEmbedded(ending));
  const runner = remoteRunner(connection);
  const version = readVersion();
  const ended = once(process.stdin, 'close');
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map(signal => once(process, signal)));
  const input = new CheckedInput(error => process.stdout.write(`${JSON.stringify(error)}\n`));
  const transport = new StdioServerTransport(process.stdin.pipe(input), process.stdout);
  const server = serveStdio(() => createMcpServer(runner, version), { transport });
  ending.defer(() => server.close());
  await Promise.race([ended, stopped]);
}

/** Returns the service that `npm start` runs on this machine now; null if it does not answer. */
async function runningLocalService(): Promise<Connection | null> {
  const local = findLocalService(process.env);
  if (local === null) return null;
  try {
    const { ok } = await fetch(new URL('/health', local.url), { signal: AbortSignal.timeout(2_000) });
    return ok ? local : null;
  } catch {
    return null;
  }
}

/** Starts a service for this process, with a temporary data folder. */
async function startEmbedded(ending: AsyncDisposableStack): Promise<Connection> {
  const { startApp } = await import('./startApp.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'pagespace-mcp-'));
  ending.defer(() => rm(dataDir, { recursive: true, force: true }));
  const settings = loadConfig({
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    PAGESPACE_DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  });
  const app = await startApp(settings, createLog(settings.config.logLevel));
  ending.defer(() => app.close());
  if (app.firstKey === null) throw new Error(`The folder ${dataDir} was not empty.`);
  return { url: app.url, key: app.firstKey };
}
