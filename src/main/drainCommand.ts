/** `drain`: asks a running service to drain and stop. */
import type { Config } from '../config/config.ts';
import { dataFolder } from '../store/files/dataFolder.ts';
import { loadConfig } from './loadConfig.ts';

/**
 * Asks the service of PAGESPACE_DATA_DIR, or a node of the cluster, to drain: it takes no new sessions, and stops when the
 * running ones have ended or PAGESPACE_DRAIN_SECONDS of its own configuration have passed.
 * @param nodeId the node of the cluster; null for the service that uses the data folder
 * @throws Error if no service uses the data folder, or a node is named without NATS_URL
 */
export async function drainCommand(nodeId: string | null): Promise<void> {
  const { config } = loadConfig(process.env);
  if (nodeId !== null) {
    await announceDrain(config, nodeId);
    process.stdout.write(`Node ${nodeId} was asked to drain.\n`);
    return;
  }
  const folder = dataFolder(config.dataDir);
  const owner = folder.lockOwner();
  if (owner === null) throw new Error(`No service uses the data folder ${folder.path}.`);
  process.kill(owner.pid, 'SIGTERM');
  process.stdout.write(`Process ${owner.pid} was asked to drain.\n`);
}

async function announceDrain(config: Config, nodeId: string): Promise<void> {
  const { natsUrl, natsCredentials, natsCa } = config;
  if (natsUrl === null) throw new Error('--node names a node of a cluster: set NATS_URL and DATABASE_URL.');
  const [{ connectNats }, { natsMessenger }, { announce }] = await Promise.all([
    import('../bus/natsConnection.ts'),
    import('../bus/natsMessenger.ts'),
    import('../service/cluster/announcements.ts'),
  ]);
  const messenger = natsMessenger(
    await connectNats({
      url: natsUrl,
      name: 'pagespace drain',
      ...(natsCredentials !== null && { credentialsFile: natsCredentials }),
      ...(natsCa !== null && { caFile: natsCa }),
    }),
  );
  announce(messenger, 'drain', { nodeId });
  await messenger.close();
}
