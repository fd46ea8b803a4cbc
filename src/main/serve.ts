/** `serve`: runs the service until it is told to stop. */
import pc from 'picocolors';
import { createLog } from '../log.ts';
import { loadConfig } from './loadConfig.ts';
import { readVersion } from './readVersion.ts';
import { sandboxWarning } from './sandboxWarning.ts';

/** Node's own number is four, of which two resolve names: one session could keep both busy. */
const THREAD_POOL_SIZE = '32';

/** Beyond the deadline of closing itself, for the browsers and the store. */
const FORCED_EXIT_GRACE_MS = 5_000;

/** Prints where it listens, and on the first start a key; SIGTERM or SIGINT end it with exit code 0. */
export async function serve(): Promise<void> {
  // Read when the first of them is wanted. Half of them resolve names: as many as a few sessions' slow names can hold, and more.
  process.env.UV_THREADPOOL_SIZE ??= THREAD_POOL_SIZE;
  const settings = loadConfig(process.env);
  const log = createLog(settings.config.logLevel);
  const warning = sandboxWarning(settings.config);
  if (warning !== null) log.warn(warning);
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  // npm hands on a signal that the terminal has sent already: more than the first mean nothing.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.resolve(signal));

  // Loaded once the settings are known to be right: a fault in them is told at once.
  const { CLOSE_TIMEOUT_MS, startApp } = await import('./startApp.ts');
  const app = await startApp(settings, log);
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'a fault that nothing caught');
    process.exit(1);
  });
  process.stdout.write(startupMessage(app.url, app.firstKey));

  const signal = await stopping.promise;
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.error('stopping took too long; gave up');
    process.exit(1);
  }, CLOSE_TIMEOUT_MS + FORCED_EXIT_GRACE_MS).unref();
  await app.close();
  log.info('stopped');
  process.exit(0);
}

// The key and the curl line stand alone on theirs, without colours: they are copied, and read by programs.
function startupMessage(url: string, key: string | null): string {
  const place = (name: string, where: string) => `  ${pc.dim(name.padEnd(9))}${where}\n`;
  const begin =
    `${pc.bold(`pagespace ${readVersion()}`)} listens on ${url}\n\n` +
    place('Manual', `${url}/docs`) +
    place('GraphQL', `${url}/graphql`) +
    place('Demo', 'npm run demo');
  if (key === null) return `${begin}\nA new API key is made by: npm run keys -- create\n`;
  const curl =
    `curl -X POST ${url}/session/start -H 'Authorization: Bearer ${key}' ` +
    `-H 'Content-Type: application/json' -d '{"session_timeout_minutes": 5}'`;
  return `${begin}\nYour API key, shown this once:\n${key}\n\nStart a session:\n${curl}\n`;
}
