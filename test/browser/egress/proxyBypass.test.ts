import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findChromium } from '../../../src/browser/launch/findChromium.ts';
import { LAUNCH_FLAGS, SCREENSHOT_SURFACE_FEATURE } from '../../../src/browser/launch/launchChromium.ts';
import { certificateWithRevocationUrls } from '../../support/certificate.ts';
import { servePageOverTls } from '../../support/servePageOverTls.ts';
import { browserCommand, browserSockets } from './browserSockets.ts';
import { type EgressHarness, startEgressHarness, startUdpCanary } from './egressHarness.ts';

/** The source and target port of multicast DNS (RFC 6762). */
const MDNS_PORT = 5353;

let harness: EgressHarness;
let secure: Awaited<ReturnType<typeof servePageOverTls>>;
beforeAll(async () => {
  secure = await servePageOverTls('secure', certificateWithRevocationUrls);
  harness = await startEgressHarness({ allow: new URL(secure.url).host });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

/** Gathers WebRTC candidates until there are no more. */
const gatherCandidates = (page: Page, iceUrl: string): Promise<string[]> =>
  page.evaluate(async urls => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'c' }] });
    const candidates: string[] = [];
    connection.onicecandidate = ({ candidate }) => candidate && candidates.push(candidate.candidate);
    const complete = new Promise<void>(resolve => {
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
    });
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
    await complete;
    return candidates;
  }, iceUrl);

/** Runs in the page: adds peers to a connection, over UDP and TCP. @param peers addresses or names, each with a port */
async function addCandidates(peers: string[]): Promise<void> {
  const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
  one.createDataChannel('x');
  await one.setLocalDescription(await one.createOffer());
  await other.setRemoteDescription(await one.createOffer());
  await other.setLocalDescription(await other.createAnswer());
  for (const [i, peer] of peers.entries())
    for (const kind of ['udp', 'tcp']) {
      const candidate = `candidate:${i} 1 ${kind} 2113937151 ${peer} typ host${kind === 'tcp' ? ' tcptype passive' : ''}`;
      await other.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
    }
}

async function sitePage(proxied: { context: { newPage(): Promise<Page> } }): Promise<Page> {
  const page = await proxied.context.newPage();
  await page.goto(`${harness.siteOrigin}/`);
  return page;
}

