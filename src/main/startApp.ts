import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPort } from '../api/http/httpServer.ts';
import { onOwnFailure } from '../browser/cdp/ownFailures.ts';
import { type FoundChromium, findChromium } from '../browser/launch/findChromium.ts';
import { isFailure } from '../domain/failure/failures.ts';
import { createLog, type Log } from '../log.ts';
import { dataFolder } from '../store/files/dataFolder.ts';
import { openEngines } from './engines.ts';
import { type LoadedConfig, loadConfig } from './loadConfig.ts';
import type { RunningApp } from './startServing.ts';

/**
 * Starts the service: opens the store, starts the browsers and listens for requests.
 * @throws DataFolderError, StoreError, or Error when there is no browser, it does not start, or the port is in use;
 * everything that was started is stopped again
 * @param onDrainRequested called when another program or the operator asks this process to drain and stop
 */
export async function startApp(
  { config: loaded, egressRules }: LoadedConfig,
  log: Log,
  onDrainRequested: () => void = () => {},
): Promise<RunningApp> {
  const warn = (message: string, err?: unknown): void => log.warn(err === undefined ? {} : { err }, message);
  await using resources = new AsyncDisposableStack();
  resources.defer(onOwnFailure(({ what, err }) => log.debug({ err }, what)));

  const folder = dataFolder(loaded.dataDir);
  resources.defer(folder.lock());
  await checkPort(loaded.host, loaded.port);
  const isNode = loaded.databaseUrl !== null;
  const config = { ...loaded, nodeId: isNode ? (loaded.nodeId ?? folder.nodeId()) : null };
  const engines = await openEngines(config, folder, resources, warn);

  const chromium = await findOrInstallChromium(config.chromiumPath);
  if (chromium === null)
    throw new Error(
      'No Chromium was found. Install one (npx playwright install --with-deps chromium-headless-shell) or set CHROMIUM_PATH.',
    );
  // Loading the rest takes most of a start. What is wrong with the folder, the port, the engines or the browser is reported before.
  const { startServing } = await import('./startServing.ts');
  const opened = { config, egressRules, folder, engines, chromium, log, warn, onDrainRequested };
  try {
    return await startServing(opened, resources);
  } catch (error) {
    // An engine that is lost while the node starts stops it with one line, like one that was never there.
    if (
      config.databaseUrl === null ||
      !isFailure(error, 'DEPENDENCY_UNAVAILABLE') ||
      error.cause === undefined
    )
      throw error;
    const { postgresError } = await import('../store/postgres/postgresStore.ts');
    throw postgresError(config.databaseUrl, error);
  }
}

/**
 * Finds the browser to use. In the npm package it installs one if there is none; in a clone, `npm start` has done that before.
 * @returns null when there is none
 * @throws Error when CHROMIUM_PATH is wrong; NoBrowserError when no browser can be installed
 */
async function findOrInstallChromium(chromiumPath: string | null): Promise<FoundChromium | null> {
  const find = () => findChromium(chromiumPath);
  const found = find();
  if (found !== null || import.meta.url.endsWith('.ts')) return found;
  const { aptInstall, installBrowser, playwrightInstall } = await import('../setup/installBrowser.ts');
  const report = (line: string): void => void process.stderr.write(`pagespace: ${line}\n`);
  await installBrowser([playwrightInstall, aptInstall], () => find()?.path ?? null, report);
  return find();
}

export interface TemporaryApp extends RunningApp {
  readonly firstKey: string;
}

/** Starts a service on a free port of this machine with a temporary data folder; both end with `ending`. @param env more variables */
export async function startTemporaryApp(
  ending: AsyncDisposableStack,
  env: NodeJS.ProcessEnv = {},
): Promise<TemporaryApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pagespace-'));
  ending.defer(() => rm(dataDir, { recursive: true, force: true }));
  const settings = loadConfig({
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    PAGESPACE_DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    ...env,
  });
  const app = await startApp(settings, createLog(settings.config.logLevel));
  ending.defer(() => app.close());
  const { firstKey } = app;
  if (firstKey === null) throw new Error(`The folder ${dataDir} was not empty.`);
  return Object.assign(app, { firstKey });
}
