/** Opens the engines of the service: those of one machine, or PostgreSQL and NATS. */

import { memoryBus } from '../bus/memoryBus.ts';
import type { DataFolder } from '../store/files/dataFolder.ts';
import { openSqliteRateLimiter } from '../store/rateLimiter.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { EngineConfig, Engines } from './engines.ts';

/**
 * Opens the engines that the configuration names, and adds their ends to `resources`.
 * @throws StoreError, or Error with one line for NATS, within ten seconds
 */
export async function openEngines(
  config: EngineConfig,
  folder: DataFolder,
  resources: AsyncDisposableStack,
  warn: (message: string) => void,
): Promise<Engines> {
  const { databaseUrl, natsUrl, nodeId } = config;
  if (databaseUrl === null || natsUrl === null || nodeId === null) return openEmbedded(folder, resources);
  // Loaded only in a cluster: the clients of PostgreSQL and NATS take as long to load as the SQLite store.
  const { openCluster } = await import('./openCluster.ts');
  return openCluster({ ...config, databaseUrl, natsUrl, nodeId }, resources, warn);
}

async function openEmbedded(folder: DataFolder, resources: AsyncDisposableStack): Promise<Engines> {
  const store = await openSqliteStore(folder.databasePath);
  resources.defer(() => store.close());
  const limiter = openSqliteRateLimiter(folder.rateLimitsPath);
  resources.defer(() => limiter.close());
  return { store, limiter, bus: memoryBus(), cluster: null };
}
