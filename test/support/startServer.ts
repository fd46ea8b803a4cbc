import pino from 'pino';
import { createServer } from '../../src/api/server.ts';
import type { ServerOptions } from '../../src/api/serverOptions.ts';
import type { Pagespace } from '../../src/service/pagespace.ts';
import { type StartedService, type StartServiceOptions, startService } from './startService.ts';

/** What the server wrote to its log, one object a line. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly [field: string]: unknown;
  readonly err?: { readonly message: string };
}

/** A server on a free port of loopback, and what it logged. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly logLines: LogLine[];
  close(deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void>;
}

/** The two doors over any service. */
export async function startTestServer(
  service: Pagespace,
  options: Partial<Omit<ServerOptions, 'service'>> = {},
): Promise<TestServer> {
  const logged: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: line => void logged.push(JSON.parse(line)) });
  const server = createServer({ service, log, version: '0.0.0-test', ...options });
  const { url, port } = await server.listen('127.0.0.1', 0);
  const close = (deadlineMs: number, meanwhile?: () => Promise<void>) => server.close(deadlineMs, meanwhile);
  return { url, port, logLines: logged, close, [Symbol.asyncDispose]: () => close(2_000) };
}

/** The whole product: real Chromium, real SQLite, real sockets. */
export interface TestProduct extends TestServer {
  readonly started: StartedService;
  readonly key: string;
}

export async function startTestProduct(
  options: StartServiceOptions = {},
  doors: Partial<Omit<ServerOptions, 'service'>> = {},
): Promise<TestProduct> {
  const started = await startService(options);
  const server = await startTestServer(started.service, doors);
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
