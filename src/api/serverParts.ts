/** What the HTTP server is made of. */
import type { Pagespace } from '../service/verbs.ts';
import type { ConnectionLimits } from './connections.ts';
import type { QueryLimits } from './graphql/limits.ts';
import type { PersistedOptions } from './graphql/persistedOperations.ts';
import type { Log } from './requestContext.ts';

/** What the server is made of. */
export interface ServerParts {
  readonly service: Pagespace;
  readonly log: Log;
  /** Stands in `X-Pagespace-Version`, /health and /openapi.json. */
  readonly version: string;
  /** Whether GraphQL's introspection is answered. Default true. */
  readonly introspection?: boolean;
  /** What one GraphQL operation may ask for. Default QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  /** Operations that are called by their id. Default: those of the service's own, and any text is run too. */
  readonly persisted?: PersistedOptions;
  /** Whether browsers get GraphiQL at /graphql. Default true. */
  readonly graphiql?: boolean;
  /** The largest body that is read, in bytes. Default 2,000,000: a step's value has at most a million characters. */
  readonly maxBodyBytes?: number;
  /** How long a body may pause before it is refused, in milliseconds. Default 30,000. */
  readonly bodyPauseMs?: number;
  /** How long a caller may pause while it reads its answer, in milliseconds. Default 60,000. */
  readonly answerPauseMs?: number;
  /** How many proxies stand before the service and write X-Forwarded-For. Default 0. */
  readonly trustedProxies?: number;
  /** How many connections there may be. Default any number; `ofAddress` counts only where no proxy stands before. */
  readonly connections?: ConnectionLimits;
  /** The address that callers use, without a slash at its end. Default: where it listens. */
  readonly publicUrl?: string;
}
