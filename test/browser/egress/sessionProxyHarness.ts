import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import type { ProxyEndpoint } from '../../../src/browser/egress/proxyEndpoint.ts';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { deferred } from '../../support/deferred.ts';
import { listen, stopServer } from './egressHarness.ts';
import { type ProxyRequestOptions, type ProxyResponse, requestThrough } from './proxyClient.ts';

/** An origin on loopback, and a session proxy that may reach it. */
export interface SessionProxyHarness {
  readonly origin: Server;
  /** The port of the origin. */
  readonly port: number;
  readonly egress: EgressProxy;
  readonly sessionProxy: ProxyEndpoint;
  /** Sends a request through a session proxy. Default: `sessionProxy`. */
  ask(
    url: string,
    options?: ProxyRequestOptions & { readonly through?: ProxyEndpoint },
  ): Promise<ProxyResponse>;
}

/** Starts an origin and an egress proxy for the tests of the file. */
export function sessionProxyHarness(answer: RequestListener): SessionProxyHarness {
  const origin = createServer(answer);
  let port = 0;
  const egress = deferred<EgressProxy>();
  const sessionProxy = deferred<ProxyEndpoint>();
  beforeAll(async () => {
    port = await listen(origin, '127.0.0.1');
    const { rules } = parseEgressAllow('127.0.0.1,[::1]');
    await egress.set(startEgressProxy({ asksForCredentials: false, allow: rules }));
    await sessionProxy.set(egress.value.openSessionProxy(() => {}));
  });
  afterAll(async () => {
    await egress.value.close();
    await stopServer(origin);
  });
  return {
    origin,
    get port() {
      return port;
    },
    egress: egress.value,
    sessionProxy: sessionProxy.value,
    ask: (url, { through = sessionProxy.value, ...asking } = {}) => requestThrough(through, url, asking),
  };
}
