import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectNats } from '../../src/bus/natsConnection.ts';
import { natsMessenger } from '../../src/bus/natsMessenger.ts';
import type { NodeMessenger } from '../../src/domain/ports/nodes.ts';
import {
  aborted,
  bytes,
  NODE_A,
  NODE_B,
  requestOptions,
  serveEndless,
  text,
} from '../contracts/messengerNetwork.ts';
import { type CuttableConnection, cutConnection } from '../support/cutConnection.ts';
import { natsIsMissing, startNats, type TestNats } from '../support/startNats.ts';

const TICK_MS = 60;

interface MessengerNode {
  readonly messenger: NodeMessenger;
  readonly link: CuttableConnection;
}

describe.skipIf(natsIsMissing)(`nodes that fail${natsIsMissing ? ` (${natsIsMissing})` : ''}`, () => {
  let nats: TestNats;
  let caller: MessengerNode;
  let owner: MessengerNode;

  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats[Symbol.asyncDispose]());
  beforeEach(async () => {
    caller = await startNode();
    owner = await startNode();
  });
  afterEach(async () => {
    for (const { messenger, link } of [caller, owner]) {
      link.flow();
      await messenger.close();
      await link[Symbol.asyncDispose]();
    }
  });

  async function startNode(): Promise<MessengerNode> {
    const link = await cutConnection(nats.port);
    const connection = await connectNats({ url: `nats://127.0.0.1:${link.port}`, name: 'test' });
    return { link, messenger: natsMessenger(connection, { tickMs: TICK_MS }) };
  }

  it('a node that never acknowledges the request is silent', async () => {
    await owner.messenger.serve(NODE_B, async () => bytes('late'));
    owner.link.stall();
    await expect(caller.messenger.request(NODE_B, bytes(''), requestOptions())).rejects.toMatchObject({
      reason: 'silent',
      message: 'The node did not acknowledge the request; the outcome is unknown.',
    });
  });

  it('a node that hangs after it acknowledged the request is silent, and gives up when it goes on', async () => {
    const { received } = await serveEndless(owner.messenger);
    await owner.messenger.serve(NODE_A, async () => bytes(''));
    const waiting = caller.messenger.request(NODE_B, bytes(''), requestOptions());
    const silent = expect(waiting).rejects.toMatchObject({
      reason: 'silent',
      message: 'The node no longer answers; the outcome is unknown.',
    });
    const { signal } = await received;
    // A later response proves that the acknowledgement has arrived.
    await caller.messenger.request(NODE_A, bytes(''), requestOptions());
    owner.link.stall();
    await silent;
    owner.link.flow();
    await aborted(signal);
  });

  it('a slow handler is not taken for a hung node', async () => {
    const finish = Promise.withResolvers<void>();
    await owner.messenger.serve(NODE_B, async () => {
      await finish.promise;
      return bytes('done');
    });
    const watcher = await connectNats({ url: nats.url, name: 'watcher' });
    let signs = 0;
    watcher.subscribe('pagespace.>', ({ subject }) => {
      // Each side sends one in two ticks. A node that sent none for seven ticks would be taken for hung.
      if (/\.alive\.\d+$/.test(subject) && ++signs === 20) finish.resolve();
    });
    expect(text(await caller.messenger.request(NODE_B, bytes(''), requestOptions()))).toBe('done');
    await watcher.close();
  });

  it('a node that lost its connection in the middle of a request is silent', async () => {
    const { received } = await serveEndless(owner.messenger);
    const waiting = caller.messenger.request(NODE_B, bytes(''), requestOptions());
    const silent = expect(waiting).rejects.toMatchObject({ reason: 'silent' });
    await received;
    owner.link.cut();
    await silent;
    await expect(caller.messenger.request(NODE_B, bytes(''), requestOptions())).rejects.toMatchObject({
      reason: 'gone',
    });
  });

  it("the handler's signal aborts when the caller's node hangs", async () => {
    const { received } = await serveEndless(owner.messenger);
    const waiting = caller.messenger.request(NODE_B, bytes(''), requestOptions());
    const failed = expect(waiting).rejects.toMatchObject({ reason: 'silent' });
    const { signal } = await received;
    caller.link.stall();
    await aborted(signal);
    caller.link.flow();
    await failed;
  });

  it('a stream of a node that hangs ends as silent', async () => {
    await owner.messenger.serve(NODE_B, async function* ({ signal }) {
      yield bytes('one');
      await aborted(signal);
    });
    const items = caller.messenger.stream(NODE_B, bytes(''), requestOptions());
    expect(text((await items.next()).value)).toBe('one');
    owner.link.stall();
    await expect(items.next()).rejects.toMatchObject({ reason: 'silent' });
  });

  it('a hung member of the queue group does not stop the placement, and gets no session', async () => {
    const load = { sessions: 5, capacity: 10, draining: false };
    caller.messenger.reportLoad(NODE_A, load);
    owner.messenger.reportLoad(NODE_B, { ...load, sessions: 0 });
    const place = () =>
      caller.messenger
        .place({ signal: new AbortController().signal, timeoutMs: 10_000 })
        .then(({ nodeId }) => nodeId);
    await expect.poll(place).toBe(NODE_B.nodeId);
    owner.link.stall();
    await expect.poll(place).toBe(NODE_A.nodeId);
  });
});
