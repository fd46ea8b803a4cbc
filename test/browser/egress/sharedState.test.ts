import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchFlags } from '../../../src/browser/launch/launchChromium.ts';
import { certificate } from '../../support/certificate.ts';
import { testChromium } from '../../support/testChromium.ts';
import {
  type EgressHarness,
  listen,
  type ProxiedContext,
  type SiteHandler,
  startEgressHarness,
  stopServer,
} from './egressHarness.ts';
import { SHARED_STATE } from './sharedState.ts';

let counter = 0;
const connections = new WeakMap<object, number>();
let faviconRequests = 0;

const SCRIPTS: Readonly<Record<string, string>> = {
  '/shared.js': `let kept = 'nothing'; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { if (data === null) port.postMessage(kept); else kept = data } }`,
  '/service.js': '',
};

const site: SiteHandler = (request, response, url) => {
  const script = SCRIPTS[url.pathname];
  if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script);
  else if (url.pathname === '/counted')
    response.setHeader('cache-control', 'max-age=1000').end(String(++counter));
  else if (url.pathname === '/connection') {
    const number = connections.get(request.socket) ?? ++counter;
    connections.set(request.socket, number);
    response.setHeader('cache-control', 'no-store').end(String(number));
  } else if (url.pathname === '/password' && request.headers.authorization === undefined)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  else {
    if (url.pathname === '/favicon.ico') faviconRequests++;
    response.setHeader('content-type', 'text/html').end('<title>page</title><a href="/visited">link</a>');
  }
};

const run = (page: Page, script: string): Promise<unknown> => page.evaluate(`(async () => { ${script} })()`);

let harness: EgressHarness;
let sessions: readonly [ProxiedContext, ProxiedContext];
let pages: readonly [Page, Page];
beforeAll(async () => {
  harness = await startEgressHarness({ site });
  // Two sessions of two accounts in one browser: what operators get who turn the separation of accounts off.
  sessions = [await harness.openContext(), await harness.openContext()];
  const open = async ({ context }: ProxiedContext) => {
    const page = await context.newPage();
    await page.goto(`${harness.siteOrigin}/`);
    return page;
  };
  pages = [await open(sessions[0]), await open(sessions[1])];
});
afterAll(async () => {
  for (const session of sessions) await session[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

describe('A session does not find in the same browser what another session has', () => {
  it.each(SHARED_STATE)('$id $what', async ({ leave, find, found }) => {
    const [own, other] = pages;
    const left = String(await run(own, leave));
    const search = find.replaceAll('LEFT', left);
    const expected = found.replaceAll('LEFT', left);
    expect(await run(own, search)).toBe(expected);
    expect(await run(other, search)).not.toBe(expected);
  });

  it('G-030 visited links: the browser remembers none, so a link looks the same before and after a visit', async () => {
    const [own] = pages;
    await run(own, `document.head.innerHTML = '<style>a { color: blue } a:visited { color: red }</style>'`);
    const before = await own.screenshot();
    await own.goto(`${harness.siteOrigin}/visited`);
    await own.goto(`${harness.siteOrigin}/`);
    await run(own, `document.head.innerHTML = '<style>a { color: blue } a:visited { color: red }</style>'`);
    expect((await own.screenshot()).equals(before)).toBe(true);
  });

  it('G-031 icons of sites: the browser requests none', () => {
    expect(faviconRequests).toBe(0);
  });

  it('G-032 the clipboard: no script of a page can read it', async () => {
    const [own, other] = pages;
    await run(
      own,
      `const t = document.createElement('textarea'); document.body.append(t); t.value = 'left'; t.select()`,
    );
    await own.keyboard.press('Control+c');
    await run(other, `window.t = document.createElement('textarea'); document.body.append(t); t.focus()`);
    expect(await run(other, `return [document.execCommand('paste'), t.value].join()`)).toBe('false,');
    const reading = `return navigator.clipboard.readText().then(() => 'read', error => error.name)`;
    expect(await run(other, reading)).toBe('NotAllowedError');
  });

  it('G-034 no page has an interface that tells of the machine or of another session, or that acts after the page is gone', async () => {
    const [own] = pages;
    const interfaces = ['PressureObserver', 'speechSynthesis', 'SharedStorage', 'FencedFrameConfig'];
    const methods = ['joinAdInterestGroup', 'runAdAuction', 'updateAdInterestGroups'];
    const found = `return [...${JSON.stringify(interfaces)}.filter(name => name in window),
      ...${JSON.stringify(methods)}.filter(name => name in navigator), ...['hasPrivateToken'].filter(name => name in document)]`;
    expect(await run(own, found)).toEqual([]);
  });

  it('G-035 cameras, microphones, installed fonts and saved passwords: no page is told of any', async () => {
    const [own] = pages;
    expect(await run(own, 'return (await navigator.mediaDevices.enumerateDevices()).length')).toBe(0);
    expect(await run(own, 'return queryLocalFonts().then(fonts => fonts.length, () => 0)')).toBe(0);
    const password = `return navigator.credentials.get({ password: true, mediation: 'silent' }).then(found => found, () => null)`;
    expect(await run(own, password)).toBe(null);
  });
});

describe('A session beside another one over TLS', () => {
  const host = 'secure.test';
  const server = createServer(
    { ...certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      response.setHeader('strict-transport-security', 'max-age=1000').setHeader('connection', 'close');
      response.end(
        JSON.stringify({ isResumed: socket.isSessionReused(), certificate: socket.getPeerCertificate() }),
      );
    },
  );
  let port: number;
  let browser: Browser;
  let contexts: readonly [BrowserContext, BrowserContext];
  beforeAll(async () => {
    port = await listen(server, '127.0.0.1');
    const { publicKey } = new X509Certificate(certificate.cert);
    const key = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64');
    browser = await chromium.launch({
      executablePath: testChromium(),
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        ...launchFlags().filter(flag => !flag.startsWith('--host-resolver-rules')),
        `--host-resolver-rules=MAP ${host} 127.0.0.1`,
        // Chromium accepts no HSTS rule from a server whose certificate has an error.
        `--ignore-certificate-errors-spki-list=${key}`,
      ],
    });
    contexts = [await browser.newContext(), await browser.newContext()];
  });
  afterAll(async () => {
    await browser.close();
    await stopServer(server);
  });

  const open = async (context: BrowserContext, scheme: string) => {
    const page = await context.newPage();
    return page.goto(`${scheme}://${host}:${port}/`).catch(() => null);
  };
  const schemeOf = (response: Response | null) => response?.url().split(':')[0] ?? 'failed';
  const connectionOf = async (context: BrowserContext) =>
    JSON.parse((await (await open(context, 'https'))?.text()) ?? '');

  it('G-036 resumes only its own TLS sessions, and shows no client certificate', async () => {
    const [own, other] = contexts;
    expect(await connectionOf(own)).toEqual({ isResumed: false, certificate: {} });
    expect(await connectionOf(own)).toEqual({ isResumed: true, certificate: {} });
    expect(await connectionOf(other)).toEqual({ isResumed: false, certificate: {} });
  });

  it('G-033 does not apply the HSTS rule that a site set in another session', async () => {
    const [own] = contexts;
    const fresh = await browser.newContext();
    expect(schemeOf(await open(own, 'https'))).toBe('https');
    expect(schemeOf(await open(own, 'http'))).toBe('https');
    expect(schemeOf(await open(fresh, 'http'))).toBe('failed');
  });
});
