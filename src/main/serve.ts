/** `serve` runs the service until SIGTERM or SIGINT; `demo` runs the complete flow against a service that it starts and ends. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import pc from 'picocolors';
import { createLog } from '../log.ts';
import { readVersion } from '../version.ts';
import { commandHint, loadConfig } from './loadConfig.ts';
import type { RunningApp } from './startServing.ts';

/** Number of threads for file access and host names. With Node's default of four, two resolve names: one session could keep both busy. */
const THREAD_POOL_SIZE = '32';

/** Time after which a stop exits with code 1, in milliseconds. A stop cuts connections after 10 seconds, and then closes browsers and the store. */
const FORCED_EXIT_MS = 15_000;

/** npm forwards a signal that the terminal has already sent: within this time it is the same request. Milliseconds. */
const SAME_SIGNAL_MS = 200;

/** Runs the service. SIGTERM and SIGINT end it with code 0; after SIGTERM sessions go on for PAGESPACE_DRAIN_SECONDS, unless a second signal comes. */
export async function serve(): Promise<void> {
  // libuv reads UV_THREADPOOL_SIZE when it starts its first thread. Half of the threads resolve names, so that slow names of a few sessions do not use all of them.
  process.env.UV_THREADPOOL_SIZE ??= THREAD_POOL_SIZE;
  const loaded = loadConfig(process.env);
  const log = createLog(loaded.config.logLevel);
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  const drainEnd = new AbortController();
  let firstSignalAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    stopping.resolve(signal);
    firstSignalAt ??= performance.now();
    if (signal === 'SIGINT' || performance.now() - firstSignalAt > SAME_SIGNAL_MS) drainEnd.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);

  // Loaded after the configuration is checked, so that an error in it is reported at once.
  const { startApp } = await import('./startApp.ts');
  const app = await startApp(loaded, log, () => onSignal('SIGTERM'));
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'uncaught exception; the service ends');
    process.exit(1);
  });
  process.stdout.write(startupMessage(app));

  const signal = await stopping.promise;
  if (loaded.config.drainSeconds > 0) {
    log.info({ signal, seconds: loaded.config.drainSeconds }, 'draining');
    await app.drain(drainEnd.signal);
  }
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.error('stopping took too long; the process ends now');
    process.exit(1);
  }, FORCED_EXIT_MS).unref();
  await app.close();
  log.info('stopped');
  process.exit(0);
}

// The key and the curl command have their own lines, without colours, because people copy them and programs read them.
function startupMessage({
  url,
  practiceShopUrl,
  dashboardToken,
  firstKey: key,
  keyFile,
}: RunningApp): string {
  const row = (name: string, text: string) => `  ${pc.dim(name.padEnd(11))}${text}\n`;
  // A log that others can read must not contain the token.
  const signIn = process.stdout.isTTY && dashboardToken !== null ? `#token=${dashboardToken}` : '';
  const head =
    `${pc.bold(`pagespace ${readVersion()}`)} listens on ${url}\n\n` +
    row('Dashboard', `${url}/dashboard${signIn}`) +
    row('Manual', `${url}/docs`) +
    row('GraphQL', `${url}/graphql`) +
    row('MCP', `${url}/mcp`) +
    row('Demo', commandHint('demo')) +
    (practiceShopUrl === null ? '' : row('Shop', `${practiceShopUrl}  a site to practise with`));
  if (key === null) {
    const kept =
      keyFile !== null && existsSync(keyFile) ? `Your first API key is in ${relative('', keyFile)}.\n` : '';
    return `${head}\n${kept}To create an API key: ${commandHint('keys', 'create')}\n`;
  }
  const curl =
    `curl -X POST ${url}/session/start -H 'Authorization: Bearer ${key}' ` +
    `-H 'Content-Type: application/json' -d '{"session_timeout_minutes": 5}'`;
  const kept = keyFile === null ? '' : ` (and kept for you in ${relative('', keyFile)})`;
  return `${head}\nYour API key, shown only once${kept}:\n${key}\n\nStart a session:\n${curl}\n`;
}

const DEFAULT_WIDTH = 110;

/** Runs the demo with `given` (default: the practice shop) on a temporary service. @throws Error when the page cannot be opened; those of `startApp` */
export async function runDemoCommand(given: string | undefined): Promise<void> {
  await using ending = new AsyncDisposableStack();
  const [{ startTemporaryApp }, { runDemo }, { UrlBlockedError }] = await Promise.all([
    import('./startApp.ts'),
    import('../demo/runDemo.ts'),
    import('../client/main.ts'),
  ]);
  // A temporary folder: a service may be using the real one, and the demo leaves nothing behind.
  const app = await startTemporaryApp(ending, { PAGESPACE_PRACTICE_SHOP: '0' });
  const url = given ?? app.practiceShopUrl ?? '';
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(
    `${pc.bold('pagespace demo')}  ${url}${given === undefined ? pc.dim('  the practice shop, which comes with the service') : ''}\n`,
  );
  const flow = runDemo({
    service: app.url,
    key: app.firstKey,
    url,
    print,
    colors: pc,
    width: process.stdout.columns ?? DEFAULT_WIDTH,
  });
  await flow.catch(async (cause: unknown) => {
    if (!(cause instanceof UrlBlockedError)) throw cause;
    const { withDefaultScheme } = await import('../domain/defaultScheme.ts');
    throw new Error(`${cause.message}${egressAllowHint(url, withDefaultScheme(url))}`, { cause });
  });
}

/** Returns the line that tells how to allow a blocked address, because many people first try a page on their own machine. */
function egressAllowHint(given: string, url: string): string {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return '';
  const target = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return `\nTo allow it: PAGESPACE_EGRESS_ALLOW=${target} ${commandHint('demo', given)}`;
}
