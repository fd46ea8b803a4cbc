/** The engines of the service: those of one machine, or PostgreSQL and NATS. */
import type { Config } from '../config/config.ts';
import type { EventBus } from '../domain/ports/eventBus.ts';
import type { NodeMessenger } from '../domain/ports/nodeMessenger.ts';
import type { RateLimiter } from '../domain/ports/rateLimiter.ts';
import type { NodeAuthority } from '../service/cluster/nodeAuthority.ts';
import type { ClusterStore } from '../store/postgres/postgresStore.ts';
import type { Store } from '../store/store.ts';

/** The store, the rate limiter and the event bus of the service. */
export interface Engines {
  readonly store: Store;
  readonly limiter: RateLimiter;
  readonly bus: EventBus;
  /** The engines that only a cluster has; null on one machine. */
  readonly cluster: ClusterEngines | null;
}

/** The engines that only a cluster has. */
export interface ClusterEngines {
  readonly nodeId: string;
  readonly store: ClusterStore;
  readonly messenger: NodeMessenger;
  readonly authority: NodeAuthority;
}

/** The settings that `openEngines` reads. */
export type EngineConfig = Pick<Config, 'databaseUrl' | 'natsUrl' | 'natsCredentials' | 'natsCa' | 'nodeId'>;
