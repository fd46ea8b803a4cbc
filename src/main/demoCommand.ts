/** `demo [url]`: runs the complete flow against a service that it starts and ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { withDefaultScheme } from '../browser/egress/checkTarget.ts';
import { UrlBlockedError } from '../client/main.ts';
import { runDemo } from '../demo/runDemo.ts';
import { createLog } from '../log.ts';
import { commandHint, loadConfig } from './loadConfig.ts';
import { startApp } from './startApp.ts';

const DEFAULT_WIDTH = 110;

/**
 * Starts the service with a temporary data folder, runs the demo against it, and ends it.
 * @param given the URL of the page to open; default: the practice shop
 * @throws Error when the page cannot be opened; the errors of `startApp`
 */
export async function runDemoCommand(given: string | undefined): Promise<void> {
  await using ending = new AsyncDisposableStack();
  // A temporary folder: a service may be using the real one, and the demo leaves nothing behind.
  const dataDir = await mkdtemp(join(tmpdir(), 'pagespace-demo-'));
  ending.defer(() => rm(dataDir, { recursive: true, force: true }));
  const settings = loadConfig({
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    PAGESPACE_DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    PAGESPACE_PRACTICE_SHOP: '0',
  });
  const app = await startApp(settings, createLog(settings.config.logLevel));
  ending.defer(() => app.close());
  if (app.firstKey === null) throw new Error(`The folder ${dataDir} was not empty.`);
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
  await flow.catch((cause: unknown) => {
    if (!(cause instanceof UrlBlockedError)) throw cause;
    throw new Error(`${cause.message}${egressAllowHint(url)}`, { cause });
  });
}

/** Returns the line that tells how to allow a blocked address, because many people first try a page on their own machine. */
function egressAllowHint(given: string): string {
  const { protocol, hostname, port } = new URL(withDefaultScheme(given));
  if (protocol !== 'http:' && protocol !== 'https:') return '';
  const target = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return `\nTo allow it: PAGESPACE_EGRESS_ALLOW=${target} ${commandHint('demo', given)}`;
}
