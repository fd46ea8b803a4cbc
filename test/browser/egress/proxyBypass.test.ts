import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findChromium } from '../../../src/browser/launch/findChromium.ts';
import { LAUNCH_FLAGS } from '../../../src/browser/launch/launchFlags.ts';
import { certificateWithRevocationUrls } from '../../support/certificate.ts';
import { servePageOverTls } from '../../support/servePageOverTls.ts';
import { browserCommand, browserSockets } from './browserSockets.ts';
import { type EgressHarness, startEgressHarness, startUdpCanary } from './egressHarness.ts';

/** Multicast DNS is sent from, and to, this port (RFC 6762). */
const MDNS_PORT = 5353;

let rig: EgressHarness;
let secure: Awaited<ReturnType<typeof servePageOverTls>>;
beforeAll(async () => {
  secure = await servePageOverTls('secure', certificateWithRevocationUrls);
  rig = await startEgressHarness({ allow: new URL(secure.url).host });
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

/** Gathers WebRTC candidates until there are no more; gives them. */
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

/** Runs in the page: tells a connection of peers, each an address or a name with a port, over UDP and TCP. */
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

async function sitePage(visitor: { context: { newPage(): Promise<Page> } }): Promise<Page> {
  const page = await visitor.context.newPage();
  await page.goto(`${rig.siteOrigin}/`);
  return page;
}

describe('Around the proxy', () => {
  test.each(['stun', 'turn'])('R-001 WebRTC sends no UDP to a %s server and tells no address', async kind => {
    await using udp = await startUdpCanary();
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    expect(await gatherCandidates(page, `${kind}:127.0.0.1:${udp.port}`)).toEqual([]);
    expect(udp.packets()).toBe(0);
  });

  test('R-002 WebRTC would send UDP without the launch flags', async () => {
    await using udp = await startUdpCanary();
    const found = findChromium(process.env.CHROMIUM_PATH ?? null);
    const bare = await chromium.launch({
      executablePath: found?.path ?? '',
      chromiumSandbox: process.getuid?.() !== 0,
      proxy: rig.egress.proxy,
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

  test.each(['turn', 'turns'])('R-003 %s over TCP goes through the filter', async scheme => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    await gatherCandidates(page, `${scheme}:127.0.0.1:${rig.canaryPort}?transport=tcp`);
    expect(visitor.blocked.map(({ url }) => url)).toEqual([`127.0.0.1:${rig.canaryPort}`]);
  });

  test('R-004 WebTransport sends no UDP', async () => {
    await using udp = await startUdpCanary();
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
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

  test('R-005 a context without a door reaches nothing, not even what the rules open', async () => {
    const context = await rig.browser.newContext();
    const page = await context.newPage();
    const before = rig.visits.length;
    await expect(page.goto(`${rig.siteOrigin}/no-door`)).rejects.toThrow(/net::ERR_/);
    expect(rig.visits.slice(before)).not.toContain('/no-door');
    await context.close();
  });

  test('R-006 with its door closed a context goes nowhere, rather than straight', async () => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    await visitor.proxy.close();
    await expect(page.goto(`${rig.siteOrigin}/closed-door`)).rejects.toThrow(
      /net::ERR_PROXY_CONNECTION_FAILED/,
    );
    expect(rig.visits).not.toContain('/closed-door');
  });

  test('R-007 one session cannot go through the door of another', async () => {
    await using visitor = await rig.openContext();
    await using other = await rig.openContext();
    const page = await sitePage(visitor);
    const failed = page.evaluate(url => fetch(url, { mode: 'no-cors' }), `${other.proxy.proxy.server}/`);
    await expect(failed).rejects.toThrow(/Failed to fetch/);
    expect(other.proxy.usage().requests).toBe(0);
  });

  test('R-008 a name is resolved by the filter alone, and only when something is asked of it', async () => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    const before = rig.resolved.length;
    await page.setContent(
      '<link rel="dns-prefetch" href="http://prefetched.test/"><a href="http://linked.test/">a</a>',
    );
    await page.evaluate(url => fetch(url), `${rig.openOrigin}/`);
    expect(rig.resolved.slice(before)).toEqual(['open.test']);
  });

  test('R-009 permissions are denied without a question', async () => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    const answers = await page.evaluate(async () => {
      const denied = (asked: Promise<unknown>) =>
        asked.then(
          () => 'granted',
          () => 'denied',
        );
      const place = new Promise((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject),
      );
      const camera = navigator.mediaDevices.getUserMedia({ video: true, audio: true });
      return [await denied(place), await denied(camera), Notification.permission];
    });
    expect(answers).toEqual(['denied', 'denied', 'denied']);
  });

  test('R-011 a name leads nowhere even in a context that was given a way past the proxy', async () => {
    const { server } = rig.egress;
    const context = await rig.browser.newContext({ proxy: { server, bypass: 'localhost' } });
    const page = await context.newPage();
    const straight = page.goto(`http://localhost:${rig.canaryPort}/`);
    await expect(straight).rejects.toThrow(/net::ERR_NAME_NOT_RESOLVED/);
    await context.close();
  });

  test('R-012 a peer named x.local makes the browser ask no network for it', async () => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    await page.evaluate(addCandidates, ['peer.local 9', `127.0.0.1 ${rig.canaryPort}`, 'peer.test 9']);
    // The browser has had the candidates before it takes this one, and asks for three seconds.
    await gatherCandidates(page, `turn:127.0.0.1:${rig.canaryPort}?transport=tcp`);
    expect(browserSockets(rig.egress.server).filter(({ localPort }) => localPort === MDNS_PORT)).toEqual([]);
  });

  test('R-013 the kernel knows of no socket of the browser but those to doors', async () => {
    await using visitor = await rig.openContext();
    const page = await sitePage(visitor);
    await page.evaluate(url => fetch(url), `${rig.openOrigin}/`);
    const doors = [rig.egress.server, visitor.proxy.proxy.server].map(server => Number(new URL(server).port));
    const sockets = browserSockets(rig.egress.server);
    expect(sockets.length).toBeGreaterThan(0);
    expect(sockets.filter(({ kind, remotePort }) => kind !== 'tcp' || !doors.includes(remotePort))).toEqual(
      [],
    );
  });

  test('R-015 what a certificate names is asked for through the door of the session, or not at all', async () => {
    await using visitor = await rig.openContext();
    const page = await visitor.context.newPage();
    await expect(page.goto(secure.url)).rejects.toThrow(/net::ERR_CERT_AUTHORITY_INVALID/);
    expect(visitor.blocked.map(({ url }) => url)).toEqual(['http://10.0.0.1/issuer.crt']);
  });

  test('R-010 the canary saw nothing of it', () => {
    expect(rig.canaryHits).toEqual([]);
  });
});

describe('The launch flags', () => {
  test('each have a reason', () => {
    for (const { flag, reason } of LAUNCH_FLAGS) {
      expect(flag).toMatch(/^--[a-z0-9-]+(=.+)?$/);
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('R-014 turn off all features that Playwright turns off: Chromium takes the last list only', () => {
    const lists = browserCommand(rig.egress.server)
      .args.filter(arg => arg.startsWith('--disable-features='))
      .map(arg => arg.slice('--disable-features='.length).split(','));
    expect(lists).toHaveLength(2);
    expect(lists[1]).toEqual(expect.arrayContaining(lists[0] ?? []));
    expect(LAUNCH_FLAGS.some(({ flag }) => flag.startsWith('--enable-features'))).toBe(false);
  });
});
