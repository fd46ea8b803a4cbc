import pino from 'pino';
import type { ServerOptions } from '../../src/api/router.ts';
import { createServer } from '../../src/api/server.ts';
import type { Pagespace } from '../../src/service/pagespace.ts';
import { type StartedService, type StartServiceOptions, startService } from './startService.ts';

/** One line of the server's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly [field: string]: unknown;
  readonly err?: { readonly message: string };
}

/** A server on a free port of 127.0.0.1. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly logLines: LogLine[];
  close(deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void>;
}

/** Starts the HTTP server over any service. */
export async function startTestServer(
  service: Pagespace,
  options: Partial<Omit<ServerOptions, 'service'>> = {},
): Promise<TestServer> {
  const logLines: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: line => void logLines.push(JSON.parse(line)) });
  const server = createServer({ service, log, version: '0.0.0-test', ...options });
  const { url, port } = await server.listen('127.0.0.1', 0);
  const close = (deadlineMs: number, meanwhile?: () => Promise<void>) => server.close(deadlineMs, meanwhile);
  return { url, port, logLines, close, [Symbol.asyncDispose]: () => close(2_000) };
}

export interface TestProduct extends TestServer {
  readonly started: StartedService;
  readonly key: string;
}

/** Starts the whole product with real Chromium, SQLite and sockets. */
export async function startTestProduct(
  options: StartServiceOptions = {},
  serverOptions: Partial<Omit<ServerOptions, 'service'>> = {},
): Promise<TestProduct> {
  const started = await startService(options);
  const server = await startTestServer(started.service, serverOptions);
  return {
    ...server,
    started,
    key: started.key,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await started[Symbol.asyncDispose]();
    },
  };
}
