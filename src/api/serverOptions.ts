/** What the HTTP server is made of. */
import type { Pagespace } from '../service/pagespace.ts';
import type { PersistedOperationsOptions } from './graphql/plugins/persistedOperations.ts';
import type { QueryLimits } from './graphql/plugins/queryLimits.ts';
import type { Log } from './graphql/requestContext.ts';
import type { ConnectionLimits } from './http/connectionLimits.ts';

/** What the server is made of. */
export interface ServerOptions {
  readonly service: Pagespace;
  readonly log: Log;
  /** Stands in `X-Pagespace-Version`, /health and /openapi.json. */
  readonly version: string;
  /** Whether GraphQL's introspection is answered. Default true. */
  readonly introspection?: boolean;
  /** What one GraphQL operation may ask for. Default QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  /** Operations that are called by their id. Default: those of the service's own, and any text is run too. */
  readonly persisted?: PersistedOperationsOptions;
  /** Whether browsers get GraphiQL at /graphql. Default true. */
  readonly graphiql?: boolean;
  /** The largest body that is read, in bytes. Default 2,000,000: a step's value has at most a million characters. */
  readonly maxBodyBytes?: number;
  /** How long a body may pause before it is refused, in milliseconds. Default 30,000. */
  readonly bodyIdleTimeoutMs?: number;
  /** How long a caller may pause while it reads its answer, in milliseconds. Default 60,000. */
  readonly responseIdleTimeoutMs?: number;
  /** How many proxies stand before the service and write X-Forwarded-For. Default 0. */
  readonly trustedProxies?: number;
  /** How many connections there may be. Default any number; `perAddress` counts only where no proxy stands before. */
  readonly connections?: ConnectionLimits;
  /** The address that callers use, without a slash at its end. Default: where it listens. */
  readonly publicUrl?: string;
}
