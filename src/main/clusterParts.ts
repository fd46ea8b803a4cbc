/** The parts of the service that differ in a cluster. */
import type { Config } from '../config/config.ts';
import { createApiKeyAuthenticator } from '../service/accounts/apiKeyAuthenticator.ts';
import { announce } from '../service/cluster/announcements.ts';
import type { ServiceDeps } from '../service/createService.ts';
import { systemClock } from '../service/systemClock.ts';
import { instrumentMessenger } from '../telemetry/instrumentPorts.ts';
import type { ServiceMetrics } from '../telemetry/serviceMetrics.ts';
import type { ClusterEngines } from './engines.ts';
import { readVersion } from './readVersion.ts';

/** Maximum time that the start of a session waits when the service is at its capacity. Then it fails with AT_CAPACITY. */
export const CAPACITY_QUEUE_TIMEOUT_MS = 5_000;

/** Returns the parts: what this node announces to the others, and the engines of the cluster. */
export function clusterParts(
  { nodeId, store, messenger: bareMessenger, authority }: ClusterEngines,
  metrics: ServiceMetrics,
  { capacity }: Pick<Config, 'capacity'>,
  onDrainRequested: () => void,
): Pick<ServiceDeps, 'authenticator' | 'onAccountChange' | 'onSessionsRemoved' | 'cluster'> {
  const messenger = instrumentMessenger(bareMessenger, metrics);
  return {
    authenticator: createApiKeyAuthenticator(store.accounts, systemClock, ({ id: keyId, hash }) =>
      announce(messenger, 'keyRevoked', { keyId, hash }),
    ),
    onAccountChange: accountId => announce(messenger, 'accountChanged', { accountId }),
    onSessionsRemoved: sessionIds => announce(messenger, 'sessionsRemoved', { sessionIds: [...sessionIds] }),
    cluster: {
      nodes: store.nodes,
      messenger,
      idempotencyKeys: store.idempotency,
      authority,
      nodeId,
      version: readVersion(),
      capacity,
      placementTimeoutMs: CAPACITY_QUEUE_TIMEOUT_MS,
      onDrainRequested,
      disconnectStore: () => store.disconnect(),
    },
  };
}