describe('Chromium behind the egress proxy', () => {
  test.each(['stun', 'turn'])('R-001 sends no WebRTC UDP to a %s server and finds no address', async kind => {
    await using udp = await startUdpCanary();
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    expect(await gatherCandidates(page, `${kind}:127.0.0.1:${udp.port}`)).toEqual([]);
    expect(udp.packets()).toBe(0);
  });

  test('R-002 would send WebRTC UDP without the launch flags', async () => {
    await using udp = await startUdpCanary();
    const found = findChromium(process.env.CHROMIUM_PATH ?? null);
    const bare = await chromium.launch({
      executablePath: found?.path ?? '',
      chromiumSandbox: process.getuid?.() !== 0,
      proxy: harness.egress.proxy,
    });
    try {
      const page = await bare.newPage();
      const gathering = gatherCandidates(page, `stun:127.0.0.1:${udp.port}`).catch(() => []);
      await vi.waitFor(() => expect(udp.packets()).toBeGreaterThan(0), { timeout: 10_000 });
      await page.close();
      await gathering;
    } finally {
      await bare.close();
    }
  });

  test.each(['turn', 'turns'])('R-003 sends %s over TCP through the proxy', async scheme => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    await gatherCandidates(page, `${scheme}:127.0.0.1:${harness.canaryPort}?transport=tcp`);
    expect(proxied.blocked.map(({ url }) => url)).toEqual([`127.0.0.1:${harness.canaryPort}`]);
  });

  test('R-004 sends no UDP for WebTransport', async () => {
    await using udp = await startUdpCanary();
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    const outcome = await page.evaluate(async url => {
      if (!('WebTransport' in globalThis)) return 'refused';
      return new WebTransport(url).ready.then(
        () => 'opened',
        () => 'refused',
      );
    }, `https://127.0.0.1:${udp.port}/`);
    expect(outcome).toBe('refused');
    expect(udp.packets()).toBe(0);
  });

  test('R-005 reaches nothing from a context without a session proxy, not even an allowed target', async () => {
    const context = await harness.browser.newContext();
    const page = await context.newPage();
    const before = harness.visits.length;
    await expect(page.goto(`${harness.siteOrigin}/no-proxy`)).rejects.toThrow(/net::ERR_/);
    expect(harness.visits.slice(before)).not.toContain('/no-proxy');
    await context.close();
  });

  test('R-006 reaches nothing from a context whose session proxy has closed', async () => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    await proxied.proxy.close();
    await expect(page.goto(`${harness.siteOrigin}/closed-proxy`)).rejects.toThrow(
      /net::ERR_PROXY_CONNECTION_FAILED/,
    );
    expect(harness.visits).not.toContain('/closed-proxy');
  });

  test('R-007 cannot use the session proxy of another session', async () => {
    await using proxied = await harness.openContext();
    await using other = await harness.openContext();
    const page = await sitePage(proxied);
    const failed = page.evaluate(url => fetch(url, { mode: 'no-cors' }), `${other.proxy.proxy.server}/`);
    await expect(failed).rejects.toThrow(/Failed to fetch/);
    expect(other.proxy.usage().requests).toBe(0);
  });

  test('R-008 leaves the resolution of names to the proxy, which resolves only requested names', async () => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    const before = harness.resolved.length;
    await page.setContent(
      '<link rel="dns-prefetch" href="http://prefetched.test/"><a href="http://linked.test/">a</a>',
    );
    await page.evaluate(url => fetch(url), `${harness.openOrigin}/`);
    expect(harness.resolved.slice(before)).toEqual(['open.test']);
  });

  test('R-009 denies permissions without a prompt', async () => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    const answers = await page.evaluate(async () => {
      const outcomeOf = (request: Promise<unknown>) =>
        request.then(
          () => 'granted',
          () => 'denied',
        );
      const position = new Promise((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject),
      );
      const camera = navigator.mediaDevices.getUserMedia({ video: true, audio: true });
      return [await outcomeOf(position), await outcomeOf(camera), Notification.permission];
    });
    expect(answers).toEqual(['denied', 'denied', 'denied']);
  });

  test('R-011 resolves no name even in a context with a proxy bypass', async () => {
    const { server } = harness.egress;
    const context = await harness.browser.newContext({ proxy: { server, bypass: 'localhost' } });
    const page = await context.newPage();
    const straight = page.goto(`http://localhost:${harness.canaryPort}/`);
    await expect(straight).rejects.toThrow(/net::ERR_NAME_NOT_RESOLVED/);
    await context.close();
  });

  test('R-012 sends no multicast DNS for a peer named x.local', async () => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    await page.evaluate(addCandidates, ['peer.local 9', `127.0.0.1 ${harness.canaryPort}`, 'peer.test 9']);
    // The browser processes the earlier candidates before this one; a query would last three seconds.
    await gatherCandidates(page, `turn:127.0.0.1:${harness.canaryPort}?transport=tcp`);
    expect(browserSockets(harness.egress.server).filter(({ localPort }) => localPort === MDNS_PORT)).toEqual(
      [],
    );
  });

  test('R-013 has no sockets except those to proxies', async () => {
    await using proxied = await harness.openContext();
    const page = await sitePage(proxied);
    await page.evaluate(url => fetch(url), `${harness.openOrigin}/`);
    const proxyPorts = [harness.egress.server, proxied.proxy.proxy.server].map(server =>
      Number(new URL(server).port),
    );
    const sockets = browserSockets(harness.egress.server);
    expect(sockets.length).toBeGreaterThan(0);
    expect(
      sockets.filter(({ kind, remotePort }) => kind !== 'tcp' || !proxyPorts.includes(remotePort)),
    ).toEqual([]);
  });

  test('R-015 requests the URLs of a certificate only through the session proxy', async () => {
    await using proxied = await harness.openContext();
    const page = await proxied.context.newPage();
    await expect(page.goto(secure.url)).rejects.toThrow(/net::ERR_CERT_AUTHORITY_INVALID/);
    expect(proxied.blocked.map(({ url }) => url)).toEqual(['http://10.0.0.1/issuer.crt']);
  });

  test('R-010 never connected to the canary', () => {
    expect(harness.canaryHits).toEqual([]);
  });
});

describe('LAUNCH_FLAGS', () => {
  test('has a reason for each flag', () => {
    for (const { flag, reason } of LAUNCH_FLAGS) {
      expect(flag).toMatch(/^--[a-z0-9-]+(=.+)?$/);
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('R-014 turns all features on and off that Playwright does: Chromium reads only the last list', () => {
    for (const [name, except] of [
      ['--disable-features=', ''],
      ['--enable-features=', SCREENSHOT_SURFACE_FEATURE],
    ] as const) {
      const [ofPlaywright = [], own, ...others] = browserCommand(harness.egress.server)
        .args.filter(arg => arg.startsWith(name))
        .map(arg => arg.slice(name.length).split(','));
      expect(own).toEqual(expect.arrayContaining(ofPlaywright.filter(feature => feature !== except)));
      expect(others).toEqual([]);
    }
  });
});
