/** Opens the engines of a cluster: PostgreSQL and NATS. */
import { natsBus } from '../bus/natsBus.ts';
import { connectNats } from '../bus/natsConnection.ts';
import { natsMessenger } from '../bus/natsMessenger.ts';
import { ofDatabase } from '../bus/ofDatabase.ts';
import { NodeAuthority } from '../service/cluster/nodeAuthority.ts';
import { systemClock } from '../service/systemClock.ts';
import { openPostgresStore } from '../store/postgres/postgresStore.ts';
import type { EngineConfig, Engines } from './engines.ts';

/**
 * Connects to PostgreSQL and NATS, and adds the ends of the connections to `resources`.
 * @throws StoreError, or Error with one line for NATS, within ten seconds
 */
export async function openCluster(
  {
    databaseUrl,
    natsUrl,
    natsCredentials,
    natsCa,
    nodeId,
  }: EngineConfig & { readonly databaseUrl: string; readonly natsUrl: string; readonly nodeId: string },
  resources: AsyncDisposableStack,
  warn: (message: string) => void,
): Promise<Engines> {
  const authority = new NodeAuthority(systemClock);
  const opening = [
    openPostgresStore(databaseUrl, { authority: () => authority.current }),
    connectNats({
      url: natsUrl,
      name: nodeId,
      ...(natsCredentials !== null && { credentialsFile: natsCredentials }),
      ...(natsCa !== null && { caFile: natsCa }),
      onWarning: warn,
    }),
  ] as const;
  // Both at once, so that the start fails within ten seconds. What was opened is closed again if the other one fails.
  const [opened, connected] = await Promise.allSettled(opening);
  if (opened.status === 'fulfilled') resources.defer(() => opened.value.close());
  if (connected.status === 'fulfilled') resources.defer(() => connected.value.close());
  const store = await opening[0];
  const connection = ofDatabase(await opening[1], store.databaseId, warn);
  const messenger = natsMessenger(connection);
  resources.defer(() => messenger.close());
  return {
    store,
    limiter: store.limiter,
    bus: natsBus({ connection, sessions: store.sessions, clock: systemClock }),
    cluster: { nodeId, store, messenger, authority },
  };
}
