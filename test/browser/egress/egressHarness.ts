/** A browser behind the egress proxy, a site that it may reach, and a canary that no request may reach. */

import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { WebSocketServer } from 'ws';
import type { EgressDial, EgressLookup } from '../../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import type { BlockedRequest, ProxyEndpoint } from '../../../src/browser/egress/proxyEndpoint.ts';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { findChromium } from '../../../src/browser/launch/findChromium.ts';
import { launchFlags } from '../../../src/browser/launch/launchChromium.ts';
import { signInToProxy } from '../../../src/browser/pool/warmContext.ts';

/** A public address. The harness connects to its own site instead of it. */
export const PUBLIC_ADDRESS = '93.184.216.34';

/** Answers of a hostile or misconfigured name server. */
export const DNS_RECORDS: Readonly<Record<string, readonly string[]>> = {
  'open.test': [PUBLIC_ADDRESS],
  'loopback.test': ['127.0.0.1'],
  'loopback-far.test': ['127.8.9.10'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'zero.test': ['0.0.0.0'],
  'zero6.test': ['::'],
  'compatible.test': ['::127.0.0.1'],
  'several.test': ['127.0.0.1', '::1', '10.0.0.1'],
  'private.test': ['10.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  intranet: ['10.0.0.1'],
  'printer.local': ['192.168.1.5'],
  'instance-data': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  'xn--bcher-kva.test': ['127.0.0.1'],
  'sub.loopback.test': ['127.0.0.1'],
};

export type SiteHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** A context with a session proxy of its own. */
export interface ProxiedContext extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly proxy: ProxyEndpoint;
  /** Requests that the proxy refused. */
  readonly blocked: readonly BlockedRequest[];
}

export interface EgressHarness extends AsyncDisposable {
  readonly browser: Browser;
  readonly egress: EgressProxy;
  /** The open site's port; `http://127.0.0.1:<port>` is a secure context, as service workers need it. */
  readonly sitePort: number;
  /** A TCP server on every address of the machine; pages may not reach it. */
  readonly canaryPort: number;
  /** The site under a public name, which is another origin. */
  readonly openOrigin: string;
  readonly siteOrigin: string;
  /** Paths of the requests to the site. */
  readonly visits: readonly string[];
  /** The first line of each request to the canary; must stay empty. */
  readonly canaryHits: readonly string[];
  /** Addresses outside loopback that the proxy tried to connect to; must contain only PUBLIC_ADDRESS. */
  readonly dialledAddresses: readonly string[];
  /** Names that the proxy resolved. */
  readonly resolved: readonly string[];
  openContext(): Promise<ProxiedContext>;
}

export interface EgressHarnessOptions {
  /** Responds to paths that the site does not have itself. */
  readonly site?: SiteHandler;
  readonly lookup?: EgressLookup;
  readonly dnsCacheMs?: number;
  /** Allow rules in addition to the site's own. */
  readonly allow?: string;
}

const html = (response: ServerResponse, body: string): void => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>site</title>${body}`);
};

export async function startEgressHarness(options: EgressHarnessOptions = {}): Promise<EgressHarness> {
  await using stack = new AsyncDisposableStack();
  const visits: string[] = [];
  const canaryHits: string[] = [];
  const dialledAddresses: string[] = [];
  const resolved: string[] = [];

  const site = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    visits.push(url.pathname);
    response.setHeader('access-control-allow-origin', '*');
    const to = url.searchParams.get('to') ?? '';
    if (url.pathname.startsWith('/redirect/')) {
      // Bytes above ASCII are sent as UTF-8, as some servers do; a header cannot contain a line break.
      const location = Buffer.from(to.replaceAll(/[\t\n]/g, '')).toString('latin1');
      response.writeHead(Number(url.pathname.slice('/redirect/'.length)), { location }).end();
    } else if (url.pathname === '/frame') {
      const src = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      html(response, `<iframe src="${src}"></iframe>`);
    } else if (options.site !== undefined) options.site(request, response, url);
    else html(response, 'hello');
  });
  // A server that closes an idle connection while a POST is on its way fails it; on a busy machine the time between two requests is long.
  site.keepAliveTimeout = 0;
  new WebSocketServer({ server: site }).on('connection', (_socket, request) =>
    visits.push(request.url ?? ''),
  );
  const sitePort = await listen(site, '127.0.0.1');
  stack.defer(() => stopServer(site));

  const canarySockets = new Set<Socket>();
  const canary = createTcpServer(socket => {
    canarySockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => canarySockets.delete(socket));
    socket.once('data', bytes => canaryHits.push(bytes.toString('latin1').split('\r\n')[0] ?? ''));
  });
  // Dual-stack: accepts 127.0.0.0/8, ::1, mapped addresses and 0.0.0.0.
  const canaryPort = await listen(canary, '::');
  stack.defer(() => {
    for (const socket of canarySockets) socket.destroy();
    return stopServer(canary);
  });
  canary.on('connection', () => canaryHits.push('a connection'));

  const lookup: EgressLookup = async host => {
    resolved.push(host);
    const answers = DNS_RECORDS[host];
    if (answers === undefined) throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
    return answers.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const dial: EgressDial = (addresses, port) => {
    const address = addresses[0]?.address ?? '';
    if (address.startsWith('127.') || address === '::1') return connect({ host: address, port });
    dialledAddresses.push(address);
    return connect({ host: '127.0.0.1', port: address === PUBLIC_ADDRESS ? sitePort : 1 });
  };
  const { rules } = parseEgressAllow(`127.0.0.1:${sitePort},${options.allow ?? ''}`);
  const egress = await startEgressProxy({
    allow: rules,
    lookup: options.lookup ?? lookup,
    dial,
    ...(options.dnsCacheMs !== undefined && { dnsCacheMs: options.dnsCacheMs }),
  });
  stack.use(egress);
  const found = findChromium(process.env.CHROMIUM_PATH ?? null);
  if (found === null) throw new Error('There is no Chromium to test with.');
  const browser = await chromium.launch({
    executablePath: found.path,
    chromiumSandbox: process.getuid?.() !== 0,
    // The tabs of a context share a process: starting one for each tab would take most of the time of these tests.
    args: [...launchFlags(), '--renderer-process-limit=1'],
    proxy: egress.proxy,
  });
  stack.defer(() => browser.close());

  const running = stack.move();
  return {
    browser,
    egress,
    sitePort,
    canaryPort,
    openOrigin: `http://open.test:${sitePort}`,
    siteOrigin: `http://127.0.0.1:${sitePort}`,
    visits,
    canaryHits,
    dialledAddresses,
    resolved,
    async openContext() {
      const blocked: BlockedRequest[] = [];
      const sessionProxy = await egress.openSessionProxy(request => blocked.push(request));
      const context = await browser.newContext({ proxy: sessionProxy.proxy });
      const page = await context.newPage();
      if (sessionProxy.credentials !== null) await signInToProxy(page, sessionProxy.credentials);
      await page.close();
      const close = async () => {
        await context.close();
        await sessionProxy.close();
      };
      return { context, proxy: sessionProxy, blocked, [Symbol.asyncDispose]: close };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A UDP socket on loopback that counts what reaches it. */
export async function startUdpCanary(): Promise<AsyncDisposable & { port: number; packets: () => number }> {
  const socket = createSocket('udp4');
  let packets = 0;
  socket.on('message', () => {
    packets += 1;
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    packets: () => packets,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => socket.close(() => resolve())),
  };
}

export async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0 }, resolve);
  });
  // The address of a listening TCP socket is never a path.
  return (server.address() as AddressInfo).port;
}

export const stopServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections();
  });
