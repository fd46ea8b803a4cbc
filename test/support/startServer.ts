import pino from 'pino';
import { createServer, type ServerParts } from '../../src/api/server.ts';
import type { Pagespace } from '../../src/service/verbs.ts';
import { type StartedService, type StartOptions, startService } from './startService.ts';

/** What the server wrote to its log, one object a line. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string };
}

/** A server on a free port of loopback, and what it logged. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly logged: LogLine[];
  close(deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void>;
}

/** The two doors over any service. */
export async function startDoors(
  service: Pagespace,
  options: Partial<Omit<ServerParts, 'service'>> = {},
): Promise<StartedServer> {
  const logged: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: line => void logged.push(JSON.parse(line)) });
  const server = createServer({ service, log, version: '0.0.0-test', ...options });
  const { url, port } = await server.listen('127.0.0.1', 0);
  const close = (deadlineMs: number, meanwhile?: () => Promise<void>) => server.close(deadlineMs, meanwhile);
  return { url, port, logged, close, [Symbol.asyncDispose]: () => close(2_000) };
}

/** The whole product: real Chromium, real SQLite, real sockets. */
export interface StartedProduct extends StartedServer {
  readonly started: StartedService;
  readonly key: string;
}

export async function startProduct(
  options: StartOptions = {},
  doors: Partial<Omit<ServerParts, 'service'>> = {},
): Promise<StartedProduct> {
  const started = await startService(options);
  const server = await startDoors(started.service, doors);
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
