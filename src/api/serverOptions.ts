import type { Registry } from 'prom-client';
import type { Pagespace } from '../service/pagespace.ts';
import type { OauthOptions } from './auth/oauthTokens.ts';
import type { PersistedOperationsOptions } from './graphql/plugins/persistedOperations.ts';
import type { QueryLimits } from './graphql/plugins/queryLimits.ts';
import type { Log } from './graphql/requestContext.ts';
import type { ConnectionLimits } from './http/httpServer.ts';
import type { SignInByLink } from './pages/dashboardPage.ts';

/** Dependencies and limits of the HTTP server. */
export interface ServerOptions {
  readonly service: Pagespace;
  readonly log: Log;
  /** Version of the service, which `X-Pagespace-Version`, /health and /openapi.json contain. */
  readonly version: string;
  /** The registry of the metrics. Default: one of the server's own, without the metrics of the operations. */
  readonly metrics?: Registry;
  /** A bearer token that may read /metrics. Default: none. */
  readonly metricsToken?: string;
  /** True to answer GraphQL introspection. Default true. */
  readonly introspection?: boolean;
  /** Limits on the size of one GraphQL operation. Default: `QUERY_LIMITS`. */
  readonly limits?: QueryLimits;
  /** GraphQL operations that callers can run by id. Default: the service's own; other operations run too. */
  readonly persisted?: PersistedOperationsOptions;
  /** True to serve GraphiQL to browsers at /graphql. Default true. */
  readonly graphiql?: boolean;
  /** Maximum size of a text body in bytes, compressed and decompressed. Default 2,000,000. */
  readonly maxBodyBytes?: number;
  /** Maximum time from the first byte of a request to the end of its headers, in milliseconds; then 408. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Maximum time without a byte of a body, in milliseconds; then the body is refused. Default 30,000. */
  readonly bodyIdleTimeoutMs?: number;
  /** Maximum time in which the caller reads nothing of its response, in milliseconds. Default 60,000. */
  readonly responseIdleTimeoutMs?: number;
  /** The number of proxies in front of the service that write X-Forwarded-For. Default 0. */
  readonly trustedProxies?: number;
  /** Exact origins whose pages may call the service: `https://dashboard.example`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Maximum number of open connections. Default: no limits. With `trustedProxies` above 0, `perAddress` is ignored. */
  readonly connections?: ConnectionLimits;
  /** The issuer of OAuth access tokens that /mcp accepts besides API keys. Default: none. */
  readonly oauth?: OauthOptions;
  /** The address of the practice shop, which the examples of the pages open. Default: none; they open https://example.com/. */
  readonly practiceShopUrl?: string;
  /** Exchanges the token of the one-time link to the dashboard for an API key. Default: there is no such link. */
  readonly signInByLink?: SignInByLink;
  /** The origin that callers use, without a slash at its end. Default: the address that the server listens on. */
  readonly publicUrl?: string;
}
