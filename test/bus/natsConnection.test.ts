import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNats, type NatsOptions } from '../../src/bus/natsConnection.ts';
import { freePort } from '../support/freePort.ts';
import { natsCredentials } from '../support/natsCredentials.ts';
import { natsIsMissing, startNats } from '../support/startNats.ts';

const PASSWORD = 'correct-horse';

/** Connects, disconnects and returns `connected`, or returns the message of the error. */
async function attempt(options: Partial<NatsOptions> & { readonly url: string }): Promise<string> {
  try {
    const connection = await connectNats({ name: 'test', ...options });
    await connection.close();
    return 'connected';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('connectNats()', () => {
  it('says that an address is not one of NATS, and does not print it', async () => {
    expect(await attempt({ url: `http://user:${PASSWORD}@host` })).toBe(
      'NATS cannot be used at the address in NATS_URL: NATS_URL has an address that is not nats://host:port or tls://host:port',
    );
  });

  it('says that a connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const message = await attempt({ url: `nats://user:${PASSWORD}@127.0.0.1:${port}` });
    expect(message).toMatch(
      new RegExp(`^NATS cannot be used at 127\\.0\\.0\\.1:${port}: connection refused`),
    );
    expect(message).not.toContain(PASSWORD);
  });

  it('gives up a server that does not answer', async () => {
    const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await attempt({ url: `nats://127.0.0.1:${port}`, startTimeoutMs: 200 })).toBe(
      `NATS cannot be used at 127.0.0.1:${port}: no answer within 0.2 s`,
    );
    server.close();
  });

  it('names the variable of a file that it cannot read', async () => {
    const url = 'nats://127.0.0.1:1';
    expect(await attempt({ url, credentialsFile: '/missing.creds' })).toMatch(/NATS_CREDENTIALS.*ENOENT/);
    expect(await attempt({ url, caFile: '/missing.pem' })).toMatch(/NATS_CA.*ENOENT/);
  });
});

describe.skipIf(natsIsMissing)(`connectNats()${natsIsMissing ? ` (${natsIsMissing})` : ''}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagespace-nats-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('takes user and password from the URL, and tries each server of a list', async () => {
    await using nats = await startNats({
      config: `authorization { user: "pages", password: "${PASSWORD}" }`,
    });
    const host = `127.0.0.1:${nats.port}`;
    expect(await attempt({ url: `nats://pages:${PASSWORD}@${host}` })).toBe('connected');
    expect(await attempt({ url: `nats://pages:${PASSWORD}@127.0.0.1:1,nats://${host}` })).toBe('connected');
    const refused = await attempt({ url: `nats://pages:wrong-secret@${host}` });
    expect(refused).toMatch(/Authorization Violation/i);
    expect(refused).not.toContain('wrong-secret');
  });

  it('goes on at the other server of a NATS cluster when its own is killed', async () => {
    const routePort = await freePort();
    const cluster = (own: string): string =>
      `cluster { name: pagespace, listen: "127.0.0.1:${own}", routes: ["nats-route://127.0.0.1:${routePort}"] }`;
    await using first = await startNats({ config: cluster(String(routePort)) });
    await using second = await startNats({ config: cluster('-1') });
    // The client begins with any address of a list. The first server tells it that there is a second one.
    const a = await connectNats({ name: 'a', url: first.url });
    const b = await connectNats({ name: 'b', url: `${first.url},${second.url}` });
    let received = Promise.withResolvers<string>();
    b.subscribe('pagespace.events.x', message => received.resolve(message.string()));
    const arrives = async (text: string): Promise<string> => {
      received = Promise.withResolvers();
      // A route between servers that have just met may know of the subscription a moment later.
      const resending = setInterval(() => a.publish('pagespace.events.x', text), 20);
      const got = await received.promise;
      clearInterval(resending);
      return got;
    };
    expect(await arrives('over both')).toBe('over both');
    const isLost = new Promise<void>(resolve => void a.onConnectionChange(() => resolve()));
    await first.stop();
    await isLost;
    expect(await arrives('over the other')).toBe('over the other');
    for (const each of [a, b]) await each.close();
  });

  it('takes a token from the URL', async () => {
    await using nats = await startNats({ config: 'authorization { token: "abc" }' });
    expect(await attempt({ url: `nats://abc@127.0.0.1:${nats.port}` })).toBe('connected');
  });

  it('uses a credentials file', async () => {
    await using nats = await startNats({ config: natsCredentials.config });
    const credentialsFile = join(folder, 'user.creds');
    await writeFile(credentialsFile, natsCredentials.credentials);
    expect(await attempt({ url: nats.url, credentialsFile })).toBe('connected');
    expect(await attempt({ url: nats.url })).toMatch(/Authorization Violation/i);
  });

  it('uses TLS with the given authority, and trusts no other', async () => {
    await using nats = await startNats({ tls: true });
    expect(await attempt({ url: nats.url, caFile: nats.caFile })).toBe('connected');
    expect(await attempt({ url: nats.url.replace('nats:', 'tls:') })).toMatch(/self-signed/i);
  });

  it('says that a server without TLS cannot be used with an authority', async () => {
    await using nats = await startNats();
    expect(await attempt({ url: nats.url, caFile: nats.caFile })).toMatch(/tls/i);
  });

  it.each(['publish', 'subscribe'])('says that the permission to %s is missing', async missing => {
    const permissions = ['publish', 'subscribe'].map(
      each => `${each}: "${each === missing ? 'other' : 'pagespace.>'}"`,
    );
    await using nats = await startNats({
      config: `authorization { users: [{ user: pagespace, password: secret, permissions: { ${permissions.join(', ')} } }] }`,
    });
    const operation = missing === 'publish' ? 'Publish' : 'Subscription';
    expect(await attempt({ url: nats.url.replace('//', '//pagespace:secret@') })).toMatch(
      new RegExp(`Permissions Violation for ${operation} to "pagespace\\.`, 'i'),
    );
  });

  it('needs only the subjects below pagespace', async () => {
    await using nats = await startNats({
      config:
        'authorization { users: [{ user: pagespace, password: secret, permissions: { publish: "pagespace.>", subscribe: "pagespace.>" } }] }',
    });
    expect(await attempt({ url: nats.url.replace('//', '//pagespace:secret@') })).toBe('connected');
  });
});
